#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE SCANBENCH: what the charts say of a made-up run, as text in their SVGs,
# and what draw.sh says of folders that it cannot draw.
set -u
source=$(realpath "$1")
SCANBENCH=$(realpath "$2")
export SCANBENCH
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
draw=$source/plots/draw.sh
command -v "${GNUPLOT:-gnuplot}" >/dev/null 2>&1 || {
    echo 'no gnuplot: skipped'
    exit 77
}

complains() { # STATUS TEXT ARGS...: draw.sh ends so, and says that
    wanted=$1 text=$2
    shift 2
    "$draw" "$@" >out 2>err
    got=$?
    cat out err
    [ "$got" -eq "$wanted" ] && [ ! -s out ] && grep -q -e "$text" err
}

shows() { # CHART TEXT
    grep -F ">$2<" "run/plots/$1.svg"
}

not_shown() { # CHART TEXT
    ! grep -F "$2" "run/plots/$1.svg"
}

# ---- a run
columns=device,op,variant,family,dtype,outer,axis,inner,cache,process,status
columns=$columns,reason,samples,median_us,bytes,gbps,ceiling_gbps,pct_ceiling
columns=$columns,passes,err_bound
row() { # OP VARIANT FAMILY OUTER AXIS INNER STATUS REASON PCT
    bytes=$(($4 * $5 * $6 * 8)) us='' ceiling=''
    [ -z "${9-}" ] || { us=$((bytes / $9 / 1000 + 1)) ceiling=100; }
    echo "X,$1,$2,$3,f32,$4,$5,$6,cold,0,$7,$8,9,$us,$bytes,${9-},$ceiling,${9-},1,1" \
        >>"run/$1.csv"
}
table() { # OP
    echo "$columns" >"run/$1.csv"
}
mkdir run
printf 'key,value\nschema,3\ndevice_name,X\nl2_bytes,1000000\n' >run/manifest.csv
{
    echo kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase
    echo add,,f32,cold,,,,1000,,0,start
    echo traffic,copy,f32,cold,67108864,536870912,100,,copy,0,start
} >run/ceilings.csv
table cumsum
for k in 1 2 3 4; do # of 2^26 elements
    outer=$((1 << (26 - 4 * k))) axis=$((1 << (4 * k)))
    row cumsum near_b256 near $outer $axis 1 ok '' $((90 + k))
    row cumsum far far $outer $axis 1 ok '' 2
    for name in a b c d e f g; do
        row cumsum $name $name $outer $axis 1 ok '' 50
    done
    # gnuplot runs nothing of what a stranger's run says
    row cumsum '`touch PWNED`' '`touch PWNED`' $outer $axis 1 ok '' 3
    row cumsum cub_known cub_known $outer $axis 1 ok '' 9
    row cumsum refuses refuses $outer $axis 1 skip '"serves 2, 4 or 8 only"'
    row cumsum near_b256 near 64 $axis $((1 << (20 - 4 * k))) ok '' $((80 + k))
    row cumsum far far 64 $axis $((1 << (20 - 4 * k))) ok '' $((70 + 4 * k))
done
row cumsum near_b256 near 8 8 1 suspect why 99
row cumsum near_b512 near 8 8 1 ok '' 40
row cumsum best best 8 8 1 ok '' 41
row cumsum slow slow 8 8 1 slow 'one launch took 1 s'
row cumsum untried untried 8 8 1 untried 'too slow already at 8x8x1'
row cumsum refuses refuses 8 8 1 skip '"serves 2, 4 or 8 only"'
ok 'drawn' "$draw" run
ok 'no parts are left' sh -c '! ls -d run/plots/.draw*'

# ---- heat
ok 'a sound winner goes before a suspect one' shows cumsum_heat 40
ok 'where that is larger' not_shown cumsum_heat '>99'
ok 'every family' shows cumsum_heat far

# ---- ladder
ok 'shares' grep '>9[1-4].0%<' run/plots/cumsum_ladder_contiguous.svg
ok 'who refuses' grep -F 'refused: refuses' run/plots/cumsum_ladder_contiguous.svg
ok 'backquotes' shows cumsum_ladder_contiguous '`touch PWNED`'
ok 'are only drawn' sh -c '! find . -name PWNED | grep .'

# ---- bandwidth
ok 'how much larger than the cache' grep -F '(537 × L2)' \
    run/plots/cumsum_bandwidth_length.svg
ok 'CUB has a name' shows cumsum_bandwidth_length cub_known
ok 'the others are counted' grep -F 'more families' \
    run/plots/cumsum_bandwidth_length.svg

# ---- winners: a map of either kind of lines
ok 'contiguous winners' shows cumsum_best near
ok 'their share' shows cumsum_best 94
ok 'strided winners' shows cumsum_best_strided near
ok 'in turn' shows cumsum_best_strided far
ok 'their shares' shows cumsum_best_strided 86
ok 'what loses there' not_shown cumsum_best_strided '>84<'
ok 'the roof' grep -F '1.0 T additions/s' run/plots/roofline.svg

