#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE: the model of several ranks recovers the parameters of synthetic rows, and
# predicts rows that it was not fitted to; in a locale with decimal commas, if there
# is one.
set -u
source=$(realpath "$1") || exit 2
scale=$source/proof/scale.py
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
if localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" 2>locale.err; then
    export LOCPATH="$work" LC_ALL=de_DE.UTF-8
else
    skip "no locale with decimal commas: $(cat locale.err)"
fi

# a + e (N - 1) + k t, with t of ranks of 4000 GB/s each: LATENCY EACH PASSES.
# Their twins take 5 us more, which at the largest size no longer counts.
made() {
    echo dtype,cache,status,variant,process,outer,axis,inner,median_us,gbps,\
ranks,pct_ceiling,passes
    LC_ALL=C awk -v a="$1" -v e="$2" -v k="$3" 'BEGIN {
        for (n = 1; n <= 4; n *= 2)
            for (axis = 1048576; axis <= 4294967296; axis *= 4) {
                t = 8 * axis / (n * 4000 * 1e3)
                us = n == 1 ? 8 + t : a + e * (n - 1) + k * t
                twin = t + (axis < 4294967296 ? 5 : 0)
                printf "f32,cold,ok,mgpu_%s,0,1,%.0f,1,%.12g,%.12g,%d,%.12g,1\n",
                    (n == 1 ? "alone" : "cut"), axis, us,
                    8 * axis / (us * 1e3), n, 100 * twin / us
            }
    }'
}
found() { # PATTERN OPTION...
    pattern=$1
    shift
    "$scale" "$@" runs/*/cumsum.csv >out && grep -E "$pattern" out && return
    cat out
    return 1
}
split() { # rows.csv into FOLDER/N, a run each
    rm -rf "$1"
    for n in 1 2 4; do
        mkdir -p "$1/$n"
        awk -F, -v n=$n 'NR == 1 || $11 == n' rows.csv >"$1/$n/cumsum.csv"
    done
}
made 12 3 1.5 >rows.csv
split runs
ok 'finds its parameters' found '^cumsum,f32,1,1,mgpu_cut,14,12,3,1\.5,0,'
ok 'and those of one rank' found '^cumsum,f32,1,1,mgpu_alone,7,8,,1,0,'
ok 'length from which two ranks pay, also by the model' \
    found '^cumsum,f32,1,1,mgpu_cut,.*,134217728,112000000$'
ok 'two ranks alone do not separate the parameters' \
    found '^cumsum,f32,1,1,mgpu_cut,7,15,,1\.5,7,' --fit-to 2
ok 'how far it is off' found ',7,27\.[0-9]*,134217728,112000000$' --fit-to 2
ok 'a curve' found '^cumsum,f32,1,1,mgpu_cut,weak,1024,' --curve 1024
ok 'from the same ceilings' \
    found '^cumsum,f32,1,1,mgpu_cut,strong,1024,3093\.5829' --curve 1024
no_curve() {
    ! "$scale" --curve 1024 --fit-to 2 runs/*/cumsum.csv | grep mgpu_cut
}
ok 'no curve from one number of ranks' no_curve
ok 'falls' sh -c "LC_ALL=C awk -F, '\$5 == \"mgpu_cut\" && \$6 == \"strong\" && \$7 > 1 {
    if (last && \$9 >= last) exit 1; last = \$9 }' out"
ok 'a mistaken option' sh -c '"$1" --junk x >said 2>&1; [ $? -eq 2 ] && grep -q "^usage: scale" said' - "$scale"
ok 'help' sh -c '"$1" --help | grep -q "^Exit status"' - "$scale"
drawn() { # a chart per number of ranks, and two of the model
    "$source/plots/ranks.py" runs charts >said 2>&1 &&
        ls charts && [ "$(find charts -name '*.svg' | wc -l)" -eq 5 ] &&
        grep -q 'mgpu_cut' charts/cumsum_f32_1xNx1_2ranks.svg && return
    cat said
    return 1
}
nothing_runs() { # names of rows and folders are not run as commands
    mkdir -p 'a=b/x' && {
        cat rows.csv
        sed -n 's|,mgpu_cut,|,mgpu_cut;touch PWNED,|p' rows.csv
    } >a=b/x/cumsum.csv
    "$source/plots/ranks.py" a=b '|touch PWNED;#' >drawing 2>&1
    cat drawing
    find . .. -maxdepth 1 -name 'PWNED*' >pwned
    [ "$(find '|touch PWNED;#' -name '*.svg' | wc -l)" -gt 0 ] && [ ! -s pwned ]
}
committed() { # the published charts; another gnuplot's curves differ
    "$source/plots/ranks.py" "$published" made || return
    for chart in "$published"/plots/*.svg; do
        ours=made/${chart##*/}
        grep '<desc>' "$ours" >ours && grep '<desc>' "$chart" >theirs || return
        ! cmp -s ours theirs || diff "$ours" "$chart" || return
    done
}
published=$source/results/h200_x2/mgpu
if command -v gnuplot >/dev/null; then
    ok 'the published charts' committed
    cmp ours theirs || skip 'the published charts are of another gnuplot'
    ok 'charts' drawn
    ok 'hostile names run nothing' nothing_runs
else
    skip 'no gnuplot'
fi
mgpu() {
    CEILINGS=ceilings.csv "$source/proof/mgpu.py" "$@"
}
reading() { # 4 bytes an element of 8 at 5/4 of the rate
    {
        head -n 1 "$source/results/h200/headline/ceilings.csv"
        echo traffic,copy,f32,cold,1000,8000,4000,,x,0,start
        echo traffic,read,f32,cold,1000,4000,5000,,x,0,start
    } >ceilings.csv
    mgpu runs | grep 'takes r = 0.40 of .* at most 71.4 % of'
}
ok 'time of a read, relative to a copy' reading
three() { # processes: their geometric mean in the table, as in every other
    LC_ALL=C awk -F, -v OFS=, 'NR > 1 { $5 = 1; $9 = 4 * $9; print }' rows.csv >more
    cat more >>rows.csv
    split several
    "$source/proof/mgpu.py" several |
        grep '^| cumsum f32 | 1x4294967296x1 | 2 | 12914.9 |'
}
ok 'several processes are one time' three
ok 'nothing to fit' status 2 sh -c "head -n 1 rows.csv >none.csv
    '$scale' none.csv"
echo torn >>rows.csv
ok 'damage' status 2 "$scale" rows.csv
ok 'no file' status 2 "$scale" missing.csv
ok 'no ceilings' status 2 env CEILINGS=rows.csv "$source/proof/mgpu.py" runs
ok 'no number' status 2 "$scale" --curve x rows.csv
tally
