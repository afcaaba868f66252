#!/bin/sh
# No instruction beyond the x86-64 baseline outside the objects of the ISAs that need more, and nothing in those
# that would run, or be linked to, without dispatch: constructors, weak or shared definitions, stray names.
# Usage: baseline.sh libnonlin.so|- libnl_core.a <isa>=<archive>...
set -eu
shared=$1 core=$2
shift 2
failed=0
fail() {
    echo "$*" >&2
    failed=1
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

if readelf -SW "$core" 2>/dev/null | grep -q '\.gnu\.lto_' || ! objdump -h "$core" >/dev/null 2>&1; then
    echo "objects of link-time optimisation hold no code"
    exit 77
fi

# The functions that contain an instruction of SSE3 or later: name, instruction. XGETBV is missing here on purpose, as
# cpu.c asks whether it is there.
beyond() {
    objdump -d --no-show-raw-insn "$1" | awk -F '\t' '
        /^[0-9a-f]+ <.*>:$/ { sub(/^[0-9a-f]+ </, ""); sub(/>:$/, ""); name = $0; next }
        NF < 2 { next }
        {
            split($2, part, /[ ,]+/)
            i = 1
            while (part[i] ~ /^(lock|rep|repz|repnz|bnd|notrack|data16|[cdefgs]s|rex.*)$/) i++
            op = part[i]
        }
        (op ~ /^v/ && op !~ /^(verr|verw|vm)/) || $2 ~ /%[yz]mm|%k[0-7]|%xmm(1[6-9]|[23][0-9])/ ||
        op ~ /^(andn|bextr|blsi|blsr|blsmsk|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|lzcnt|popcnt|movbe)[lqw]?$/ ||
        op ~ /^(adcx|adox|crc32|rdrand|rdseed|cmpxchg16b|aes|pclmul|sha1|sha256|gf2p8)/ ||
        op ~ /^(addsub|hadd|hsub)p[sd]$|^movs[lh]dup$|^movddup$|^lddqu$|^fisttp/ ||
        op ~ /^(pabs|psign)[bwd]$|^ph(add|sub)|^pmaddubsw$|^pmulhrsw$|^pshufb$|^palignr$/ ||
        op ~ /^p?blend|^dpp[sd]$|^(extract|insert)ps$|^movntdqa$|^mpsadbw$|^packusdw$|^pcmp(eq|gt)q$/ ||
        op ~ /^p(extr|insr)[bdq]$|^phminposuw$|^p(max|min)(sb|sd|ud|uw)$|^pmov[sz]x|^pmul(dq|ld)$/ ||
        op ~ /^ptest$|^round[ps][sd]$|^pcmp[ei]str/ { print name, $2 }'
}

check_baseline() {
    beyond "$1" >"$scratch/found"
    [ ! -s "$scratch/found" ] || fail "$1: beyond the baseline: $(head -n 3 "$scratch/found")"
}

check_baseline "$core"
: >"$scratch/functions"
for pair; do
    isa=${pair%%=*} archive=${pair#*=}
    if [ "$isa" = portable ]; then
        check_baseline "$archive"
    else
        beyond "$archive" >"$scratch/found"
        [ -s "$scratch/found" ] || fail "$archive: no instruction of $isa; is the check still right?"
        nm --defined-only "$archive" | awk 'NF == 3 && $2 ~ /[tT]/ { print $3 }' >>"$scratch/functions"
    fi

    stray=$(nm -g --defined-only "$archive" |
        awk -v isa="$isa" 'NF == 3 && ($2 !~ /^[TDRB]$/ || $3 !~ "^nl_(" isa "_.*|isa_" isa ")$")')
    [ -z "$stray" ] || fail "$archive: not a kernel of $isa, or weak:" "$stray"
    # a kernel knows no library but what the compiler itself calls
    calls=$(nm -u "$archive" | awk -v isa="$isa" 'NF == 2 { print $2 }' |
        grep -Ev "^nl_${isa}_|^(mem(cpy|set|move)|__.*_chk|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_)$" || true)
    [ -z "$calls" ] || fail "$archive: calls of other libraries:" "$calls"
    ! readelf -SW "$archive" | grep -E '\.(pre)?init_array|\.ctors|\.tdata|\.tbss' >&2 ||
        fail "$archive: runs code when it is loaded"
    ! readelf -gW "$archive" 2>/dev/null | grep COMDAT >&2 || fail "$archive: shares definitions"
done

# the whole library, its start-up code and cpu_features included
if [ "$shared" != - ]; then
    beyond "$shared" >"$scratch/found"
    outside=$(awk 'FILENAME == ARGV[1] { ours[$1]; next } !($1 in ours)' "$scratch/functions" "$scratch/found")
    [ -z "$outside" ] || fail "$shared: beyond the baseline: $(echo "$outside" | head -n 3)"
fi
exit $failed
