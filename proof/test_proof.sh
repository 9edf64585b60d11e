#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: the judges of the proofs on runs made up here, good and bad
# ones; what the scripts measure, on the host; and the report.
#
# shellcheck disable=SC2016,SC2086 # no expansion in single quotes; words
set -u
SCANBENCH=$(realpath "$1") source=$(realpath "$2")
export SCANBENCH
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"

judge() { # WANTED STATUS, PROOF FOLDER [OPTION...]: what it says is in out
    wanted=$1 name=$2
    shift 2
    "$source/proof/$name.sh" --judge "$@" >out 2>&1
    got=$?
    [ "$got" -eq "$wanted" ] && return
    echo "status $got, not $wanted"
    cat out
    return 1
}

# The finding that begins with WHAT is met, or missed: WHAT WORD
found() {
    grep -F "| $1" out | grep -qF "$2" && return
    cat out
    return 1
}

manifest() { # FOLDER KEY,VALUE...
    mkdir -p "$1"
    to=$1/manifest.csv
    shift
    printf '%s\n' key,value schema,3 complete,1 'device_name,NVIDIA H200' \
        commit,abc driver,1.2 timed_s,1 "$@" >"$to"
}

# Three launches of cells of one variant, a little apart: FOLDER OP VARIANT
# CELLS FIRST_US FACTOR [SCATTER]. Cell k takes FIRST_US + k.
cells() {
    [ -f "$1/$2.csv" ] || echo device,op,variant,dtype,outer,axis,inner,\
cache,process,status,reason,marks,median_us,ci_low_us,ci_high_us,gbps,\
pct_ceiling >"$1/$2.csv"
    awk -v op="$2" -v variant="$3" -v cells="$4" -v first="$5" \
        -v factor="$6" -v scatter="${7:-0.001}" 'BEGIN {
        for (k = 0; k < cells; ++k)
            for (l = 0; l < 3; ++l) {
                us = (first + k) * factor * (1 + scatter * (l % 3 - 1))
                printf "h200,%s,%s,f32,%d,4096,1,cold,%d,%s,", op, variant, \
                    first + k, l, k % 2 ? "suspect,\"a, b\"" : "ok,"
                printf ",%.6f,%.6f,%.6f,1000,50\n", us, us * 0.999, us * 1.001
            }
    }' >>"$1/$2.csv"
}

# ---- aa: 400 cells, of which COUNT go by FACTOR and SCATTER in b
aa() { # FOLDER COUNT FACTOR [SCATTER]
    for side in a b; do
        manifest "$1/aa/$side" longest_launch_s,100
    done
    cells "$1/aa/a" cumsum v 400 30 1
    cells "$1/aa/b" cumsum v "$2" 30 "$3" "${4:-0.001}"
    cells "$1/aa/b" cumsum v $((400 - $2)) $((30 + $2)) 1
}
"$source/proof/aa.sh" --first c same >out 2>&1
ok 'aa: sides are a and b' grep -qF 'a or b, not c' out
"$source/proof/aa.sh" --help >out
ok 'its options are told' grep -q -e --first out
aa same 0 1
ok 'aa: the same' judge 0 aa same
ok 'its cells' found cells '| 400 | met'
ok 'unchanged' found '`unchanged`' '400 of 400, 100.00 % | met'
aa few 4 1.04
ok 'aa: four of 400' judge 0 aa few
ok 'counted' found 'false alarms' '4 of 400, 1.00 % | met'
ok 'how far' found 'the farthest' '| 4.00 % | met'
aa many 5 0.96
ok 'aa: five' judge 1 aa many
ok 'counted' found 'false alarms' '5 of 400, 1.25 % | **missed**'
ok 'how far, either way' found 'the farthest' '| 4.17 % | met'
aa far 1 1.1
ok 'aa: one by far' judge 1 aa far
ok 'how far' found 'the farthest' '| 10.00 % | **missed**'
aa wide 0 1 # and a wide cell among every five, unlike the others
rm wide/aa/b/cumsum.csv
for first in $(seq 30 5 425); do
    cells wide/aa/b cumsum v 1 "$first" 1 0.05
    cells wide/aa/b cumsum v 4 $((first + 1)) 1
