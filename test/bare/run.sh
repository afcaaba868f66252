#!/bin/sh
# Boots a program that was linked with image.ld on the emulator Bochs, whose CPU is a Sapphire Rapids, and passes on
# what it prints; the exit status is 0 if it ended as it should, having failed nothing.
# Usage: run.sh <program> <folder where Debian's package bochs and its dependencies are unpacked>
set -eu
bare=$(dirname "$0")
program=$1
bochs=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# the disk: the boot sector, the program, and what is missing of 20 cylinders, 16 heads, 63 sectors
cc -m64 -c "$bare/boot.S" -o "$scratch/boot.o"
ld -Ttext=0x7c00 --oformat binary "$scratch/boot.o" -o "$scratch/disk"
objcopy -O binary -j .text -j .rodata -j .data "$program" "$scratch/program"
cat "$scratch/program" >>"$scratch/disk"
truncate -s $((20 * 16 * 63 * 512)) "$scratch/disk"

cat >"$scratch/bochsrc" <<END
cpu: model=sapphire_rapids, count=1, ips=100000000, reset_on_triple_fault=0
memory: guest=64, host=64
romimage: file=$bochs/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=$bochs/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=disk, path=$scratch/disk, mode=flat, cylinders=20, heads=16, spt=63
boot: disk
display_library: term
port_e9_hack: enabled=1
plugin_ctrl: unmapped=true, speaker=false
panic: action=fatal
log: $scratch/log
END

# Debian 13's own loader and libraries, as it is of that release. It ends with status 1 however it was ended.
libraries=$bochs/usr/lib/x86_64-linux-gnu
LTDL_LIBRARY_PATH=$libraries/bochs/plugins TERM=xterm timeout 600 "$bochs/lib64/ld-linux-x86-64.so.2" \
    --library-path "$libraries:$libraries/bochs/plugins" "$bochs/usr/bin/bochs-bin" -q -f "$scratch/bochsrc" \
    >"$scratch/out" 2>&1 </dev/null || true
# between the banner and the farewell
tr -d '\r' <"$scratch/out" | grep -aE '^([0-9]+%: Checks:|[a-z].* 0x|this CPU)' || {
    cat "$scratch/out"
    grep -a 'PANIC' "$scratch/log" || true
}
grep -qaE '^100%: Checks: [1-9][0-9]*, Failures: 0, Errors: 0' "$scratch/out"
