#!/bin/sh
# Makes ready to build and test for other architectures: installs the compilers, and unpacks Debian packages, of which
# nothing is installed, into build/sysroots/<architecture> (what the suites link with) and build/sysroots/qemu
# (usr/bin/qemu-*, statically linked). What is there already is left alone.
# Usage: test/sysroot.sh <architecture, by Debian's name, wasm32 or bochs>...
#
# bochs is an emulator of whole machines, with all that it depends on down to the C library: test/bare/run.sh.
set -eu
cd "$(dirname "$0")/.."

# The release whose packages the compiler of isa/cross/<architecture>.ini can link with, and that has the architecture.
# QEMU 10, as 7.2 of Debian 12 lacks LoongArch's vectors, RISC-V's half-precision ones, and VLEN beyond 128.
suite_of() {
    case $1 in
    arm64 | armhf | i386 | ppc64el | s390x) echo bookworm ;;
    riscv64 | qemu | bochs) echo trixie ;;
    loong64) echo sid ;;
    *)
        echo "sysroot.sh: unknown architecture: $1" >&2
        exit 2
        ;;
    esac
}

compiler_of() {
    case $1 in
    arm64) echo gcc-aarch64-linux-gnu ;;
    armhf) echo gcc-arm-linux-gnueabihf ;;
    i386) echo gcc-i686-linux-gnu ;;
    ppc64el) echo gcc-powerpc64le-linux-gnu ;;
    riscv64 | s390x | loong64) echo clang-19 lld-19 llvm-19 ;;
    wasm32) echo clang-19 lld-19 llvm-19 libclang-rt-19-dev-wasm32 wasi-libc ;;
    esac
}

# apt_state <suite> <architecture>: an apt of its own that knows this one architecture, in ./apt
apt_state() {
    # shellcheck disable=SC2016 # apt's variables
    mirror=$(apt-get indextargets --format '$(SITE)' 'Label: Debian' 'Component: main' | head -n 1)
    # apt tells no mirror before its lists have been fetched
    mirror=${mirror:-http://deb.debian.org/debian}
    mkdir -p apt/lists/partial apt/cache/archives/partial apt/parts
    : >apt/status
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1 main" >apt/sources.list
    cat >apt/conf <<END
APT::Architecture "$2";
APT::Architectures { "$2"; };
Dir::State::Lists "$PWD/apt/lists";
Dir::State::status "$PWD/apt/status";
Dir::Cache "$PWD/apt/cache";
Dir::Etc::sourcelist "$PWD/apt/sources.list";
Dir::Etc::sourceparts "$PWD/apt/parts";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "$PWD/apt/parts";
APT::Sandbox::User "root";
Acquire::Languages "none";
END
    export APT_CONFIG="$PWD/apt/conf"
    apt-get -qq update
}

# packages_of <name>: what is unpacked there
packages_of() {
    if [ "$1" = qemu ]; then
        echo qemu-user
    else
        gcc=$(apt-cache show gcc | sed -n 's/^Depends:.* gcc-\([0-9][0-9]*\).*/\1/p' | head -n 1)
        echo check libsubunit-dev libsubunit0 libmpfr-dev libmpfr6 libgmp-dev libgmp10 \
            libc6 libc6-dev linux-libc-dev libgcc-s1 "libgcc-$gcc-dev"
        # not on all architectures, nor needed on all
        apt-cache pkgnames libcpu-features-dev | grep -x libcpu-features-dev || true
    fi
}

# Where a release has them in /usr alone, /lib and /lib64 lead there; and no link leads out of the folder.
mend_links() {
    for lib in lib lib64; do
        [ -e "root/$lib" ] || [ ! -e "root/usr/$lib" ] || ln -s "usr/$lib" "root/$lib"
    done
    (
        cd root
        find . -type l -lname '/*' | while read -r link; do
            up=$(dirname "${link#./}" | sed 's|[^/.][^/]*|..|g')
            ln -sfn "$up$(readlink "$link")" "$link"
        done
    )
}

# unpack <name> <architecture>: build/sysroots/<name>, whole or not at all
unpack() {
    scratch=build/sysroots/$1.part
    rm -rf "$scratch" "build/sysroots/$1"
    mkdir -p "$scratch/root"
    (
        set -eu
        cd "$scratch"
        apt_state "$suite" "$2"
        if [ "$1" = bochs ]; then
            apt-get -qq -y --no-install-recommends --download-only install bochs bochs-term bochsbios vgabios
            mv apt/cache/archives/*.deb .
        else
            # shellcheck disable=SC2046 # names have no spaces
            apt-get -qq download $(packages_of "$1")
        fi
        for deb in *.deb; do
            dpkg -x "$deb" root
        done
        mend_links
        echo "$made_by" >root/made-by
    )
    mv "$scratch/root" "build/sysroots/$1"
    rm -rf "$scratch"
}

command -v apt-get >/dev/null || {
    echo "this is not Debian"
    exit 77
}
# what this file was when it made a folder
made_by=$(cksum <test/sysroot.sh)
for name in qemu "$@"; do
    [ "$name" != wasm32 ] || continue
    suite=$(suite_of "$name")
    architecture=$name
    case $name in qemu | bochs) architecture=$(dpkg --print-architecture) ;; esac
    [ "$(cat "build/sysroots/$name/made-by" 2>/dev/null)" = "$made_by" ] || {
        echo "unpacking $suite's packages in build/sysroots/$name"
        unpack "$name" "$architecture"
    }
done
needed=$(for name; do compiler_of "$name"; done)
# shellcheck disable=SC2086
test/install.sh $needed