done
ok 'aa: too much scatter' judge 1 aa wide
ok 'counted' found '`unchanged`' '320 of 400, 80.00 % | **missed**'
aa broken 0 1
sed -i '/,31,4096,/s/,ok,.*\|,suspect,.*/,wrong,off,,,,,,/' broken/aa/b/cumsum.csv
ok 'aa: one broken' judge 0 aa broken
ok 'counted' found 'false alarms' '1 of 400, 0.25 % | met'
ok 'it has no ratio' found 'the farthest' '| 0.00 % | met'
sed -i 's/longest_launch_s,100/longest_launch_s,130.5/' same/aa/b/manifest.csv
ok 'aa: long launches' judge 1 aa same
ok 'counted' found 'the longest' '| 130.5 s | **missed**'
sed -i '/,249,4096,/,$d' few/aa/[ab]/cumsum.csv
ok 'aa: few cells' judge 1 aa few
ok 'counted' found 'cells' '219 | **missed**'

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
aa seen 0 1 # 400 cells of 30 us and more
for side in a b; do cells "seen/aa/$side" cumsum short 40 10 1; done
ok 'sensitivity, with aa' judge 0 sensitivity seen
ok 'among other variants' found '3 % longer, cells of aa' '429 of 429, 100.00 %'
for us in 40 60 80 100 120; do # a variant that scatters, at these sizes
    for side in a b; do cells "seen/aa/$side" cumsum wild 1 "$us" 1 0.08; done
done
ok 'sensitivity, with a wild variant' judge 0 sensitivity seen
ok 'which is not seen' found '3 % longer, cells of aa' '429 of 434, 98.85 %'
points unseen 1.01 1.03 94
ok 'sensitivity: too few' judge 1 sensitivity unseen
ok 'counted' found '3 % longer, cells above' '94 of 100, 94.00 % | **missed**'
points wrong 0.9 1.03 100
ok 'sensitivity: 1 % called faster' judge 1 sensitivity wrong
ok 'counted' found '1 % longer, all cells' '100 of 120, 83.33 % | **missed**'

