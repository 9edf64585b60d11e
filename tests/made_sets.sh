# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# Functions of the tests of the proofs, which source this file with the arguments
# SCANBENCH SOURCE.
# shellcheck disable=SC2016,SC2086 # no expansion in single quotes; words
set -u
SCANBENCH=$(realpath "$1") source=$(realpath "$2")
export SCANBENCH
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"

measure() { # STATUS COMMAND...: writes its output to out
    wanted=$1
    shift
    "$@" >out 2>&1
    got=$?
    [ "$got" -eq "$wanted" ] && return
    echo "status $got, not $wanted"
    cat out
    return 1
}
judge() { # STATUS PROOF FOLDER [OPTION...]
    wanted=$1 name=$2
    shift 2
    measure "$wanted" "$source/proof/all.py" --only "$name" --judge "$@"
}

# WHAT WORD: the finding that begins with WHAT contains WORD (met, missed).
found() {
    grep -F "| $1" out | grep -qF "$2" && return
    cat out
    return 1
}

manifest() { # FOLDER KEY,VALUE...
    mkdir -p "$1"
    to=$1/manifest.csv
    shift
    printf '%s\n' key,value schema,4 complete,1 'device_name,NVIDIA H200' \
        commit,abc driver,1.2 timed_s,1 "$@" >"$to"
}

# FOLDER OP VARIANT CELLS FIRST_US FACTOR [SCATTER]: writes three processes of cells
# of one variant, which differ by SCATTER. Cell k takes (FIRST_US + k) * FACTOR us.
cells() {
    [ -f "$1/ceilings.csv" ] || echo kind,twin,dtype,cache,elems,bytes,gbps,\
gflops,variant,process,phase >"$1/ceilings.csv"
    [ -f "$1/$2.csv" ] || echo variant,dtype,outer,axis,inner,\
cache,process,status,reason,marks,median_us,ci_low_us,ci_high_us,gbps,\
pct_ceiling >"$1/$2.csv"
    LC_ALL=C awk -v variant="$3" -v cells="$4" -v first="$5" \
        -v factor="$6" -v scatter="${7:-0.001}" 'BEGIN {
        for (k = 0; k < cells; ++k)
            for (l = 0; l < 3; ++l) {
                us = (first + k) * factor * (1 + scatter * (l % 3 - 1))
                printf "%s,f32,%d,4096,1,cold,%d,%s,", variant, \
                    first + k, l, k % 2 ? "suspect,\"a, b\"" : "ok,"
                printf ",%.6f,%.6f,%.6f,1000,50\n", us, us * 0.999, us * 1.001
            }
    }' >>"$1/$2.csv"
}
