#!/bin/sh
# All ISAs define the same words, and test/words.def or test/words_isa.c has each of them.
# Usage: vocabulary.sh <the directory isa>
set -eu
isa=$1
failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# names with a _ at the end are private
words() { grep -ohE '\b(b?[fiu](8|16|32)|m(8|16|32)|lut(8|16)|stream)_[a-z0-9_]*[a-z0-9]\b' "$@" | sort -u; }

words "$isa/../test/words.def" "$isa/../test/words_isa.c" >"$scratch/tested"
words "$isa/portable/vec.h" "$isa/kernels/words.h" >"$scratch/portable"
for vec in "$isa"/*/vec.h; do
    # one that begins with another's
    base=$(sed -n 's|^#include "\.\./\(.*\)"|\1|p' "$vec")
    words "$vec" ${base:+"$isa/$base"} "$isa/kernels/words.h" >"$scratch/here"
    if ! diff "$scratch/portable" "$scratch/here" >&2; then
        echo "$vec: > only here, < not here but in portable" >&2
        failed=1
    fi
    untested=$(comm -13 "$scratch/tested" "$scratch/here")
    if [ -n "$untested" ]; then
        echo "$vec: not in words.def:" "$untested" >&2
        failed=1
    fi
done
exit $failed
