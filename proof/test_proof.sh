#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: the judges of the proofs on runs made up here,
# good and bad ones, and the report.
#
# shellcheck disable=SC2016,SC2086 # no expansion in single quotes; words
# shellcheck source=tests/made_sets.sh
. "$2/tests/made_sets.sh"

# ---- aa: 400 cells, of which COUNT go by FACTOR and SCATTER in b
aa() { # FOLDER COUNT FACTOR [SCATTER]
    manifest "$1/aa/a"
    manifest "$1/aa/b"
    cells "$1/aa/a" cumsum v 400 30 1
    cells "$1/aa/b" cumsum v "$2" 30 "$3" "${4:-0.001}"
    cells "$1/aa/b" cumsum v $((400 - $2)) $((30 + $2)) 1
}
aa same 0 1
ok 'aa: the same' judge 0 aa same
ok 'ten splits' found 'no change: comparisons' '0 of 10, 0.00 % | met'
ok 'their cells' found 'no change: such cells' '0 of 4000,'
ok '3 % is seen' found '3 % longer, one cell in twenty: cells' '100.00 % | met'
ok 'by five' found 'the same, of five processes' '100.00 % | met'
ok '3 us are seen' found '3 us longer, all cells of a family' '1 of 1, 100.00 %'
aa few 4 1.04
ok 'aa: b is slower in four of 400' judge 1 aa few
ok 'one split shows it' found 'no change: comparisons' '1 of 10, 10.00 % | **mi'
ok 'four times' found 'no change: such cells' '4 of 4000, 0.10 %'
aa wide 400 1 0.05
ok 'aa: too much scatter' judge 1 aa wide
ok '3 % is not seen' found '3 % longer, one cell in twenty: cells' '**missed**'

# ---- sensitivity: 20 short cells and 100 long ones
points() { # FOLDER FACTOR_OF_P1 FACTOR_OF_P3 SEEN
    manifest "$1/sensitivity"
    cells "$1/sensitivity" copy slowed_p0 20 1 1
    cells "$1/sensitivity" copy slowed_p0 100 30 1
    cells "$1/sensitivity" copy slowed_p1 20 1 1
    cells "$1/sensitivity" copy slowed_p1 100 30 "$2"
    cells "$1/sensitivity" copy slowed_p3 20 1 1
    cells "$1/sensitivity" copy slowed_p3 "$4" 30 "$3"
    cells "$1/sensitivity" copy slowed_p3 $((100 - $4)) $((30 + $4)) 1
}
points seen 1.01 1.03 95
ok 'sensitivity' judge 0 sensitivity seen
ok 'seen' found '3 % longer, cells above 20 us' '95 of 100, 95.00 % | met'
ok 'how much' found 'how much longer' '| +3.00 % |'
points unseen 1.01 1.03 94
ok 'sensitivity: too few' judge 1 sensitivity unseen
ok 'counted' found '3 % longer, cells above' '94 of 100, 94.00 % | **missed**'

ok 'no build' says '^pages: no .*: build it, or set' \
    env SCANBENCH="$work/none" "$source/proof/pages.py" --check

# ---- operators: rows of f32, of the first set alone, and of i32; indices of bytes
manifest alone
cells alone cumsum best 20 30 1
manifest later
cells later sum best 20 30 1
cells later cumsum best 20 30 1
sed -i 's/,f32,/,i32,/' later/cumsum.csv
manifest bytes
cells bytes cummax torch_eager_with_indices 20 30 1
sed -i 's/,f32,/,u8,/' bytes/cummax.csv
operators() { # RUNS ROWS SETTING...: has these
    runs=$1 rows=$2
    shift 2
    env "$@" "$source/proof/operators.py" "$runs" >out
    [ "$(sed -n '3,$p' out | tr -d '\n')" = "$rows" ]
}
ok 'operators' operators 'alone,later later' \
    '|operation|Alone best|Later best||---|--:|--:||cumsum|50|–||cumsum i32|50|50|' \
    DTYPE=f32 ROWS=i32 SHOWN='best jax'
