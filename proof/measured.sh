#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Prints what `which` expects of a GPU (results/best/measured/GPU.csv, which
# src/choose/measured.h reads): its facts, its ceilings, the cells of best by whether
# rules know the shapes, and those of torch by whether it compiles:
#
#   measured.sh RESULTS h100|h200      RESULTS is unpacked
#
# SCANBENCH names the program.
set -u
. "$(dirname "$0")/lib.sh"
need_scanbench
SCANBENCH=$(realpath "$scanbench") || exit 2
case $#${2-} in
2h100) unseen='random operators' known=default torch=frameworks ;;
2h200)
    unseen='random operators/held_out operators/held_out_integers' known='default headline'
    torch='frameworks operators/frameworks operators/jax_cupy'
    ;;
*)
    sed -n 's/^# \{0,1\}//; 4,10p' "$0" >&2
    exit 2
    ;;
esac
cd "$1/$2" || exit 2

cells() { # SET VARIANT RUN...: the variant's cells that have a time
    set=$1 variant=$2
    shift 2
    "$SCANBENCH" regret --variant "$variant" --cells "$@" |
        awk -F, -v OFS=, -v set="$set" '
            NR > 1 && $10 ~ /^[0-9]/ && $10 + 0 > 0 && $11 != "" {
                print set, $1, $2, $3, $4, $5, $10, $11, $15 == "" ? "nan" : $15, $12 }'
}
awk -F, -v OFS=, '
    { fact[$1] = $2 }
    END { print "gpu", fact["device_name"], fact["compute_capability"],
              fact["sm_count"], fact["attribute_peak_gbps"] }' default/manifest.csv
# shellcheck disable=SC2046,SC2086 # words, here and below
awk -F, '
    $1 == "traffic" && $4 == "cold" && $10 == 0 && $11 == "start" &&
        !seen[$2, $3, $5]++ {
        printf "ceiling,%s,%s,1,%s,1,%.6g,100,0,%s\n", $2, $3, $5, $6 / $7 / 1e3, $9
    }' $(find $known $unseen -name ceilings.csv | sort)
# shellcheck disable=SC2086
{
    cells unseen best $unseen
    cells known best $known
    cells torch_eager torch_eager $torch
    cells torch_eager torch_eager_with_indices $torch 2>"$scratch/none"
    cells torch_compile torch_compile $torch
}
