#!/bin/sh
# What the libraries show to the linker: the functions of nonlin.h under their version, and nothing else.
# Usage: symbols.sh nonlin.h nonlin.pc libnonlin.so|- libnonlin.a|-
set -eu
header=$1 pc=$2 shared=$3 static=$4
failed=0
fail() {
    echo "$*" >&2
    failed=1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# each declaration on a line, then the name before its parenthesis
tr '\n' ' ' <"$header" | grep -o 'NONLIN_API [^(]*(' | sed -n 's/.*[ *]\(nonlin_[a-z0-9_]*\)($/\1/p' |
    sort >"$scratch/declared"
[ "$(grep -c . "$scratch/declared")" -ge 10 ] || fail "$header: too few declarations were found"

if [ "$shared" != - ]; then
    nm -D --defined-only --with-symbol-versions "$shared" | awk '$2 != "A" { print $3 }' | sort \
        >"$scratch/exported"
    sed 's/$/@@NONLIN_1.0/' "$scratch/declared" | diff - "$scratch/exported" >&2 ||
        fail "$shared: < is declared in nonlin.h, > is exported"

    readelf -dW "$shared" >"$scratch/dynamic"
    grep -q 'SONAME.*\[libnonlin\.so\.1\]' "$scratch/dynamic" || fail "$shared: another SONAME"
    needed=$(sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' "$scratch/dynamic" | grep -v '^libc\.' || true)
    [ -z "$needed" ] || fail "$shared needs more than libc:" "$needed"
    ! grep -q TEXTREL "$scratch/dynamic" || fail "$shared: text relocations"
    readelf -lW "$shared" | grep GNU_STACK >"$scratch/stack" || fail "$shared: no GNU_STACK"
    ! grep -q 'E  *0x[0-9a-f]*$' "$scratch/stack" || fail "$shared: executable stack"
fi

if [ "$static" != - ]; then
    others=$(nm -g --defined-only "$static" | awk 'NF == 3 && $3 !~ /^(nl|nonlin)_|^__x86[.]get_pc_thunk/ { print $3 }')
    [ -z "$others" ] || fail "$static: global names without the prefix:" "$others"
    nm -g --defined-only "$static" | awk 'NF == 3 { print $3 }' | grep '^nonlin_' | sort |
        diff "$scratch/declared" - >&2 || fail "$static: < is declared in nonlin.h, > is defined"
fi

! grep -E '(^|[ =])-m' "$pc" >&2 || fail "$pc: a machine flag"
macro() { sed -n "s/^#define NONLIN_VERSION_$1 *//p" "$header"; }
grep -qx "Version: $(macro MAJOR).$(macro MINOR).$(macro PATCH)" "$pc" ||
    fail "$pc: the version is not that of $header"
exit $failed
