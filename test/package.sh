#!/bin/sh
# Installs a build into an empty directory, and builds and runs a program with what it finds there: shared, static, and
# as C++.
# Usage: test/package.sh <build directory>
set -eu
build=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

DESTDIR=$scratch meson install -C "$build" --no-rebuild --quiet
pc=$(find "$scratch" -name nonlin.pc)
library=$(dirname "$(dirname "$pc")")
# the installation believes that it stands where DESTDIR is /
prefix=$scratch$(sed -n 's/^prefix=//p' "$pc")
flags() {
    PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --define-variable=prefix="$prefix" "$@" nonlin
}

for file in libnonlin.so libnonlin.so.1 libnonlin.a; do
    [ -e "$library/$file" ] || {
        echo "$file is not installed" >&2
        exit 1
    }
done
[ "$(find "$prefix/include" -type f)" = "$prefix/include/nonlin.h" ] || {
    echo "installed headers:" "$(find "$prefix/include" -type f)" >&2
    exit 1
}

cat >"$scratch/program.c" <<'END'
#include <nonlin.h>
#include <stdio.h>

int main(void)
{
    float x[3] = {1, 1, 1}, y[3];
    nonlin_status status = nonlin_softmax_f32(y, x, 3);
    printf("%s, version %s, %s\n", nonlin_status_string(status), nonlin_version_string(),
           nonlin_active_isa());
    return status != NONLIN_OK || y[0] < 0.333f || y[0] > 0.334f ||
           nonlin_version() >> 16 != NONLIN_VERSION_MAJOR;
}
END
cp "$scratch/program.c" "$scratch/program.cc"
cd "$scratch"
# shellcheck disable=SC2046 # flags are words
{
    cc -std=c99 -pedantic -Wall -Wextra -Werror -o shared program.c $(flags --cflags --libs)
    cc -std=c99 -pedantic -Wall -Wextra -Werror -static -o static program.c \
        $(flags --cflags --libs --static)
    ! command -v c++ >/dev/null ||
        c++ -std=c++11 -pedantic -Wall -Wextra -Werror -o shared-c++ program.cc $(flags --cflags --libs)
}
for program in shared static shared-c++; do
    [ ! -x "$program" ] || echo "$program: $(LD_LIBRARY_PATH=$library "./$program")"
done
