#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: the model of several ranks recovers the parameters of synthetic rows; in a
# locale with decimal commas, if there is one.
set -u
SCANBENCH=$(realpath "$1") && source=$(realpath "$2") || exit 2
export SCANBENCH
published=$source/results/h200_x2/mgpu
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
    echo variant,dtype,cache,status,process,outer,axis,inner,median_us,gbps,\
ranks,pct_ceiling,passes
    LC_ALL=C awk -v a="$1" -v e="$2" -v k="$3" 'BEGIN {
        for (n = 1; n <= 4; n *= 2)
            for (axis = 1048576; axis <= 4294967296; axis *= 4) {
                t = 8 * axis / (n * 4000 * 1e3)
                us = n == 1 ? 8 + t : a + e * (n - 1) + k * t
                twin = t + (axis < 4294967296 ? 5 : 0)
                printf "mgpu_%s,f32,cold,ok,0,1,%.0f,1,%.12g,%.12g,%d,%.12g,1\n",
                    (n == 1 ? "alone" : "cut"), axis, us,
                    8 * axis / (us * 1e3), n, 100 * twin / us
            }
    }'
}
mgpu() {
    CEILINGS=ceilings.csv "$source/proof/mgpu.py" "$@"
}
found() { # PATTERN [SETTING...]
    pattern=$1
    shift
    env "$@" "$source/proof/mgpu.py" runs >out && grep -E "$pattern" out && return
    cat out
    return 1
}
run_at() { # FOLDER: a run of at most two processes there, without rows
    mkdir -p "$1"
    sed 's/^processes,1$/processes,2/' "$published/line_2/manifest.csv" >"$1/manifest.csv"
    head -n 1 "$published/line_2/ceilings.csv" >"$1/ceilings.csv"
}
split() { # rows.csv into FOLDER/N, a run each
    rm -rf "$1"
    for n in 1 2 4; do
        run_at "$1/$n"
        awk -F, -v n=$n 'NR == 1 || $11 == n' rows.csv >"$1/$n/cumsum.csv"
    done
}
made 12 3 1.5 >rows.csv
split runs
cut='^. cumsum f32 . 1x4294967296x1'
ok 'finds its parameters, and the length from which two ranks pay' \
    found "$cut . 2 .* . 15.0 . 1.500 . 0.0 . 2\^24.0 "
ok 'of several ranks' found "$cut . 4 .* . 21.0 . 1.500 "
ok 'how far two ranks alone are off at four' found "$cut . 2 .* . 15.0 . 1.500 . 27\.[0-9] " FIT_TO=2
ok 'help' sh -c '"$1" --help | grep -q "^usage: mgpu"' - "$source/proof/mgpu.py"
drawn() { # a chart per number of ranks
    "$source/plots/ranks.py" runs charts >said 2>&1 &&
        ls charts && [ "$(find charts -name '*.svg' | wc -l)" -eq 3 ] &&
        grep -q 'mgpu_cut' charts/cumsum_f32_1xNx1_2ranks.svg && return
    cat said
    return 1
}
nothing_runs() { # names of rows and folders are not run as commands
    run_at 'a=b/x'
    {
        cat rows.csv
        sed -n 's|^mgpu_cut,|mgpu_cut;touch PWNED,|p' rows.csv
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
if command -v gnuplot >/dev/null; then
    ok 'the published charts' committed
    cmp ours theirs || skip 'the published charts are of another gnuplot'
    ok 'charts' drawn
    ok 'hostile names run nothing' nothing_runs
else
    skip 'no gnuplot'
fi
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
echo torn >>runs/4/cumsum.csv
ok 'damage is told' says 'runs/4/cumsum.csv' mgpu runs
ok 'no runs' status 2 "$source/proof/mgpu.py" none
ok 'no ceilings' status 2 env CEILINGS=rows.csv "$source/proof/mgpu.py" several
tally
