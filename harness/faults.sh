# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH: what the tests of faults share; each sources this file. A sweep on
# the host that nothing happens to, in whole, and what another has kept of it.
set -u
scanbench=$(realpath "$1")
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"

# Few cells: a sample flushes the host's cache, and the sweep is made ten times.
words='--device host --op cumsum,sum --dtype f32 --shape 3x2049:1,5x300x7
--cache hot --budget 0 --processes 2 -q'
extra=''
sweep() { # WORDS...
    # shellcheck disable=SC2086 # words
    "$scanbench" run $words $extra "$@"
}

is_status() { # WANTED GOT
    [ "$1" -eq "$2" ] && return
    echo "status $2, not $1"
    cat err
    return 1
}

# All rows, without the header lines.
rows() { # FOLDER
    for csv in "$1"/*.csv; do
        case ${csv##*/} in
        manifest.csv | ceilings.csv) ;;
        *) sed 1d "$csv" ;;
        esac
    done
}

cells() { # FOLDER: op,variant,dtype,outer,axis,inner,cache,process
    rows "$1" | cut -d , -f 2-3,5-10 | sort
}

keeps() { # FILE OF WHOLE ROWS, FOLDER
    rows "$2" | sort >now
    sort "$1" | comm -23 - now >lost
    [ ! -s lost ] && return
    echo "lost:"
    cat lost
    return 1
}

same_cells() { # FOLDER
    cells "$1" >found
    diff whole.cells found
}

same_ceilings() { # FOLDER: kind, twin, dtype, cache, elems, process and phase
    for run in whole "$1"; do
        cut -d , -f 1-5,10,11 "$run/ceilings.csv" |
            sort >"$work/${run##*/}.roofs"
    done
    diff whole.roofs "${1##*/}.roofs"
}

# Takes it up again, and looks at what it has then.
resumes() { # DESCRIPTION FOLDER
    sweep --resume "$2" >out 2>err
    ok "$1: resumed" is_status 0 $?
    ok "$1: the same cells" same_cells "$2"
    ok "$1: the same ceilings" same_ceilings "$2"
    ok "$1: complete" grep '^complete,1' "$2/manifest.csv"
    ok "$1: nothing was lost" keeps before "$2"
}

# Runs in the background until there are ROWS rows; sets child.
start() { # FOLDER ROWS
    # shellcheck disable=SC2086 # words
    "$scanbench" run $words $extra -o "$1" >out 2>err &
    child=$!
    tries=0
    until [ "$(rows "$1" 2>/dev/null | wc -l)" -ge "$2" ]; do
        tries=$((tries + 1))
        [ $tries -lt 1200 ] || break
        sleep 0.05
    done
}

sweep -o whole >out 2>err
ok 'nothing happens' is_status 0 $?
cells whole >whole.cells
count=$(wc -l <whole.cells)
ok 'its cells, each once' test -z "$(uniq -d whole.cells)"
ok 'of both processes' test "$count" -ge 24