ok 'with indices' operators bytes '|operation|torch||---|--:||cummax|250|' SHOWN=torch_eager

# ---- price: the contracts of points in variants/; a median over what no variant keeps
manifest dev/gpu/priced
cells dev/gpu/priced sum split_axis_atomics_i32 20 30 1
cells dev/gpu/priced sum cub_segmented_reduce 20 30 2
cells dev/gpu/priced sum warp_per_line_b256_i16 11 30 4
cells dev/gpu/priced sum torch_eager 20 30 0.5
cells dev/gpu/priced cumsum decoupled_lookback_b256_k72 20 30 1
cells dev/gpu/priced cumsum thread_per_line_b256 10 30 3
cells dev/gpu/priced copy driver 20 30 1
price() { # RUNS ROWS: has these
    "$source/proof/price.py" "$1" >out
    [ "$(sed -n '3,$p' out | tr -d '\n')" = "$2" ]
}
ok 'price' price dev/gpu/priced '|cumsum|few_lines|50|–|–|'\
'|sum|few_lines|50|50&nbsp;(4.00)|50&nbsp;(8.00)|'
drawn() {
    CHART=price.svg "$source/proof/price.py" dev/gpu/priced && grep -q 'deterministic: sum' price.svg &&
        grep -q '19 without a time count' price.svg
}
if command -v "${GNUPLOT:-gnuplot}" >/dev/null; then ok 'its chart' drawn; else skip 'no gnuplot'; fi

# ---- repeat
ceilings() { # FOLDER PROCESSES STEP_GBPS
    manifest "$1/repeat"
    LC_ALL=C awk -v processes="$2" -v step="$3" 'BEGIN {
        print "kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process," \
            "phase"
        for (l = 0; l < processes; ++l) {
            print "traffic,copy,f32,cold,8,64," 4000 + step * l ",,v," l \
                ",start"
            print "traffic,copy,f32,cold,8,64,9,,v," l ",end"
        } }' >"$1/repeat/ceilings.csv"
}
ceilings same 10 4
ok 'repeat' judge 0 repeat same
ok 'its spread' found spread '| 0.896 % | met'
ceilings far 10 5
ok 'repeat: too far' judge 1 repeat far
ok 'its spread' found spread '| 1.119 % | **missed**'
ceilings few 9 1
ok 'repeat: too few' judge 1 repeat few

# ---- agreement: 20 cells from 45 us
ncu() { # FOLDER FACTOR
    manifest "$1/agreement"
    cells "$1/agreement" flip v 20 45 1 0
    LC_ALL=C awk -v factor="$2" 'BEGIN {
        print "cell,profile,kernels,us"
        for (k = 45; k < 65; ++k)
            for (p = 0; p < 3; ++p) # the last one is an outlier
                print "flip/v/f32/" k "x4096x1," p ",1," \
                    (p == 2 ? 900 : k <= 50 ? k - 1 : k * factor)
        }' >"$1/agreement/ncu.times"
}
ncu same 0.985
ok 'agreement' judge 0 agreement same
ok 'its cells' found cells '| 20 | met'
ok 'how far' found 'above 50 us' '0 of 14, 0.00 % | met'
ok 'short ones' found 'up to 50 us' '| -1.00 to -1.00 us |'
ok 'a row' found '`flip/v/f32/64x4096x1`' '| 1 | 64.00 | 63.04 | -1.50 % |'
ncu far 0.97
ok 'agreement: too far' judge 1 agreement far
ok 'how far' found 'above 50 us' '14 of 14, 100.00 % | **missed**'
grep -v '/64x' far/agreement/ncu.times >left && mv left far/agreement/ncu.times
ok 'agreement: a cell less' judge 1 agreement far
ok 'counted' found cells '| 19 | **missed**'

