#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Prints the findings of the committed CSVs as Markdown:
#
#   report.sh RESULTS                print them; RESULTS has one folder per device
#   report.sh RESULTS --write PAGE   write them between the markers of PAGE
#   report.sh RESULTS --check PAGE   compare PAGE with them (status 0, 1)
#
# Needs no GPU. SCANBENCH and COMPARE_RATES name the programs, as in lib.sh.
set -u
# shellcheck source=proof/markdown.sh
. "$(dirname "$0")/markdown.sh"
[ -d "$results" ] || die 2 "no such folder: $results"

fact() { # FOLDER KEY, unquoted
    sed -n "s/^$2,//p" "$1/manifest.csv" | tr -d '"'
}

behind() { # FIRST OTHERS: prepends a cell to the rows of stdin
    first=$1 others=$2 awk '{
        print "| " ENVIRON[NR == 1 ? "first" : "others"] $0 }'
}

# SCRIPT FOLDER RUN: prints the rows with a verdict; RUN in FOLDER has the manifest.
proof() {
    if ! [ -f "$3/manifest.csv" ] || [ -z "$(fact "$3" timed_s)" ]; then
        echo "| \`$1\` | not measured yet | | | |"
        return
    fi
    "$here/$1.sh" --judge "$2" >"$work/judged"
    [ $? -le 1 ] || return 2
    grep -E '[|] (met|[*]{2}missed[*]{2}) [|]$' "$work/judged" |
        behind "\`$1\`, $(fact "$3" commit | markdown code) " ''
}

device() { # FOLDER
    set -- "$1" "$1/proof" "$(unpacked "$1/proof/aa")/a"
    [ -f "$3/manifest.csv" ] || set -- "$1" "$2" "$3/1"
    printf '\n### %s\n\n' "$(for csv in "$2"/*/manifest.csv "$3/manifest.csv"
        do [ -f "$csv" ] && fact "$(dirname "$csv")" device_name
        done | sed 1q | markdown text)"
    echo '| proof, commit | what | wanted | found | |'
    echo '| --- | --- | --- | --- | --- |'
    proof aa "$2" "$3" && proof sensitivity "$2" "$2/sensitivity" &&
        proof agreement "$2" "$2/agreement" && proof repeat "$2" "$2/repeat" &&
        proof cost "$1/default" "$1/default"
}

# FILE of random_check.sh, in which fields before the grid may contain commas.
random_shapes() { # FILE
    device=$(basename "${1%/*}" | markdown text)
    commits=$(sed 1d "$1" | cut -d , -f 1 | uniq | paste -sd ' ' - | markdown code)
    sed 1d "$1" | awk -F , '$(NF - 5) ~ /^random(_small)?:[0-9]+:[0-9]+$/ {
        split($(NF - 5), grid, ":")
        shapes[grid[1]] += seen[$(NF - 5)]++ ? grid[3] : 0
        passed[grid[1]] += $(NF - 3)
        failed[grid[1]] += $(NF - 2)
    } END {
        for (name in shapes)
            printf "| %s | %d | %d | %d |\n", name, shapes[name], passed[name],
                failed[name] | "sort"
    }' | behind "$device, $commits " "$device, $commits "
}

any=''
for folder in "$results"/*/proof; do
    [ -d "$folder" ] || continue
    any=1
    device "${folder%/proof}" >>"$work/report" || exit 2
done
heading='
### Random shapes

| device, commit | grid | shapes both aligned and not | checks passed | failed |
| --- | --- | --- | --- | --- |'
for csv in "$results"/*/random_check*.csv; do
    [ -f "$csv" ] || continue
    any=1
    [ -z "$heading" ] || echo "$heading" >>"$work/report"
    heading=''
    random_shapes "$csv" >>"$work/report" || exit 2
done
[ -n "$any" ] || printf '\nNo set has been measured yet.\n' >"$work/report"
echo >>"$work/report"

publish proof "$work/report" "$action" "$page"
