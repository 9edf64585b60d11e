#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Makes the Markdown index of the published sets, from their manifests and the file
# QUESTION in the set or a folder above it, one line with the purpose:
#
#   index.sh RESULTS                print the index; RESULTS has a folder per device
#   index.sh RESULTS --write PAGE   write it between the markers of PAGE
#   index.sh RESULTS --check PAGE   compare PAGE with it (status 0, 1)
#
# --check also fails for a set without a question, and for one from a tree with
# uncommitted changes that is not in RESULTS/DIRTY (lines "SET: reason", where SET may
# be a pattern; the index includes them). A set is a folder with a manifest that git
# tracks; without git, any folder that is not named like a run. Sets of one QUESTION
# share a row. The question of NAME.tar.xz is in NAME.QUESTION beside it.
set -u
# shellcheck source=proof/markdown.sh
. "$(dirname "$0")/markdown.sh"
cd "$results" || exit 2

tab=$(printf '\t')
find . -name '*.tar.xz' | sed 's|^\./||' >"$work/archives"
while read -r archive; do
    mkdir -p "$work/in/$archive" && tar -xJf "$archive" -C "$work/in/$archive" || exit 2
done <"$work/archives"
git ls-files '*/manifest.csv' 2>/dev/null >"$work/here"
[ -s "$work/here" ] || find . -name manifest.csv ! -path '*/[0-9]*T*Z-*/*' |
    sed 's|^\./||' >"$work/here"

# Prints every set, a tab and its folder; sets in archives have their unpacked names.
sets() {
    sed 's|/manifest.csv$||; s|.*|&	./&|' "$work/here"
    while read -r archive; do
        (cd "$work/in/$archive" && find . -name manifest.csv) |
            sed "s|^\./\(.*\)/manifest.csv$|${archive%/*}/\1\t$work/in/$archive/\1|"
    done <"$work/archives"
}

facts() { # FOLDER KEY: the distinct values in its manifests, one per line
    find "$1" -name manifest.csv -exec sed -n "s/^$2,//p" {} + | sort -u
}

joined() { # SEPARATOR: joins lines
    paste -s -d "$tab" - | sed "s/$tab/$1/g"
}

# Reads sets, and prints for each the nearest folder with a QUESTION.
asked() {
    while read -r set; do
        folder=$set
        while ! [ -f "$folder/QUESTION" ] && [ "$folder" != "${folder%/*}" ]; do
            folder=${folder%/*}
        done
        [ -f "$folder/QUESTION" ] || folder=$set
        echo "$folder"
    done
}

index() {
    echo '| set | question | commit | date |'
    echo '| --- | --- | --- | --- |'
    sed 's|/manifest.csv$||' "$work/here" | asked | cat - "$work/archives" |
        sort -u | while read -r set; do
        case $set in
        *.tar.xz) question=${set%.tar.xz}.QUESTION folder=$work/in/$set ;;
        *) question=$set/QUESTION folder=./$set ;;
        esac
        [ -f "$question" ] || echo "$set" >>"$work/lacking"
        printf '| %s | %s | %s | %s |\n' \
            "$(printf %s "$set" | markdown code)" \
            "$(head -n 1 "./$question" 2>/dev/null | markdown text)" \
            "$(facts "$folder" commit | joined ' ' | markdown code)" \
            "$(facts "$folder" utc | sed 's/^\(....\)\(..\)\(..\)T.*/\1-\2-\3/' |
                sed -n '1p; $p' | uniq | joined ' to ' | markdown text)"
    done
    [ -s DIRTY ] || return 0
    printf '\nMeasured from a tree with uncommitted changes:\n\n'
    sed 's/^\([^:]*\): /- `\1`: /' DIRTY
}

# Fails unless DIRTY lists exactly the sets with uncommitted changes.
check_dirty() {
    sed -n 's/: .*//p' DIRTY 2>/dev/null >"$work/patterns"
    sets | while IFS=$tab read -r set folder; do
        case $(facts "$folder" commit)/$(facts "$folder" dirty) in
        *-dirty/* | */1) ;;
        *) continue ;;
        esac
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
publish index "$work/index" "$action" "$page" || exit
[ "$action" = --check ] || exit 0
if [ -s "$work/lacking" ]; then
    sed 's/^/FAILED: no QUESTION for /' "$work/lacking"
    exit 1
fi
check_dirty
