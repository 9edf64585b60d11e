#!/bin/sh
# SPDX-License-Identifier: MIT
#
# FOLDER LIMIT: prints how many kernels each library of variants has, from the
# reports that cuda/compile.sh keeps in FOLDER, and fails if scans and reductions
# have none, or more than LIMIT: there, kernels are templates over operators and
# types. A kernel counts once for all architectures. Kernels that only tests run do
# not count.
set -u
folder=$1 limit=$2

for report in "$folder"/libvariants_*.p/*.cu.csv; do
    library=${report#"$folder"/libvariants_}
    library=${library%%.*}
    case $library in broken | delayed | older) continue ;; esac
    sed "1d; s|,.*||; s|^|$library $(basename "$report") |" "$report"
done | LC_ALL=C sort -u | LC_ALL=C awk -v limit="$limit" '
    { ++count[$1] }
    $1 ~ /^(scan_|reduce_|others$)/ { ++limited }
    END {
        for (library in count)
            print library ": " count[library] | "sort"
        close("sort")
        print NR " kernels, " limited + 0 " of scans and reductions: at most " limit
        if (limited > limit)
            print "FAILED: leave out points, or raise the limit in variants/meson.build"
        exit !(limited && limited <= limit)
    }'
