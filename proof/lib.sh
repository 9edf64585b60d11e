# SPDX-License-Identifier: MIT
#
# Functions of the proofs, each of which sources this file. A proof measures into its
# own folder under RESULTS, unless it is complete, and then judges the CSVs, which needs
# no GPU. proof/compare_rates.c judges compare.
#
# Exit status: 0 all is met, 1 something is missed, 2 usage or a failed run, 77 no
# usable GPU, 130 interrupted.
#
# shellcheck shell=sh disable=SC2034

LC_ALL=C
export LC_ALL

here=$(cd "$(dirname "$0")" && pwd) || exit 2
scanbench=${SCANBENCH:-$here/../build/cli/scanbench}
rates=${COMPARE_RATES:-$here/../build/proof/compare_rates}
device=cuda:0
judge_only='' plan='' missed=0

die() { # STATUS WORDS...
    status=$1
    shift
    echo "$(basename "$0" .sh): $*" >&2
    exit "$status"
}

usage() {
    cat <<'END'
PROOF.sh [--device D] [--judge] RESULTS [-- WORDS]
  --device D   cuda:0 (default), cuda:N or host
  --judge      judge the CSVs in RESULTS, without measuring
  RESULTS      folder for the CSVs, such as results/h200/proof
  WORDS        options of `scanbench run` instead of the proof's own
END
    own_usage
    cat <<'END'
SCANBENCH and COMPARE_RATES name the programs (default: in build/cli and
build/proof). An interrupted proof continues when called again.
END
}

# Sets device, judge_only, results and plan. Options of a single proof go to its
# own_option NAME VALUE; own_usage prints their help.
parse() {
    results=''
    while [ $# -gt 0 ]; do
        case $1 in
        -h | --help) usage && exit 0 ;;
        --judge) judge_only=1 ;;
        --) shift && plan=$* && break ;;
        --device) [ $# -gt 1 ] || die 2 "$1 needs a value"
            device=$2 && shift ;;
        --*) [ $# -gt 1 ] || die 2 "$1 needs a value, or is no option"
            own_option "$1" "$2" || die 2 "unknown option $1 (see --help)"
            shift ;;
        *) [ -z "$results" ] || die 2 "one folder only (see --help)"
            results=$1 ;;
        esac
        shift
    done
    [ -n "$results" ] || die 2 "name a folder for the CSVs (see --help)"
    need_scanbench
}

need_scanbench() {
    [ -x "$scanbench" ] || die 2 "no $scanbench: build it, or set SCANBENCH"
}

own_option() {
    return 1
}

own_usage() {
    :
}

# FOLDER WORDS...: makes or resumes a run. A failed variant (status 1) has its row, and
# does not end a proof.
measure() {
    to=$1
    shift
    [ -z "$judge_only" ] || die 2 "$to: not measured"
    if [ -f "$to/manifest.csv" ]; then
        set -- --resume "$to" "$@"
    else
        set -- -o "$to" "$@"
    fi
    "$scanbench" run "$@" --device "$device" -q >/dev/null
    status=$?
    [ $status -le 1 ] || die $status "the run into $to ended with $status"
}

fact() { # FOLDER KEY: prints its value in the manifest
    sed -n "s/^$2,//p" "$1/manifest.csv"
}

is_complete() { # FOLDER
    [ -f "$1/manifest.csv" ] && [ "$(fact "$1" complete)" = 1 ]
}

# FOLDER: prints it, or the newest set of FOLDER.tar.xz, unpacked into $scratch.
unpacked() {
    if [ -d "$1" ] || ! [ -f "$1.tar.xz" ]; then
        echo "$1"
        return
    fi
    tar -xJf "$1.tar.xz" -C "$scratch" ||
        die 2 "$1.tar.xz: cannot be unpacked"
    grep '^utc,' "$scratch/${1##*/}"/*/a/manifest.csv | sort -t , -k 2 |
        tail -n 1 | sed 's|/a/manifest.csv:utc,.*||'
}
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

# ---- findings: rows of a Markdown table

heads() {
    echo '| what | wanted | found | |'
    echo '| --- | --- | --- | --- |'
}

# WHAT WANTED FOUND IS_MET, which is 1, 0, or - for reported figures.
finding() {
    case $4 in
    1) met=met ;;
    0) met='**missed**' missed=1 ;;
    *) met='' ;;
    esac
    echo "| $1 | $2 | $3 | $met |"
}

# AWK EXPRESSION: 1 or 0
is() {
    awk "BEGIN { print(($1) ? 1 : 0) }"
}

# PART OF: "12 of 48, 25.00 %"
share() {
    awk -v part="$1" -v of="$2" 'BEGIN {
        printf "%d of %d, %.2f %%", part, of, 100 * part / (of ? of : 1) }'
}
