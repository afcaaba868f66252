#!/bin/sh
# Installs those of the named Debian packages that are missing; says nothing if none is.
# Usage: test/install.sh package...
set -eu
missing=
for package; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

apt() {
    if [ "$(id -u)" -eq 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get -qq "$@"
    else
        sudo DEBIAN_FRONTEND=noninteractive apt-get -qq "$@"
    fi
}
# shellcheck disable=SC2086 # names have no spaces
install() { apt install -y --no-install-recommends $missing; }

echo "installing$missing"
# apt's lists of packages are fetched only if they are absent or too old to be of use
log=$(install 2>&1) || log=$(apt update 2>&1 && install 2>&1) || {
    echo "$log" >&2
    exit 1
}
