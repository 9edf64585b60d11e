# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a run over several ranks, all on the host: its rows, the reasons of
skips, resume; and a run of one device has no rows of mgpu/."""
import os

import expect
from expect import edit, ok, read, table, transcript, write

os.environ.update(OMP_NUM_THREADS='1', OMP_WAIT_POLICY='passive')
# --slow 0 times nothing, which is quick
RUN = {'run': 'run --device host --op cumsum --dtype f32 --slow 0 -q'}

transcript('''
77 $run --ranks 3 --shape 1x1000:1,2x600x3:1 -o three => -@ three/cumsum.csv ^serial,
    @ three/manifest.csv ^device_name,.* as 3 ranks$
77 $run --shape 1x1000:1 -o one => -@ one/cumsum.csv mgpu
2 check --ranks 0 => ! from 1 to 8
2 check --ranks 9 => ! from 1 to 8
''', RUN)
ok('no rank of one device', read('one/cumsum.csv').endswith(',,,\n'))
rows = table('three/cumsum.csv')
for what, variant, status, reason in (
        ('verified', 'mgpu_reduce_gather_scan_peer', 'slow', ''),
        ('fewer lines', 'mgpu_lines', 'skip', 'fewer lines than ranks'),
        ('one line', 'mgpu_hidden_exchange', 'skip', 'nothing to hide behind'),
        ('twins are over all, too', 'mgpu_balanced_shares', 'slow', '')):
    ok(what, any(row['variant'] == variant and row['status'] == status and reason in row['reason']
                 and row['ranks'] == '3' and row['gpus'] == '0' for row in rows))
lines = read('three/cumsum.csv').splitlines()
edit('three/manifest.csv', '^complete,1', 'complete,0')
write('three/cumsum.csv', *lines[:-1])
transcript('77 run -q --resume three')
ok('the lost row is there', len(read('three/cumsum.csv').splitlines()) == len(lines))
expect.tally()
