#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: run --samples keeps those that every timed row was made of,
# whatever happens to the run, and show, export and report have them.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"

words='--device host --op cumsum --dtype f32 --shape 3x2049:1,2x300x5
--cache hot --budget 0 -f cumsum/serial -q --samples'
sweep() { # WORDS...
    # shellcheck disable=SC2086 # words
    "$scanbench" run $words "$@" >out 2>err
}

# Of each timed row a line of samples.csv: as many, and the row's quantiles.
agree() { # FOLDER
    sed 1d "$1/samples.csv" >samples
    cat "$1"/c*m.csv "$1/copy.csv" | awk -F , '
        function near(l, r) { return l - r <= 1e-6 * r && r - l <= 1e-6 * r }
        FNR == NR {
            key = $1 "," $2 "," $3 "," $4 "," $5 "," $6 "," $7 "," $8
            count[key] = n = split($9, us, " ")
            least[key] = us[1]; most[key] = us[1]
            for (k = 2; k <= n; ++k) {
                if (us[k] + 0 < least[key] + 0) least[key] = us[k]
                if (us[k] + 0 > most[key] + 0) most[key] = us[k]
            }
            next
        }
        $11 == "ok" || $11 == "suspect" {
            key = $2 "," $3 "," $5 "," $6 "," $7 "," $8 "," $9 "," $10
            ++rows
            if (count[key] != $14 || !near(least[key], $17) ||
                !near(most[key], $21)) { print "not its samples: " $0; bad = 1 }
        }
        END { exit bad || rows < 2 }' samples -
}

sweep -o whole
ok 'a run' test $? -eq 0
ok 'its rows and samples agree' agree whole
ok 'a run without says so' says 'which run --samples keeps' \
    status 77 "$scanbench" show "$source/results/h200/headline" --samples

# ---- cut short and not taken up: what is left can be read (test_kills.sh and
# test_samples.c take such runs up)
cp -r whole torn
truncate -s -4 torn/samples.csv
ok 'a torn line is reported' says 'samples.csv:[0-9]*: cut short' \
    "$scanbench" show torn --samples --op cumsum,copy

# ---- what is made of them
"$scanbench" show whole --samples -f cumsum/serial >out
ok 'show' grep 'cumsum/serial/f32/3x2049x1.*|.*@.*|' out
"$scanbench" show whole --samples --format csv >out
ok 'every one of them' test "$(sed 1d out | wc -l)" -eq \
    "$(sed 1d whole/samples.csv | cut -d , -f 9 | wc -w)"
for word in samples samples.csv; do
    ok "help $word" says 'every.* sample' "$scanbench" help $word
done
"$scanbench" report whole -o page.html
ok 'the report' grep '^\[[0-9]*,[0-9]*,[0-9.]*,[0-9.]*,[0-9.]*,"[0-9a-z]\{24\}"\]' \
    page.html
mkdir deep
"$scanbench" export whole --format nvbench-json -o deep/made.json
ok 'export' grep -q '"value": "made.json-bin/[0-9]*.bin"' deep/made.json
"$scanbench" export whole --format nvbench-json >out
ok 'on stdout without' test "$(grep -c bin: out)" -eq 0
ok 'where nothing can be written' says 'no/such: No such file' status 2 \
    "$scanbench" export whole --format nvbench-json -o no/such
if command -v python3 >/dev/null 2>&1; then
    ok 'the same samples' python3 -c "
import json, struct
want = {}
for line in open('whole/samples.csv').read().split('\n')[1:-1]:
    op, name, *key, process, us = line.split(',')
    want.setdefault((op + '/' + name, *key), []).extend(map(float, us.split()))
found = 0
for bench in json.load(open('deep/made.json'))['benchmarks']:
    for state in bench['states']:
        dtype, shape, cache = (v['value'] for v in state['axis_values'])
        data = {s['tag']: s['data'] for s in state['summaries']}
        meta = data['nv/json/bin:nv/cold/sample_times']
        us = want[(bench['name'], dtype, *shape.split('x'), cache)]
        bits = open('deep/' + meta[0]['value'], 'rb').read()
        assert len(bits) == 4 * len(us) == 4 * int(meta[1]['value']), meta
        for s, u in zip(struct.unpack('<%df' % len(us), bits), us):
            assert abs(s * 1e6 - u) < 1e-6 * u, (s, u)
        found += 1
assert found >= 2, found"
else
    skip 'the samples themselves: no python3'
fi

tally
