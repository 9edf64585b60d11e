#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE: what the charts say of a made-up run, as text in their SVGs, and what
# draw.sh says of folders that it cannot draw.
set -u
source=$(realpath "$1")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
draw=$source/plots/draw.sh
command -v "${GNUPLOT:-gnuplot}" >/dev/null 2>&1 || {
    echo 'no gnuplot: skipped'
    exit 77
}

complains() { # STATUS TEXT ARGS...: draw.sh ends so, and says only that
    wanted=$1 text=$2
    shift 2
    "$draw" "$@" >out 2>err
    got=$?
    cat out err
    [ "$got" -eq "$wanted" ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] &&
        grep -q -e "$text" err
}

shows() { # CHART TEXT
    grep -F ">$2<" "run/plots/$1.svg"
}

not_shown() { # CHART TEXT
    ! grep -F "$2" "run/plots/$1.svg"
}

# ---- a run
columns=device,op,variant,dtype,outer,axis,inner,cache,process,status,reason
columns=$columns,bytes,gbps,ceiling_gbps,pct_ceiling,passes,err_bound
row() { # OP VARIANT OUTER AXIS INNER STATUS REASON PCT
    awk -v OFS=, -v pct="${8-}" -v from="$1,$2,f32,$3,$4,$5,cold,0,$6,$7" \
        -v elems="$(($3 * $4 * $5))" 'BEGIN { print "X," from, 8 * elems, \
            pct, pct == "" ? "" : 100, pct, 1, 1 }' >>"run/$1.csv"
}
table() { # OP
    echo "$columns" >"run/$1.csv"
}
mkdir run
printf 'key,value\ndevice_name,X\nl2_bytes,1000000\n' >run/manifest.csv
echo kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase \
    >run/ceilings.csv
table cumsum
for k in 1 2 3 4; do # of 2^26 elements
    outer=$((1 << (26 - 4 * k))) axis=$((1 << (4 * k)))
    row cumsum near_b256 $outer $axis 1 ok '' $((90 + k))
    row cumsum far $outer $axis 1 ok '' 2
    for name in a b c d e f g; do
        row cumsum $name $outer $axis 1 ok '' 50
    done
    row cumsum cub_known $outer $axis 1 ok '' 9
    row cumsum refuses $outer $axis 1 skip '"serves 2, 4 or 8 only"'
    row cumsum near_b256 64 $axis $((1 << (20 - 4 * k))) ok '' $((80 + k))
    row cumsum far 64 $axis $((1 << (20 - 4 * k))) ok '' $((70 + 4 * k))
done
row cumsum near_b256 8 8 1 suspect why 99
row cumsum near_b512 8 8 1 ok '' 40
row cumsum doubted 8 8 1 suspect why 77
row cumsum slow 8 8 1 slow 'one launch took 1 s'
row cumsum untried 8 8 1 untried 'too slow already at 8x8x1'
row cumsum refuses 8 8 1 skip '"serves 2, 4 or 8 only"'
row cumsum pair_128x4_i8 8 8 1 ok '' 31
row cumsum pair_64kx3 8 8 1 ok '' 33
ok 'drawn' "$draw" run

# ---- heat: a sign each
ok 'a figure' shows cumsum_heat 94
ok 'a sound one goes before a suspect one' shows cumsum_heat 40
ok 'where that is larger' not_shown cumsum_heat '>99'
ok 'a suspect one' shows cumsum_heat '77?'
ok 'slow' shows cumsum_heat slow
ok 'not tried' shows cumsum_heat '(slow)'
ok 'refused' shows cumsum_heat –
ok 'two points of a family' shows cumsum_heat 33
ok 'the better one alone' not_shown cumsum_heat '>31<'

# ---- ladder: gnuplot itself ends such a reason at its comma
ok 'a reason with commas' grep -F 'serves 2‚ 4 or 8 only' \
    run/plots/cumsum_ladder_contiguous.svg

