#!/bin/sh
# The version script: every function that nonlin.h declares with NONLIN_API, by name.
# Usage: symbols.sh nonlin.h
set -eu
echo 'NONLIN_1.0 {'
echo 'global:'
sed -n 's/^NONLIN_API .*[ *]\(nonlin_[a-z0-9_]*\)(.*/    \1;/p' "$1"
echo 'local: *;'
echo '};'
