#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: a run over several ranks, of which the host's take turns:
# its rows, what is skipped and why, resume, and that nothing of mgpu/ is in a
# run of one device.
set -u
scanbench=$(realpath "$1")
# shellcheck source=src/base/test.sh
. "$(realpath "$2")/src/base/test.sh"
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive

run() { # WANTED STATUS, WORDS...: --slow 0 times nothing, which is quick
    wanted=$1
    shift
    status "$wanted" "$scanbench" run --device host --op cumsum --dtype f32 \
        --slow 0 -q "$@" >said 2>&1 && return
    cat said
    return 1
}
row() { # FOLDER VARIANT STATUS REASON: its row, over 3 ranks on no GPU
    awk -F , -v variant="$2" -v status="$3" -v reason="$4" '
        FNR == 1 { for (k = 1; k <= NF; ++k) at[$k] = k }
        $at["variant"] == variant && $at["status"] == status &&
            index($at["reason"], reason) && $at["ranks"] == 3 &&
            $at["gpus"] == 0 { found = 1 }
        END { exit !found }' "$1/cumsum.csv"
}
ok 'over 3 ranks' run 77 --ranks 3 --shape 1x1000:1,2x600x3:1 -o three
ok 'verified' row three mgpu_reduce_gather_scan_peer slow ''
ok 'fewer lines' row three mgpu_lines skip 'fewer lines than ranks'
ok 'one line' row three mgpu_hidden_exchange skip 'nothing to hide behind'
ok 'the device is called so' grep -q '^device_name,.* as 3 ranks$' \
    three/manifest.csv
ok 'twins are over all, too' row three mgpu_balanced_shares slow ''
ok 'no variant of one device' sh -c '! grep -q ",serial," three/cumsum.csv'
rows=$(wc -l <three/cumsum.csv)
sed 's/^complete,1/complete,0/' three/manifest.csv >changed
mv changed three/manifest.csv
sed -i '$d' three/cumsum.csv
ok 'resume' status 77 "$scanbench" run -q --resume three
ok 'completes it' [ "$(wc -l <three/cumsum.csv)" -eq "$rows" ]
ok 'on one device' run 77 --shape 1x1000:1 -o one
ok 'none of mgpu' sh -c '! grep -q mgpu one/cumsum.csv'
ok 'nor is a rank' sh -c 'tail -n 1 one/cumsum.csv | grep -q ",,,\$"'
ok 'no rank' says 'from 1 to 8' "$scanbench" check --ranks 0
ok 'too many' says 'from 1 to 8' "$scanbench" check --ranks 9
tally