# ---- bandwidth
ok 'how much larger than the cache' grep -F '(537 × L2)' \
    run/plots/cumsum_bandwidth_length.svg
ok 'CUB has a name' shows cumsum_bandwidth_length cub_known
ok 'the others are counted' grep -F 'more families' \
    run/plots/cumsum_bandwidth_length.svg
mistyped() { # CHART WORD ARGS...: its script ends with 2, and says the word
    chart=$1 word=$2
    shift 2
    "${GNUPLOT:-gnuplot}" -c "$source/plots/$chart.gp" x.png run cumsum "$@" \
        2>err
    [ $? -eq 2 ] && grep -q -e "'$word'" err
}
ok 'no length' mistyped bandwidth lenght lenght
ok 'no variants' mistyped bandwidth variant size f32 variant

# ---- best: a map of either kind of lines
ok 'neither' mistyped best stride stride
ok 'contiguous winners' shows cumsum_best near
ok 'their share' shows cumsum_best 94
ok 'a sound winner' shows cumsum_best 40
ok 'strided winners' shows cumsum_best_strided near
ok 'in turn' shows cumsum_best_strided far
ok 'their shares' shows cumsum_best_strided 86
ok 'what loses there' not_shown cumsum_best_strided '>84<'

# ---- folders that are none, and damaged ones
ok 'none' complains 2 'no such folder: none' none
ok 'two runs' complains 2 'one FOLDER at a time' run run
ok 'a file' complains 2 'run/cumsum.csv is a file' run/cumsum.csv
ok 'no run' complains 2 'no manifest.csv' run/plots
ok 'no option' complains 2 "unknown option '--nwest'" --nwest run
ok 'nowhere to draw' complains 2 'cannot write to' run run/manifest.csv/x

# The newest is so by its name; a published set is none.
for name in 20260101T000000Z-abc 20251231T000000Z-abd default; do
    mkdir -p "res/X/$name"
    cp run/*.csv "res/X/$name"
done
draws_newest() {
    "$draw" --newest res 2>&1 && ls res/X/20260101T000000Z-abc/plots/*.svg &&
        ! ls -d res/X/default/plots && ! ls -d res/X/20251231T000000Z-abd/plots
}
ok 'the newest' draws_newest
rm -r res/X/2*
ok 'only a published set' complains 1 'no run under res yet' --newest res

# A disk that fills up: gnuplot does not tell.
cat >full <<'END'
#!/bin/sh
"$REAL" "$@"
status=$?
[ "$1" = --version ] || [ $status -ne 0 ] || truncate -s -1000 "$5"
exit $status
END
chmod +x full
fills_up() {
    REAL=${GNUPLOT:-gnuplot} GNUPLOT=./full "$draw" run again >out 2>err
    got=$?
    cat err
    [ $got -eq 1 ] && grep -q 'is the disk full' err
}
cp -r run/plots again
ok 'a cut picture' fills_up
ok 'a chart of before is kept' cmp run/plots/cumsum_heat.png again/cumsum_heat.png
fresh() {
    rm -rf bad
    mkdir bad
    cp run/*.csv bad
}
fresh
: >bad/manifest.csv
ok 'an empty manifest' complains 2 'bad/manifest.csv is damaged' bad
fresh
cut -d , -f 1-12 run/cumsum.csv >bad/cumsum.csv
ok 'a narrow table' complains 2 \
    'bad/cumsum.csv is damaged: it lacks gbps, .*, err_bound$' bad
fresh
cut -d , -f 1-4 run/ceilings.csv >bad/ceilings.csv
ok 'narrow ceilings' complains 2 \
    'bad/ceilings.csv is damaged: it lacks elems, ' bad
fresh
grep -v ,1,cold run/cumsum.csv >bad/cumsum.csv
echo torn >>bad/cumsum.csv
ok 'a torn table' "$draw" bad
"$draw" bad >out 2>err
ok 'what is skipped there' grep '^skipped.*bad/cumsum.csv: fewer' err
ok 'by its own name' sh -c '! grep /tmp/ err'

tally
