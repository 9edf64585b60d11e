#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE DEVICE SECONDS: every variant with a planted bug is caught
# there, and by what docs/verification.md says; those without one pass. SECONDS:
# the longest a launch may take, the driver's compiler included. 77: no such
# device.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2") device=$3
page=$source/docs/verification.md
limit=$4
# shellcheck source=src/base/test.sh
. "$2/src/base/test.sh"

caught() {
    awk -f "$source/tests/caught.awk" err | sort
}

# Prints the rows whose cell matches; some depend on the moment: "exact or special".
column() { # PATTERN: NAME|WORDS
    awk -F ' *[|] *' -v column="$([ "$device" = host ] && echo 4 || echo 5)" \
        -v like="^($1)\$" '
        /^## / { inside = /^## broken/ }
        inside && NF == 6 && $2 ~ /^[a-z_]+$/ && $2 != "file" &&
            $column ~ like && $column != "-" {
            gsub(/`--(blocks|room|streams)`/, "stress", $column)
            print $2 "|" $column
        }' "$page" | sort
}

"$scanbench" check -q --broken --must-fail --device "$device" --family broken \
    --timeout "$limit" >out 2>err
got=$?
[ $got -ne 77 ] || { cat err; exit 77; }
ok 'all are caught' test $got -eq 0
[ "$failed" -eq 0 ] || grep -v '^skipped: ' err
column '.*' | grep -v '|none$' >wanted
caught | awk -F '|' 'FNR == NR { wanted[$1] = $2; next }
    { count = split(wanted[$1], words, /, | or /)
        for (k = 1; k <= count; ++k)
            if (words[k] == $2)
                $2 = wanted[$1]
        print $1 "|" $2 }' wanted - >found
ok 'by what the page says' cmp wanted found

# Each that disagrees, with the wanted and the seen words, at the log's end.
if ! cmp -s wanted found; then
    cat wanted found | sort | uniq -u | cut -d '|' -f 1 | sort -u |
        while read -r name; do
            echo "DISAGREES: $name: the page says \
$(sed -n "s/^$name|//p" wanted | grep . || echo nothing); seen: \
$(grep -E "^([a-z]+|not caught): [a-z_]+/$name(/|\$)" err || echo nothing)"
        done
fi

# ---- sound variants pass; one that waits and says so is marked
prefix=broken/$(if [ "$device" = host ]; then echo host_; fi)
sound=$(column none | sed "s|^\([^|]*\).*|$prefix\1|" | paste -sd , -)
ok 'sound variants' "$scanbench" check -q --broken --device "$device" \
    --family "$sound" --shape 3x1000:1,3x7:1
if [ "$device" = cuda ]; then
    ok 'waits, and says so' "$scanbench" run -q --broken --device cuda \
        --shape 64x1000:1 --budget 1 -f '/waits_and_says_so/' -o waits
    ok 'is marked' grep -q '^waits_and_says_so,.*,ok,.*ungated' waits/cumsum.csv
    "$scanbench" run -q --broken --device cuda --cache graph --shape 64x1000:1 \
        --budget 1 -f 'cumsum/leaves_graph/' -o graph >out 2>err
    ok 'an empty graph' grep -q '^leaves_graph,.*,graph,0,wrong' graph/cumsum.csv
fi
tally
