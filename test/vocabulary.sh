#!/bin/sh
# All ISAs define the same words, and test/words.def or test/words_isa.c has each of them.
# Usage: vocabulary.sh <the directory isa>
set -eu
isa=$1
failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# names with a _ at the end are private
words() { grep -ohE '\b(f32|i32|u32|m32|lut8|stream)_[a-z0-9_]*[a-z0-9]\b' "$@" | sort -u; }

words "$isa/../test/words.def" "$isa/../test/words_isa.c" >"$scratch/tested"
words "$isa/portable/vec.h" "$isa/kernels/words.h" >"$scratch/portable"
for vec in "$isa"/*/vec.h; do
    words "$vec" "$isa/kernels/words.h" >"$scratch/here"
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
