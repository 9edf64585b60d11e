#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: on the host every variant with a planted bug is caught, and
# by what docs/verification.md says.
set -u
scanbench=$(realpath "$1") page=$(realpath "$2/docs/verification.md")
# shellcheck source=src/base/test.sh
. "$2/src/base/test.sh"

# What caught each, in the page's words, from `check`'s messages.
caught() {
    sed -n 's|^\([a-z]*\): [a-z_]*/\([a-z_]*\)/[^ ]*: |\1 \2 |p' err | awk '{
        name = $2
        what = $1 ~ /^timeout$/ ? $1 : "status"
        if (/ the worker /) what = "worker"
        else if (/ wrote to its input /) what = "input"
        else if (/ wrote (before|past) /) what = "guards"
        else if (/ an infinity and a NaN/ || / spreads a NaN /) what = "nonfinite"
        else if (/ exact input:/) what = "exact"
        else if (/ special input:/) what = "special"
        else if (/ input of any bits:/) what = "bits"
        else if (/ real input:/) what = "real"
        else if (/ second launch:/) what = "edition"
        else if (/ launch [0-9]* of [0-9]* gave /) what = "`--repeat`"
        print name, what
    }' | sort
}

listed() {
    awk -F ' *[|] *' '/^## / { inside = /^## broken/ }
        inside && $4 ~ /^(both|host|ranks)$/ && $5 != "none" { print $2, $5 }' "$page" |
        sort
}

"$scanbench" check -q --broken --must-fail --device host --family broken \
    --timeout 5 >out 2>err
ok 'all are caught' test $? -eq 0
[ "$failed" -eq 0 ] || cat out err
caught >found
listed >wanted
ok 'by what the page (<) says' diff wanted found
tally
