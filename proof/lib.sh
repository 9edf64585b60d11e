# SPDX-License-Identifier: MIT
#
# What the proofs share; each sources this file. A proof measures into a folder
# of its own under RESULTS, unless it has been measured already, and then judges
# the CSVs that lie there, which needs no GPU: proof/compare_rates.c where
# compare is in question.
#
# Exit status: 0 all is met, 1 something is missed, 2 usage or a run that
# failed, 77 no usable GPU, 130 interrupted.
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
  --judge      only judge what lies in RESULTS, measure nothing
  RESULTS      folder for the CSVs, such as results/h200/proof
  WORDS        for `scanbench run`, instead of the proof's own plan
END
    own_usage
    cat <<'END'
SCANBENCH and COMPARE_RATES name the programs (in build/harness and
build/proof). A proof that was cut short goes on where it was when called again.
END
}

# Sets device, judge_only, results, and plan if words for it were given. An
# option that only one proof knows goes to own_option NAME VALUE, and is explained
# by own_usage.
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
    [ -x "$scanbench" ] || die 2 "no $scanbench: build it, or set SCANBENCH"
}

own_option() {
    return 1
}

own_usage() {
    :
}

# FOLDER WORDS...: a run into it, or what is missing of one that is there. A
# variant that fails (status 1) has its row, and does not end a proof.
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

fact() { # FOLDER KEY: its value in the manifest
    sed -n "s/^$2,//p" "$1/manifest.csv"
}

is_complete() { # FOLDER
    [ -f "$1/manifest.csv" ] && [ "$(fact "$1" complete)" = 1 ]
}

# FOLDER: it, or of the sets that FOLDER.tar.xz holds the one measured last, in a
# place that goes with the script.
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

# ---- findings: rows of a Markdown table, which are easy to read as they are

heads() {
    echo '| what | wanted | found | |'
    echo '| --- | --- | --- | --- |'
}

# WHAT WANTED FOUND IS_MET: IS_MET is 1, 0, or - for what is only reported.
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
