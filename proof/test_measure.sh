#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: the plans of the proofs, some of them measured on
# the host; and the check of random shapes.
#
# shellcheck disable=SC2016,SC2086 # no expansion in single quotes; words
# shellcheck source=tests/made_sets.sh
. "$2/tests/made_sets.sh"

# ---- the slowed copy is right, and need not be caught
check="$SCANBENCH check --device host --broken -f slowed.*f32 -q"
ok 'slowed is right' $check
ok 'and not to be caught' $check --must-fail

# ---- measured on the host: cut short after two runs, and gone on with
words='--op cumsum --dtype f32 --shape 3x2049:1 --cache hot --budget 0'
cat >cut_short <<END
#!/bin/sh
[ "\$1" = run ] && [ -d host/aa/b/1 ] && exit 130
exec "$SCANBENCH" "\$@"
END
chmod +x cut_short
ok 'aa, cut short' measure 130 env SCANBENCH=./cut_short "$source/proof/all.py" \
    --only aa --processes 2 --device host host -- $words
utc=$(grep '^utc,' host/aa/a/1/manifest.csv)
ok 'aa, gone on with' measure 1 "$source/proof/all.py" --only aa \
    --processes 2 --device host host -- $words
ok 'found' found 'no change: such cells' ' of 33,'
ok 'finished runs are kept' grep -x "$utc" host/aa/a/1/manifest.csv
ok 'their seeds' grep -x 'seed,2' host/aa/b/2/manifest.csv
ok 'compare takes the sides' "$SCANBENCH" compare host/aa/a host/aa/b \
    --fail-on never
rm -r host/aa/a/2
ok 'nothing is judged half' judge 2 aa host
ok 'sensitivity' measure 1 "$source/proof/all.py" --only sensitivity --pct 30 \
    --device host host -- --shape 1x4096x1 --dtype f32 --cache hot --budget 0
ok 'found' found '30 % longer, shorter cells' 'of 1,'
sed -i 's/^complete,1/complete,0/' host/sensitivity/manifest.csv
ok 'nothing is judged before its end' judge 2 sensitivity host
cat >fake_ncu <<'END'
#!/bin/sh
until [ "$1" = --csv ]; do shift; done
shift
"$@" || exit 1
head='"0","1","scanbench","host","void k<int, 4>(long, int)","1","7","0"'
echo '==PROF== Disconnected'
echo "$head,\"gpu__time_duration.sum\",\"ns\",\"1,024\""
echo "$head,\"gpu__time_duration.sum\",\"ns\",\"100,000\""
END
chmod +x fake_ncu
ok 'agreement' measure 1 env NCU=./fake_ncu "$source/proof/all.py" --only agreement \
    --device host host -- copy/memcpy/f32/1x4096x1
ok 'the sum over kernels' found '`copy/memcpy/f32/1x4096x1`' '| 2 | '
ok 'in microseconds' grep '^copy/.*,2,2,101.024$' host/agreement/ncu.times
ok 'without ncu, judged' measure 1 env NCU=no_ncu \
    "$source/proof/all.py" --only agreement --device host host -- copy/memcpy/f32/1x4096x1
sed -i 1q host/agreement/ncu.times
ok 'no ncu' measure 2 env NCU=no_ncu "$source/proof/all.py" --only agreement \
    --device host host -- copy/memcpy/f32/1x4096x1
ok 'no folder' measure 2 "$source/proof/all.py"
ok 'a mistyped option' measure 2 "$source/proof/all.py" --jugde x host

# ---- random shapes, checked: cut short in the third chunk, and gone on with
cat >cut_short <<END
#!/bin/sh
case \$* in *random_small:7*) exit 130 ;; esac
exec "$SCANBENCH" "\$@"
END
checked() { # WANTED STATUS, WORDS...
    wanted=$1
    shift
    measure "$wanted" "$source/proof/random_check.py" --device host --seed 7 \
        --seeds 2 --shapes 1 "$@"
}
words='--op sum --dtype f32,f16'
SCANBENCH=./cut_short checked 130 r.csv -- $words
ok 'random shapes, cut short' test "$(wc -l <r.csv)" = 3
ok 'gone on with' checked 0 r.csv -- $words
ok 'finished chunks are not checked again' test "$(wc -l <out)" = 7
ok 'each grid and seed at both offsets' test "$(cut -d , -f 5,6 r.csv | sort -u |
    grep -c '^random.*:[78]:1,[01]$')" = 8
ok 'the sum' grep -x '8 chunks in r.csv: [1-9][0-9]* passed, 0 failed, .*' out
ok 'other words' checked 2 r.csv -- --op sum
ok 'need another file' grep 'of another commit, device or words' out
ok 'a wrong variant' checked 1 bad.csv -- --op cumsum --dtype f32 --broken -f /wrong_line/
ok 'is named' grep '^wrong: cumsum/wrong_line/' out
ok 'and stays so' checked 1 bad.csv -- --op cumsum --dtype f32 --broken -f /wrong_line/
ok 'without a check' test "$(wc -l <out)" = 1
ok 'no check at all' measure 2 env SCANBENCH=/bin/false \
    "$source/proof/random_check.py" --device host none.csv
ok 'is no line' test "$(wc -l <none.csv)" = 1
ok 'no other file is added to' checked 2 cut_short
ok 'no number' checked 2 --seeds x r.csv

tally