# ---- cost
manifest set/h200/random/held_out_cumsum wall_s,100 verify_s,20 sample_s,70 check_s,1 changed_input_s,2
sed -i 's/^timed_s,.*/timed_s,60/' set/h200/random/held_out_cumsum/manifest.csv
ok 'cost' judge 0 cost set/h200/random/held_out_cumsum
ok 'its own share' found 'all but timed launches' '| 40.0 s, 40.0 % | met'
ok 'the rest' found processes '10.0 s, 10.0 %'
sed -i 's/^timed_s,.*/timed_s,50/' set/h200/random/held_out_cumsum/manifest.csv
ok 'cost: half' judge 1 cost set/h200/random/held_out_cumsum

# ---- the report
report=$source/proof/report.py
mv same set/h200/proof
printf '%s\n' before '<!-- proof -->' old '<!-- /proof -->' after >page
ok 'not there yet' test "$("$report" set --check page >out 2>&1; echo $?)" = 1
ok 'how to mend it' grep -e '--write .*page' out
ok 'written' "$report" set --write page
ok 'is there' "$report" set --check page
packed() { # from archives, of which that of aa has an older set, which is incomplete
    (cd set/h200/proof && mkdir -p both/old/a && : >both/old/a/manifest.csv && mv aa both/new &&
        mv both aa && echo utc,2 >>aa/new/a/manifest.csv &&
        for set in *; do tar -cJf "$set.tar.xz" --remove-files "$set" || exit; done)
}
ok 'packed' packed
ok 'the same of archives' "$report" set --check page
ok 'unpacked' "$source/proof/unpack.sh" set
ok 'the same of these' "$report" set --check page
ok 'only its part changes' test "$(sed -n '1p;$p;/^old$/p' page | paste -sd, -)" = before,after
ok 'a device' grep '^### NVIDIA H200$' page
ok 'missing proofs' grep '^| .* | not measured yet | | | |$' page
sed -i 's/0.896 %/0.895 %/' page
ok 'a figure by hand' test "$("$report" set --check page >out; echo $?)" = 1

# ---- the index
indexed() {
    "$source/proof/index.py" "$1" --check "$1/page"
}
make_history() { # FOLDER, with two sets of its first commit
    git init -q "$1" && cd "$1" && git config user.name n &&
        git config user.email e && echo 1 >file && git add file &&
        git commit -qm first || return
    for set in one two; do
        manifest $set "commit,$(git rev-parse --short=12 HEAD)"
        sed -i /^commit,abc/d $set/manifest.csv
        echo why >$set/QUESTION
    done
    printf '%s\n' '<!-- index -->' '<!-- /index -->' >page
    git add . && "$source/proof/index.py" . --write page && git add . &&
        git commit -qm sets && cd ..
}
archive_fit() { # FOLDER
    mkdir -p "$1/card" fit && cp -r "$1/one" fit/three &&
        tar -cJf "$1/card/fit.tar.xz" fit && echo these >"$1/card/fit.QUESTION"
}
dirty_commit() { # FOLDER SET
    sed -i 's/^commit,.*/&-dirty/' "$1/$2/manifest.csv"
    "$source/proof/index.py" "$1" --write "$1/page"
}
if command -v git >/dev/null; then
    ok 'a history' make_history history
    ok 'its sets' indexed history
    ok 'uncommitted changes' dirty_commit history one
    ok 'are reported' says '^FAILED: one: measured from a tree with' indexed history
    ok 'and fail' status 1 indexed history
    ok 'no changes' git -C history checkout -q one
    ok 'an archive' archive_fit history
    ok 'is not on the page' status 1 indexed history
    ok 'is written there' "$source/proof/index.py" history --write history/page
    ok 'with its name' grep -q '^| `card/fit.tar.xz` | these |' history/page
    ok 'and as it says' indexed history
else
    skip 'the sets of a history: no git'
fi

tally
