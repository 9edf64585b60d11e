#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE FILE...: the files that variants/meson.build lists are those that lie
# in variants/ and those that variants/README.md describes, one row each; their
# headers have the six fields; every Against names one of them; every link of
# our pages leads somewhere.
set -u
cd "$1" || exit 2
shift
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

same() { # WHERE: the lines of $work/there are the files listed, once each
    sort "$work/there" | diff "$work/listed" - >"$work/diff" ||
        fail "variants/meson.build (<) and $1 (>): $(grep '^[<>]' "$work/diff")"
}

printf '%s\n' "$@" | sort >"$work/listed"

# ---- what there is
(cd variants && printf '%s\n' */*.cu */*.c | grep -v '^ranks/') >"$work/there"
same 'the files there are'

# ---- what is described: [name](file) under "## folder"; for broken/ the bug
# and on which devices it is planted
awk -F ' *[|] *' '
    /^## / { folder = substr($0, 4); sub(/:.*/, "", folder) }
    folder == "broken" && $4 ~ /both|GPU/ { print "broken/" $2 ".cu" }
    folder == "broken" && $4 ~ /ranks/ { print "broken/" $2 ".c" }
    folder == "broken" && $4 ~ /both|host/ { print "broken/host_" $2 ".c" }
    match($2, /^\[.*\]\(.*\)$/) {
        name = link = $2
        sub(/^\[/, "", name); sub(/\].*/, "", name)
        sub(/.*\(/, "", link); sub(/\)$/, "", link)
        print (index(link, folder "/" name ".") == 1 ? link : \
            folder ": [" name "](" link ")")
    }' variants/README.md >"$work/there"
same 'variants/README.md'

# ---- the headers, and the ladder
fields() { # FILE: what its first comment says of itself, in order
    sed '/\*\//q' "$1" | sed -n 's/^ \* \([A-Z][a-z]*\)  .*/\1/p' | tr '\n' ' '
}
for file; do
    case $file in broken/*) continue ;; esac
    found=$(fields "variants/$file")
    [ "$found" = 'Idea Against Traffic Needs Source Lesson ' ] ||
        fail "variants/$file: its header has the fields $found"
    against=$(sed -n 's/^ \* Against  *\([A-Za-z0-9_]*\).*/\1/p' \
        "variants/$file")
    case $against in
    none | nothing) ;;
    *) grep -q "/$against\.cu*$" "$work/listed" ||
        fail "variants/$file: Against '$against': no such variant" ;;
    esac
done

# ---- the links
slugs() { # PAGE: the anchors of its headings
    sed -n 's/^#\{1,\} //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}
for page in *.md */README.md docs/*.md; do
    awk '/^```/ { code = !code } !code' "$page" |
        grep -o '](\(#\|[a-zA-Z0-9._]\)[^):]*)' |
        sed 's/^](//; s/)$//' | sort -u >"$work/links"
    while IFS='#' read -r path anchor; do
        to=$page
        [ -z "$path" ] || to=$(dirname "$page")/$path
        if ! [ -e "$to" ]; then
            fail "$page: no such file: $path"
        elif [ -n "$anchor" ] && ! slugs "$to" | grep -qx "$anchor"; then
            fail "$page: $path has no heading #$anchor"
        fi
    done <"$work/links"
done

exit $failed
