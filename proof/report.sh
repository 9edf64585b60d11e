#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What the committed CSVs prove, as Markdown, so that no figure is ever typed:
#
#   report.sh RESULTS                print it; RESULTS holds one folder per device
#   report.sh RESULTS --write PAGE   put it between the page's markers
#   report.sh RESULTS --check PAGE   is it there, word for word? (status 0, 1)
#
# Needs no GPU. SCANBENCH and COMPARE_RATES name the programs, as in lib.sh.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 2
[ $# -eq 1 ] || [ $# -eq 3 ] || {
    sed -n 's/^# \{0,1\}//p' "$0" | sed 1,2d | sed -n 1,7p >&2
    exit 2
}
# shellcheck source=proof/markdown.sh
. "$here/markdown.sh"
results=$1 action=${2:-} page=${3:-}
[ -d "$results" ] || {
    echo "report.sh: no such folder: $results" >&2
    exit 2
}
# shellcheck source=proof/lib.sh
. "$here/lib.sh"
work=$scratch

fact() { # FOLDER KEY, unquoted
    sed -n "s/^$2,//p" "$1/manifest.csv" | tr -d '"'
}

# TITLE SCRIPT FOLDER RUN: RUN, in FOLDER, has the manifest
proof() {
    title=$1 script=$2 folder=$3 run=$4
    printf '\n**%s** (%s)\n\n' "$title" "$(printf %s \
        "proof/$script.sh results/${folder#"$results"/}" | markdown code)"
    if ! [ -f "$run/manifest.csv" ] || [ -z "$(fact "$run" timed_s)" ]; then
        echo 'Not measured yet.'
        return
    fi
    "$here/$script.sh" --judge "$folder" >"$work/judged"
    [ $? -le 1 ] || return 2
    # rows with a verdict alone; the script prints the others, too
    grep -E '^[|] (what|---) |[|] (met|[*]{2}missed[*]{2}) [|]$' "$work/judged"
    printf '\nCommit %s, driver %s, %s.\n' \
        "$(fact "$run" commit | markdown code)" \
        "$(fact "$run" driver | markdown text)" \
        "$(fact "$run" utc | markdown text)"
}

device() { # FOLDER
    set -- "$1" "$1/proof" "$(unpacked "$1/proof/aa")/a"
    [ -f "$3/manifest.csv" ] || set -- "$1" "$2" "$3/1"
    printf '\n### %s\n' "$(for csv in "$2"/*/manifest.csv "$3/manifest.csv"
        do [ -f "$csv" ] && fact "$(dirname "$csv")" device_name
        done | sed 1q | markdown text)"
    proof 'The same code twice is the same' aa "$2" "$3" &&
        proof 'Three per cent is seen' sensitivity "$2" "$2/sensitivity" &&
        proof 'Another instrument says the same' agreement "$2" \
            "$2/agreement" &&
        proof 'The ceiling is the same in every process' repeat "$2" "$2/repeat" &&
        proof 'What the instrument itself costs' cost "$1/default" \
            "$1/default"
}

# The lines of random_check.sh: fields that hold commas come before the grid.
random_shapes() { # FILE
    printf '\n**No variant is wrong at random shapes** (%s)\n\n' "$(printf %s \
        "proof/random_check.sh results/${1#"$results"/}" | markdown code)"
    sed 1d "$1" | awk -F , '$(NF - 5) ~ /^random(_small)?:[0-9]+:[0-9]+$/ {
        split($(NF - 5), grid, ":")
        shapes[grid[1]] += seen[$(NF - 5)]++ ? grid[3] : 0
        passed[grid[1]] += $(NF - 3)
        failed[grid[1]] += $(NF - 2)
    } END {
        print "| grid | shapes both aligned and not | checks passed | failed |"
        print "| --- | --- | --- | --- |"
        for (name in shapes)
            printf "| %s | %d | %d | %d |\n", name, shapes[name], passed[name],
                failed[name] | "sort"
    }'
    printf '\nA check is a variant, an operation, a type, a shape and an alignment. Commit %s.\n' \
        "$(sed 1d "$1" | cut -d , -f 1 | uniq | paste -sd ' ' - | markdown code)"
}

any=''
for folder in "$results"/*/proof; do
    [ -d "$folder" ] || continue
    any=1
    device "${folder%/proof}" >>"$work/report" || exit 2
done
folder=''
for csv in "$results"/*/random_check*.csv; do
    [ -f "$csv" ] || continue
    any=1
    {
        [ "${csv%/*}" = "$folder" ] || printf '\n### %s\n' \
            "$(basename "${csv%/*}" | markdown text)"
        folder=${csv%/*}
        random_shapes "$csv"
    } >>"$work/report" || exit 2
done
[ -n "$any" ] || printf '\nNo set has been measured yet.\n' >"$work/report"
echo >>"$work/report"

publish proof "$work/report" "$action" "$page"
