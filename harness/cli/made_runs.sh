# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: what the tests of `scanbench compare` share; each sources
# this file. Runs made here, and what compare says of them.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"

compare() { # WANTED STATUS, ARGUMENTS: what it says is in out and err
    wanted=$1
    shift
    "$scanbench" compare "$@" >out 2>err
    got=$?
    [ "$got" -eq "$wanted" ] && return
    echo "status $got, not $wanted"
    cat out err
    return 1
}

has() { # FILE PATTERN
    grep -e "$2" "$1" && return
    echo "no '$2' in:"
    cat "$1"
    return 1
}

hasnt() { # FILE PATTERN
    ! grep -e "$2" "$1"
}

header=device,op,variant,dtype,outer,axis,inner,cache,process,status,reason,\
marks,median_us,ci_low_us,ci_high_us,gbps,pct_ceiling

manifest() { # FOLDER KEY,VALUE...
    mkdir -p "$1"
    to=$1/manifest.csv
    shift
    {
        echo key,value
        echo schema,3
        echo complete,1
        for fact; do echo "$fact"; done
    } >"$to"
}

# Appends a cell's processes, each a little off: FOLDER OP VARIANT US PROCESSES
cell() {
    [ -f "$1/$2.csv" ] || echo "$header" >"$1/$2.csv"
    awk -v op="$2" -v variant="$3" -v us="$4" -v processes="$5" 'BEGIN {
        for (l = 0; l < processes; ++l) {
            t = us * (1 + 0.001 * (l % 3 - 1))
            printf "h200,%s,%s,f32,64,4096,1,cold,%d,ok,,,", op, variant, l
            printf "%.6g,%.6g,%.6g,1000,50\n", t, t * 0.999, t * 1.001
        }
    }' >>"$1/$2.csv"
}

# Appends a cell that was not timed: FOLDER OP VARIANT STATUS REASON
untimed() {
    [ -f "$1/$2.csv" ] || echo "$header" >"$1/$2.csv"
    echo "h200,$2,$3,f32,64,4096,1,cold,0,$4,$5,,,,,," >>"$1/$2.csv"
}

# A run of three processes, with all times of cumsum multiplied: FOLDER FACTOR
run() {
    manifest "$1" 'device_name,NVIDIA H200' sm_count,132 commit,abc
    for us in 100 200 400 800; do
        cell "$1" cumsum "v$us" "$(echo "$us $2" | awk '{print $1 * $2}')" 3
        cell "$1" sum "v$us" "$us" 3
    done
}

run base 1
run slow 1.1
run fast 0.9
run same 1