# ---- repeat
ceilings() { # FOLDER LAUNCHES STEP_GBPS
    manifest "$1/repeat"
    awk -v launches="$2" -v step="$3" 'BEGIN {
        print "kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process," \
            "phase"
        for (l = 0; l < launches; ++l) {
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
    awk -v factor="$2" 'BEGIN {
        print "cell,profile,kernels,us"
        for (k = 45; k < 65; ++k)
            for (p = 0; p < 3; ++p) # the last one is an outlier
                print "flip/v/f32/" k "x4096x1," p ",1," \
                    (p == 2 ? 900 : k <= 50 ? k - 1 : k * factor)
        }' >"$1/agreement/ncu.csv"
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
grep -v '/64x' far/agreement/ncu.csv >left && mv left far/agreement/ncu.csv
ok 'agreement: a cell less' judge 1 agreement far
ok 'counted' found cells '| 19 | **missed**'

# ---- cost
manifest set/h200/default wall_s,100 verify_s,20 sample_s,70
sed -i 's/^timed_s,.*/timed_s,60/' set/h200/default/manifest.csv
ok 'cost' judge 0 cost set/h200/default
ok 'its own share' found "the instrument's own" '| 40.0 s, 40.0 % | met'
ok 'the rest' found processes '10.0 s, 10.0 %'
sed -i 's/^timed_s,.*/timed_s,50/' set/h200/default/manifest.csv
ok 'cost: half' judge 1 cost set/h200/default

# ---- the report
report=$source/proof/report.sh
mv same set/h200/proof
printf '%s\n' before '<!-- proof -->' old '<!-- /proof -->' after >page
ok 'not there yet' test "$("$report" set --check page >out 2>&1; echo $?)" = 1
ok 'how to mend it' grep -e '--write page' out
ok 'written' "$report" set --write page
ok 'is there' "$report" set --check page
ok 'what was there stays' test "$(sed -n '1p;$p' page | paste -sd, -)" = \
    before,after
ok 'old things go' test "$(grep -c '^old$' page)" = 0
ok 'a device' grep '^### NVIDIA H200$' page
ok 'what is not there' grep '^Not measured yet.$' page
sed -i 's/0.896 %/0.895 %/' page
ok 'a figure by hand' test "$("$report" set --check page >out; echo $?)" = 1
mkdir none
ok 'no set' "$report" none --write page
ok 'said so' grep '^No set has been measured yet.$' page

# ---- the slowed copy is right, and need not be caught
check="$SCANBENCH check --device host --broken -f slowed.*f32 -q"
ok 'slowed is right' $check
ok 'and not to be caught' $check --must-fail

# ---- the plans: what each asks of scanbench, which fails here
cat >asked <<END
#!/bin/sh
echo "\$*" >words
exit 2
END
chmod +x asked
asks() { # PROOF WORDS
    SCANBENCH=./asked "$source/proof/$1.sh" plans
    grep -F -e "$2" words || { cat words && return 1; }
}
ok 'aa asks' asks aa '--grid aa --cache cold,hot --device cuda:0'
ok 'of a first' grep -F -e '-o plans/aa/a0' words
SCANBENCH=./asked "$source/proof/aa.sh" --first b plans
ok 'or of b' grep -F -e '-o plans/aa/b0' words
ok 'sensitivity asks' asks sensitivity \
    ' --processes 3 --cache cold,hot --shape 1x4096x1,1x16384x1,'
ok 'up to' asks sensitivity ',1x134217728x1,1x268435456x1 --device'
ok 'repeat asks' asks repeat '--op copy --dtype f32 --shape 1x268435456x1 '
ok 'agreement asks' asks agreement \
    '|sum/warp_per_line_b256_i16/f32/4096x4096x1)$ --dtype f32 --shape '
ok 'cost asks' asks cost '-o plans --grid default --device'

# ---- measured on the host: cut short after two runs, and gone on with
words='--op cumsum --dtype f32 --shape 3x2049:1 --cache hot --budget 0'
cat >cut_short <<END
#!/bin/sh
[ "\$1" = run ] && [ -d host/aa/b0 ] && exit 130
exec "$SCANBENCH" "\$@"
END
chmod +x cut_short
measure() { # WANTED STATUS, WORDS...: what it says is in out
    wanted=$1
    shift
    "$@" >out 2>&1
    got=$?
    [ "$got" -eq "$wanted" ] && return
    echo "status $got, not $wanted"
    cat out
    return 1
}
rows() { # SIDE: op,variant,dtype,shape,cache,launch
    tail -q -n +2 "host/aa/$1/cumsum.csv" "host/aa/$1/copy.csv" |
        cut -d , -f 2-9 | sort
}
ok 'aa, cut short' measure 130 env SCANBENCH=./cut_short "$source/proof/aa.sh" \
    --device host host -- $words
utc=$(grep '^utc,' host/aa/a0/manifest.csv)
ok 'aa, gone on with' measure 1 "$source/proof/aa.sh" --device host host \
    -- $words
ok 'found' found cells '| 7 | **missed**'
ok 'what was there was taken' grep -x "$utc" host/aa/a/manifest.csv
ok 'three launches' grep -x processes,3 host/aa/b/manifest.csv
ok 'their seeds' grep -x 'seed,1 2 3' host/aa/b/manifest.csv
rows a >a
rows b >b
ok 'the same rows' diff a b
ok 'each once, three launches' test "$(uniq a | wc -l)" -eq 21
ok 'the longest launch' grep -E 'longest_launch_s,[0-9]' host/aa/a/manifest.csv
ok 'ceilings' test "$(grep -c ',2,end' host/aa/a/ceilings.csv)" -eq 1
mv host/aa/a there
ok 'nothing is judged half' judge 2 aa host
ok 'sensitivity' measure 1 "$source/proof/sensitivity.sh" --pct 30 \
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
ok 'agreement' measure 1 env NCU=./fake_ncu "$source/proof/agreement.sh" \
    --device host host -- copy/memcpy/f32/1x4096x1
ok 'the sum over kernels' found '`copy/memcpy/f32/1x4096x1`' '| 2 | '
ok 'in microseconds' grep '^copy/.*,2,2,101.024$' host/agreement/ncu.csv
ok 'without ncu, judged' measure 1 env NCU=no_ncu \
    "$source/proof/agreement.sh" --device host host -- copy/memcpy/f32/1x4096x1
sed -i 1q host/agreement/ncu.csv
ok 'no ncu' measure 2 env NCU=no_ncu "$source/proof/agreement.sh" \
    --device host host -- copy/memcpy/f32/1x4096x1
ok 'no folder' measure 2 "$source/proof/repeat.sh"
ok 'a mistyped option' measure 2 "$source/proof/repeat.sh" --jugde x host

tally
