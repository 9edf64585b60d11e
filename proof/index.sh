#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The index of the published sets, as Markdown, from each set's manifest and
# its file QUESTION, one line that says why it was measured:
#
#   index.sh RESULTS                print it; RESULTS holds a folder per device
#   index.sh RESULTS --write PAGE   put it between the page's markers
#   index.sh RESULTS --check PAGE   is it there, word for word? (status 0, 1)
#
# --check also fails for a published set without a question, for one measured
# from a tree with uncommitted changes, unless RESULTS/DIRTY has it ("SET:
# reason", a line each, where SET may be a pattern; the index has these, too).
# A set is a folder with a manifest that git tracks (without git, any folder but
# runs of one's own, which are named after their moment), or one in a device's
# fit.tar.xz.
set -u
[ $# -eq 1 ] || { [ $# -eq 3 ] && [ -f "$3" ]; } || {
    sed -n 's/^# \{0,1\}//p' "$0" | sed -n 5,7p >&2
    exit 2
}
# shellcheck source=proof/markdown.sh
. "$(dirname "$0")/markdown.sh"
results=$1 action=${2:-} page=${3:+$(realpath "$3")}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$results" || exit 2

for archive in */fit.tar.xz; do
    [ ! -f "$archive" ] || { mkdir -p "$work/${archive%/*}" &&
        tar -xJf "$archive" -C "$work/${archive%/*}"; } || exit 2
done

sets() {
    git ls-files '*/manifest.csv' 2>/dev/null >"$work/tracked"
    if [ -s "$work/tracked" ]; then
        cat "$work/tracked"
    else
        find . -name manifest.csv ! -path '*/[0-9]*T*Z-*/*' | sed 's|^\./||'
    fi >"$work/here"
    (cd "$work" && find . -name manifest.csv | sed 's|^\./||') |
        cat - "$work/here" | sed 's|/manifest.csv$||' | LC_ALL=C sort
}

at() { # SET: its folder; a name may begin with -
    if [ -d "$work/$1" ]; then echo "$work/$1"; else echo "./$1"; fi
}

fact() { # SET KEY
    sed -n "s/^$2,//p" "$(at "$1")/manifest.csv"
}

day() { # 20260131T120000Z
    printf '%s\n' "$1" | sed 's/^\(....\)\(..\)\(..\)T.*/\1-\2-\3/'
}

index() {
    echo '| set | question | commit | card | date |'
    echo '| --- | --- | --- | --- | --- |'
    sets | while read -r set; do
        [ -f "$(at "$set")/QUESTION" ] || echo "$set" >>"$work/lacking"
        printf '| %s | %s | %s | %s %s | %s |\n' \
            "$(printf %s "$set" | markdown code)" \
            "$(head -n 1 "$(at "$set")/QUESTION" 2>/dev/null | markdown text)" \
            "$(fact "$set" commit | markdown code)" \
            "$(fact "$set" device_name | markdown text)" \
            "$(fact "$set" gpu_hash | cut -c 1-4 | markdown code)" \
            "$(day "$(fact "$set" utc)" | markdown text)"
    done
    [ -s DIRTY ] || return 0
    printf '\nMeasured from a tree with uncommitted changes:\n\n'
    sed 's/^\([^:]*\): /- `\1`: /' DIRTY
}

is_dirty() { # SET
    case $(fact "$1" commit)/$(fact "$1" dirty) in
    *-dirty/* | */1) ;;
    *) return 1 ;;
    esac
}

# Sets of such a tree are in DIRTY, and nothing else is.
check_dirty() {
    sed -n 's/: .*//p' DIRTY 2>/dev/null >"$work/patterns"
    sets | while read -r set; do
        is_dirty "$set" || continue
        known=''
        while read -r pattern; do
            # shellcheck disable=SC2254 # a pattern
            case $set in
            $pattern) known=1 && echo "$pattern" >>"$work/met" ;;
            esac
        done <"$work/patterns"
        [ "$known" ] || echo "FAILED: $set: measured from a tree with" \
            "uncommitted changes: measure it again" >>"$work/dirty"
    done
    touch "$work/met"
    grep -vxF -f "$work/met" "$work/patterns" | sed \
        's/.*/FAILED: DIRTY: no set of uncommitted changes is &/' >>"$work/dirty"
    cat "$work/dirty"
    [ ! -s "$work/dirty" ]
}

index >"$work/index"
case $action in
'') cat "$work/index" ;;
--write)
    sed '/^<!-- index -->$/,/^<!-- \/index -->$/{
        /^<!-- index -->$/{
            p
            r '"$work/index"'
        }
        /^<!-- \/index -->$/!d
    }' "$page" >"$work/page" && cat "$work/page" >"$page"
    ;;
--check)
    sed -n '/^<!-- index -->$/,/^<!-- \/index -->$/p' "$page" | sed '1d;$d' |
        diff - "$work/index" || {
        echo "FAILED: $page (<) is not what the sets say (>);" \
            "to mend it: proof/index.sh RESULTS --write PAGE"
        exit 1
    }
    if [ -s "$work/lacking" ]; then
        sed 's/^/FAILED: no file QUESTION in /' "$work/lacking"
        exit 1
    fi
    check_dirty || exit 1
    ;;
*)
    echo "index.sh: unknown option '$action'" >&2
    exit 2
    ;;
esac
