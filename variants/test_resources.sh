#!/bin/sh
# SPDX-License-Identifier: MIT
#
# FOLDER CUDA_VERSION RULE...: what the compiler made of the fast kernels, from
# the reports that cuda/compile.sh keeps in FOLDER. A rule is
#   "fast FAMILY ACCESSES THREADS TAG" or "debt FAMILY WHAT TAG",
# as variants/meson.build explains. A debt that is none any more fails, too.
# 77: the rules were not written for this compiler or device.
set -u
folder=$1 version=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

case $version in
13.*) ;;
*) echo "the rules are for nvcc 13, this is $version"; exit 77 ;;
esac
printf '%s\n' "$@" >"$work/rules"
for family in $(awk '{ print $2 }' "$work/rules" | sort -u); do
    for report in "$folder/libvariants_${family%/*}"*.p/"${family#*/}.cu.csv"; do
        [ -f "$report" ] || { echo "FAILED: no report $report"; continue; }
        sed "1d; s|^|$family,|" "$report"
    done
done >"$work/kernels"
grep '^FAILED' "$work/kernels" && exit 1
grep -q ',sm_90,' "$work/kernels" || {
    echo 'the rules are for sm_90, which was not built'
    exit 77
}

LC_ALL=C awk '
    function bad(what) {
        for (d = 1; d <= debts; ++d)
            if (debt_family[d] == $1 && debt_what[d] == what &&
                tagged(debt_tag[d])) {
                ++owed[d]
                return
            }
        print "FAILED: " $1 ": " what ": " $0
        failed = 1
    }
    function tagged(tag) { return index("+" $14 "+", "+" tag "+") }
    # Threads that the registers of an SM, 64 Ki, are enough for.
    function room(registers, threads, each) {
        threads = threads ? threads : 1024
        each = int((registers + 7) / 8) * 8 * threads
        return int(65536 / each) * threads
    }
    FNR == NR && $1 == "debt" {
        debt_family[++debts] = $2
        debt_what[debts] = $3
        debt_tag[debts] = $4
    }
    FNR == NR && $1 == "fast" {
        rule_family[++rules] = $2
        accesses[rules] = $3
        least[rules] = $4
        rule_tag[rules] = $5
    }
    FNR == NR { next }
    $3 != "sm_90" { next }
    {
        built[$1] = 1
        for (rule = 1; rule <= rules; ++rule)
            if (rule_family[rule] == $1 && tagged(rule_tag[rule]))
                judge()
    }
    function judge() {
        ++judged[rule]
        if ($5 + $6 + $7 > 0)
            bad("spill")
        if (room($4, $9) < least[rule])
            bad("registers")
        # L: stores may have one vector more, that across the ends of rows.
        if (accesses[rule] ~ /[lL]/ &&
            ($10 == 0 || $10 + (accesses[rule] ~ /L/ ? 16 : 0) < $12))
            bad("narrow_load")
        # One vector more: the flags of a look-back.
        if (accesses[rule] ~ /s/ && $12 + 16 < $13 ||
            accesses[rule] ~ /o/ && $12 < 2 * $13 ||
            accesses[rule] ~ /[osS]/ && $12 == 0)
            bad("narrow_store")
    }
    END {
        for (rule = 1; rule <= rules; ++rule) {
            print rule_family[rule] ": " judged[rule] + 0 " kernels"
            if (built[rule_family[rule]] && !judged[rule]) {
                print "FAILED: no kernel has the tag " rule_tag[rule]
                failed = 1
            }
        }
        for (d = 1; d <= debts; ++d) {
            print "owed: " debt_family[d] ": " debt_what[d] ": " owed[d] + 0 \
                " kernels"
            if (built[debt_family[d]] && !owed[d]) {
                print "FAILED: paid: take the debt out of variants/meson.build"
                failed = 1
            }
        }
        exit failed
    }' "$work/rules" FS=, "$work/kernels"
