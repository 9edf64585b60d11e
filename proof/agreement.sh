#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Compares the cold medians of cells of all operations and sizes with
# gpu__time_duration of Nsight Compute (ncu): each the median of three processes.
# WORDS are ids of cells here. NCU names the profiler (ncu), and --profiles N the
# number of launches of a cell that it measures.
#
# About 4 minutes on an H200, nearly all of it for starting ncu.
set -u
. "$(dirname "$0")/lib.sh"
profiles=3

own_usage() {
    echo "  --profiles N launches per cell that ncu measures (3)"
}

own_option() {
    [ "$1" = --profiles ] && profiles=$2
}
parse "$@"
ncu=${NCU:-ncu}

# One variant per operation. Each is a single kernel without a memset, since ncu
# flushes the caches between the kernels of a launch and does not count a memset.
cells() {
    while read -r op variant sizes; do
        for lines in $sizes; do
            echo "$op/$variant/f32/${lines}x4096x1"
        done
    done <<'END'
copy copy_b256_i4 65536 16384 1
masked_copy masked_copy_b256_i8 65536 4096
read read_persistent_b256_i16 65536 16384
write write_b256_i16 65536 256
flip vectorised_b128_i4 65536 16384 16
cumsum block_per_line_b256_i16 65536 16384 256
cumsum_exclusive warp_per_line_b128_i8 65536 4096
cumsum_reverse block_per_line_prefetch_b256_i16 65536 16384 1
masked_cumsum block_per_line_b256_i16 65536 16
sum warp_per_line_b256_i16 65536 16384 4096
END
}

ids=${plan:-$(cells)}
folder=$results/agreement

if ! is_complete "$folder"; then
    # shellcheck disable=SC2086 # words
    measure "$folder" --cache cold --processes 3 \
        -f "^($(printf '%s\n' $ids | paste -sd '|' -))$" \
        --dtype "$(printf '%s\n' $ids | cut -d / -f 3 | sort -u |
            paste -sd , -)" \
        --shape "$(printf '%s\n' $ids | cut -d / -f 4 | sort -u |
            paste -sd , -)"
fi

# Prints the kernels of one launch and their total time. The last two fields of ncu's
# CSV are the unit and the value, which may contain commas.
profile() { # ID
    "$ncu" --profile-from-start off --clock-control none --cache-control all \
        --print-units base --metrics gpu__time_duration.sum --csv \
        "$scanbench" run --profile "$1" --device "$device" \
        >"$folder/ncu.said" 2>&1
    awk -F '","' '/gpu__time_duration/ {
            value = $NF; gsub(/[",]/, "", value)
            unit = $(NF - 1)
            scale = unit ~ /^n/ ? 1 : unit ~ /^us/ ? 1e3 : 0
            ns += scale * value; ++kernels }
        END { if (ns > 0) print kernels "," ns / 1e3; exit !(ns > 0) }
        ' "$folder/ncu.said"
}

if [ -z "$judge_only" ]; then
    [ -f "$folder/ncu.times" ] || echo cell,profile,kernels,us >"$folder/ncu.times"
    for id in $ids; do
        number=0
        while [ $number -lt "$profiles" ]; do
            if ! grep -q "^$id,$number," "$folder/ncu.times"; then
                command -v "$ncu" >/dev/null ||
                    die 2 "no $ncu (set NCU, or see --help)"
                line=$(profile "$id") || {
                    cat "$folder/ncu.said" >&2
                    die 2 "$ncu measured nothing of $id"
                }
                echo "$id,$number,$line" >>"$folder/ncu.times"
            fi
            number=$((number + 1))
        done
    done
    rm -f "$folder/ncu.said"
fi
[ -f "$folder/ncu.times" ] || die 2 "$folder/ncu.times: not measured"

# id, kernels, scanbench's median, ncu's median; longest first
both=$scratch/both
{
    "$scanbench" table "$folder" --format csv | awk -F, '
        { gsub(/"[^"]*"/, "text") }
        NR > 1 && $13 != "" {
            print $1 "/" $3 "/" $4 "/" $5 "x" $6 "x" $7, "scanbench", $13
        }'
    sed 1d "$folder/ncu.times" | awk -F, '{ print $1, "ncu", $4, $3 }'
} | sort -k 1,2 -k 3,3g | awk '
    function median(who, n) { n = count[who]
        return (us[who, int((n + 1) / 2)] + us[who, int(n / 2) + 1]) / 2 }
    function out() { if (count["scanbench"] && count["ncu"])
        print id, kernels, median("scanbench"), median("ncu") }
    $1 != id { out(); id = $1; split("", count) }
    { us[$2, ++count[$2]] = $3 }
    $2 == "ncu" { kernels = $4 }
    END { out() }' | sort -k 3,3gr >"$both"

apart='function apart() { return 100 * ($4 / $3 - 1) }
    function size(x) { return x < 0 ? -x : x } '
count() { # AWK-CONDITION
    awk "$apart $1"' { ++n } END { print n + 0 }' "$both"
}
worst=$(awk "$apart"'$3 > 50 && size(apart()) > size(w) { w = apart() }
    END { printf "%+.2f %%", w }' "$both")
long=$(count '$3 > 50') far=$(count '$3 > 50 && size(apart()) > 2')
below=$(awk '$3 <= 50 { print $4 - $3 }' "$both" | sort -g |
    awk '{ d[NR] = $1 } END {
        if (NR) printf "%+.2f to %+.2f us", d[1], d[NR]; else print "-" }')

heads
finding 'cells' 'at least 20' "$(count 1)" "$(is "$(count 1) >= 20")"
finding 'above 50 us: more than 2 % apart' 'none' "$(share "$far" "$long")" \
    "$(is "$long && !$far")"
finding 'the largest difference of these' 'within 2 %' "$worst" -
finding 'up to 50 us: ncu less scanbench' 'reported' "$below" -
echo
echo '| cell | kernels | scanbench, us | ncu, us | apart |'
echo '| --- | --- | --- | --- | --- |'
awk "$apart"'{ printf "| `%s` | %d | %.2f | %.2f | %+.2f %% |\n", \
    $1, $2, $3, $4, apart() }' "$both"
exit $missed
