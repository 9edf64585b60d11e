# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a run on several devices, for which the host stands in
twice, `compare --cards` on made runs of two cards, and a run over several ranks."""
import os
import shutil
import signal
import socket

import expect
from expect import edit, grep, ok, read, run, start, table, transcript, until, write
from made_runs import card

os.environ.update(OMP_NUM_THREADS='1', OMP_WAIT_POLICY='passive')
# --slow 0 times nothing, which is quick
TWO = {'two': '--device host,host --op write --dtype f32 --shape 1x64:1 --slow 0'}

transcript(r'''
77 run $two -o both => ^both$ => # 1 . => ! 2 devices; scanbench compare --cards both
    @ both/device0/manifest.csv ^complete,1$
    @ both/device1/manifest.csv ^complete,1$
    @ both/device0/manifest.csv ^together,2$
    @ both/device1/manifest.csv ^together,2$
    @ both/device0/manifest.csv device host"$
    @ both/device1/manifest.csv device host"$
0 run $two -n -o dry => - ^dry => -! compare
''', TWO)
if run('list', '--device', 'cuda'):  # nothing ran, so nothing is named
    transcript(r'''
77 run --device cuda:0,cuda:1 --quick -o none => # 0 . => -! compare --cards
    ! none/device1 ended with status 77
77 run --device all --quick => # 0 . => ! ^scanbench: cuda:0 does not open: 
''')
    ok('no folder of theirs', not os.path.exists('none/device0/manifest.csv'))
transcript(r'''
0 report both -o both.html => @ both.html <title>device0, device1 - scanbench</title>
2 report both both both both both both both both both -o more.html => ! 16 runs at most
''')
rows = read('both/device1/write.csv').splitlines()
edit('both/device1/manifest.csv', '^complete,1', 'complete,0')
write('both/device1/write.csv', *rows[:-1])
transcript(r'''
77 run --resume both -q => @ both/device1/manifest.csv ^complete,1$
    @ both/device1/manifest.csv ^together,2$
''')
ok('the row that was lost', len(read('both/device1/write.csv').splitlines()) == len(rows))
transcript(r'''
2 run --resume both --op sum => ! both/device0 was begun with .* and not with 'sum'
77 run $two --in-process -o inside
77 run --resume inside
2 run $two -o both => ! both/device0 ended with status 2
2 run --ranks 2 --device all --quick => ! '--ranks': not with several devices
2 run --ranks 2 $two -o ranks => ! '--ranks': not with several devices
77 run --ranks 2 $two --device host -o ranks
2 check --device host,host => ! only run takes several
2 run --device host,gpu => ! device 'gpu'
''', TWO)
for number in signal.SIGTERM, signal.SIGHUP:
    cut = number.name
    child = start('run', '--device', 'host,host', '--op', 'sum', '-q', '-o', cut)
    until(lambda: all(os.path.exists(f'{cut}/device{k}/ceilings.csv') for k in (0, 1)))
    child.send_signal(number)
    ok(f'{cut}: an interrupt', child.wait() == 130, child.returncode)
    for k in (0, 1):
        ok('ends all', grep('^complete,0$', read(f'{cut}/device{k}/manifest.csv')))

# ---- what is gone on with is the folder of all; of one device its own
transcript('''
0 run --device host,host --op sum --dtype f32 --shape 3x33x1,5x7x1 --budget 1 --time-limit 0 -o limited
    ! left out; --resume limited goes on$
0 run --device host --op sum --dtype f32 --shape 3x33x1,5x7x1 --budget 1 --time-limit 0 -o limited/alone
    ! left out; --resume limited/alone goes on$
''')

# ---- a run between that is gone
shutil.copytree('both', 'gap')
os.rename('gap/device1', 'gap/device2')
transcript('''
2 run --resume gap -q => ! gap/device1 cannot be resumed: there is no such folder
    -! device2 cannot
''')
ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
start('show', 'gone', stderr=theirs).wait()  # a write is a datagram
ok('a line is written at once', ours.recv(4096).endswith(b'printed)\n'))

card('alone0', 'aaaa111122223333', 1, 4000)
card('alone1', 'bbbb111122223333', 1, 4100)
card('with0', 'aaaa111122223333', 2, 3960)
card('with1', 'bbbb111122223333', 2, 4018)
card('host1', '', 1, 100, 'AMD EPYC')
card('host2', '', 2, 60, 'AMD EPYC')
transcript(r'''
0 compare --cards host1 host2 => ^AMD EPYC, together 2: -40.00 % of its GB/s alone$
0 compare --cards alone0 alone1 with0 with1 =>   NVIDIA H200 bbbb   *4100 
      NVIDIA H200 bbbb, together 2   *4018 
    ^NVIDIA H200 aaaa to NVIDIA H200 bbbb: +2.50 % GB/s$
    aaaa, together 2 to NVIDIA H200 bbbb, together 2: +1.46 % GB/s$
    ^NVIDIA H200 bbbb, together 2: -2.00 % of
0 compare --cards alone0 alone1 --format csv
2 compare --gpus alone0 alone1
2 compare --cards alone0 => ! of one card
''')
expect.run('compare', '--cards', 'alone0', 'alone1', '--format', 'csv')
ok('as data it is data alone', all(',' in line for line in expect.out.splitlines()), expect.out)

# ---- several ranks, all on the host; a run of one device has no rows of mgpu/
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
