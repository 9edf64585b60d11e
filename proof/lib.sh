# SPDX-License-Identifier: MIT
#
# What the proofs share; each sources this file. A proof measures into a folder
# of its own under RESULTS, unless it has been measured already, and then judges
# the CSVs that lie there, which needs no GPU.
#
# Exit status: 0 all is met, 1 something is missed, 2 usage or a run that
# failed, 77 no usable GPU, 130 interrupted.
#
# shellcheck shell=sh disable=SC2034

here=$(cd "$(dirname "$0")" && pwd) || exit 2
scanbench=${SCANBENCH:-$here/../build/harness/scanbench}
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
SCANBENCH names the program (build/harness/scanbench). A proof that was cut
short goes on where it was when called again.
END
}

# Sets device, judge_only, results, and plan if words for it were given. An
# option that only one proof knows goes to own_option NAME VALUE, and is told of
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

set_fact() { # FOLDER KEY VALUE
    awk -F, -v key="$2" -v value="$3" '
        $1 == key { print key "," value; done = 1; next }
        { print }
        END { if (!done) print key "," value }' "$1/manifest.csv" \
        >"$1/manifest.new" && mv "$1/manifest.new" "$1/manifest.csv"
}

# FROM TO COMMAND...: copies a run's CSVs (not the manifest) from one folder to
# the end of those in another, through a filter that gets the data lines.
# Fields up to the one in question hold no comma.
append_csvs() {
    from=$1 to=$2
    shift 2
    for csv in "$from"/*.csv; do
        name=${csv##*/}
        [ "$name" != manifest.csv ] || continue
        [ -f "$to/$name" ] || sed 1q "$csv" >"$to/$name"
        "$@" <"$csv" >>"$to/$name" || die 2 "cannot write $to/$name"
    done
}

renumber() { # LAUNCH
    awk -F, -v OFS=, -v launch="$1" '
        NR == 1 { for (f = 1; f <= NF; ++f) if ($f == "process") at = f; next }
        { $at = launch; print }'
}

# TO RUN...: makes runs of one launch each the launches 0, 1, ... of one run.
join_launches() {
    joined=$1 to=$1.part # or who comes next would judge half a run
    shift
    rm -rf "$to" "$joined"
    mkdir -p "$to" && cp "$1/manifest.csv" "$to" || exit 2
    launch=0 seeds='' longest=0
    for run; do
        append_csvs "$run" "$to" renumber $launch
        launch=$((launch + 1))
        seeds="$seeds${seeds:+ }$(fact "$run" seed)"
        # The wall_s of a run that was resumed is only its last part's.
        [ "$(fact "$run" resumed)" -gt 0 ] 2>/dev/null ||
            longest=$(echo "$longest $(fact "$run" wall_s)" |
                awk '{ print($1 > $2 ? $1 : $2) }')
    done
    set_fact "$to" processes $launch
    set_fact "$to" seed "$seeds"
    set_fact "$to" longest_launch_s "$longest"
    mv "$to" "$joined" || exit 2
}

# ---- findings: rows of a Markdown table, which are easy to read as they are

heads() {
    echo '| what | wanted | found | |'
    echo '| --- | --- | --- | --- |'
}

# WHAT WANTED FOUND IS_MET: IS_MET is 1, 0, or - for what is only told.
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

# BASE NEW FILE [WORDS]: all pairs as CSV into FILE
compare() {
    base=$1 new=$2 file=$3
    shift 3
    "$scanbench" compare "$base" "$new" --all --format csv --fail-on never \
        "$@" >"$file" || die 2 "compare $base $new failed"
}

# The A/A floor that the proof aa found in the same folder, or nothing.
aa_floor() {
    "$scanbench" compare --aa "$results/aa/a" "$results/aa/b" 2>/dev/null |
        sed -n 's/^aa_floor_pct,//p'
}

# FILE AWK-CONDITION AWK-WHAT [AWK-END]: awk over the pairs that are timed on
# one side at least, whose fields go by name as $f["ratio"].
over_pairs() {
    awk -F, '{ gsub(/"[^"]*"/, "text") }
        NR == 1 { for (k = 1; k <= NF; ++k) f[$k] = k; next }
        $f["base_us"] == "" && $f["new_us"] == "" { next }
        '"$2 { $3 }"' END { '"${4:-}"' }' "$1"
}

count_pairs() { # FILE AWK-CONDITION
    over_pairs "$1" "$2" '++n' 'print n + 0'
}