# ---- distribution: of operations with `best` at twenty shapes
ok 'none of few shapes' sh -c '! ls run/plots/distribution.svg'
cp -r run many
table_of() { # FOLDER OP SHAPES
    echo "$columns" >"$1/$2.csv"
    for k in $(seq "$3"); do
        echo "X,$2,best,best,f32,$k,64,64,cold,0,ok,,9,10,9,$k,100,$k,1,1"
        echo "X,$2,fast,fast,f32,$k,64,64,cold,0,ok,,9,9,9,80,100,80,1,1"
    done >>"$1/$2.csv"
}
table_of many sum 20
table_of many flip 19
ok 'of many' "$draw" many
ok 'is drawn' grep -F '>sum f32 (20)<' many/plots/distribution.svg
ok 'and of no fewer' sh -c '! grep flip many/plots/distribution.svg'
shares() { # the first shape's step, and the fastest's
    "$SCANBENCH" table many --charts parts 2>/dev/null
    awk -F '\t' 'NF == 4' parts/distribution.distribution >points
    grep -x '1	5	1	0' points && grep -x '80	100	1	1' points &&
        [ "$(wc -l <points)" -eq 42 ]
}
ok 'by its shares' shares

# ---- the same as a table: what is drawn is what it says
says() { # TEXT ARGS...
    text=$1
    shift
    "$SCANBENCH" table run "$@" 2>/dev/null | grep -e "$text"
}
ok 'the first' says ' 1  *near_b256 .* 94.0'
ok 'a firm one goes first' says ' 1  *near_b512 '
ok 'a doubtful one is marked' says '?.*near_b256 .* 99.0' --all -f 8x8x1
ok 'why there is no time' says 'untried *untried' --all
ok 'csv' says '^cumsum,near,near_b256,f32,1024,65536,1,cold,1,ok,,,.*,94,1,,1,1$' \
    --format csv
none_such() { "$SCANBENCH" table run --op sum; [ $? -eq 77 ]; }
ok 'no such cell' none_such
unknown() { "$SCANBENCH" table run --format html; [ $? -eq 2 ]; }
ok 'no such format' unknown

# ---- names that a shell or gnuplot could take for more
unharmed() { # NAME
    rm -rf here && mkdir here && cd here || return
    cp -r ../run "./$1" && rm -rf "./$1/plots" &&
        "$draw" -- "$1" && ls "./$1/plots/cumsum_heat.svg" &&
        "$draw" -- "$1" "$1.out" && ls "./$1.out/cumsum_heat.svg"
    status=$?
    cd .. && [ $status -eq 0 ] && ! find . -name 'PWNED*' | grep .
}
for name in '<touch PWNED;#' '|touch PWNED;#' '$x' 'a=b' '-x' '`touch PWNED`' \
    '"; system "touch PWNED"' "a'b c"; do
    ok "a folder named $name" unharmed "$name"
done
ok 'decimal commas' env LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 "$draw" run out.de
ok 'PNG on request' "$draw" --png run pictures
ok 'are there' ls pictures/cumsum_heat.png pictures/cumsum_heat.svg
ok 'a type without times' complains 1 'nothing to draw' --dtype f64 run

# A link is replaced, not followed.
linked() {
    echo mine >mine && ln -sf ../../mine run/plots/cumsum_heat.svg &&
        "$draw" run && [ "$(cat mine)" = mine ] &&
        [ ! -L run/plots/cumsum_heat.svg ]
}
ok 'a link' linked

# ---- folders that are none, and damaged ones
ok 'none' complains 2 'no such folder: .*/none' none
ok 'two runs' complains 2 'one FOLDER at a time' run run
ok 'a file' complains 2 '/run/cumsum.csv is a file' run/cumsum.csv
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
ok 'only a published set' complains 1 'no run under .*/res yet' --newest res

# A disk that fills up: gnuplot does not tell.
cat >full <<'END'
#!/bin/sh
"$REAL" "$@"
status=$?
[ "$1" = --version ] || [ $status -ne 0 ] || truncate -s -1000 "$3"
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
ok 'a chart of before is kept' cmp run/plots/cumsum_heat.svg again/cumsum_heat.svg
fresh() {
    rm -rf bad
    mkdir bad
    cp run/*.csv bad
}
fresh
cut -d , -f 1-13 run/cumsum.csv >bad/cumsum.csv
ok 'a narrow table' complains 2 'bad/cumsum.csv:1: no column' bad
fresh
echo torn >>bad/cumsum.csv
ok 'a torn table' "$draw" bad
"$draw" bad >out 2>err
ok 'is told by its own name' grep 'bad/cumsum.csv:[0-9]*: ' err

tally
