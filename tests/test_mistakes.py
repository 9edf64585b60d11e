# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: mistakes of users and their messages: mistyped words, folders
that cannot be, full disks, problems without elements."""
import os
import resource

import expect
from expect import ok, read, run, transcript

HOST = {'host': '--device host --budget 0',
        'bits': 'check --device host --broken -f nondeterministic -q --shape 3x1025:1',
        'repeat': 'check --device host -f ^cumsum/serial/f32 --shape 3x1025:1 --repeat',
        'none': '--op cumsum --dtype f32 --shape 3x0x1 --device host --budget 0'}

# ---- words and folders
transcript(r'''
0 run -f ^cumsum/serial/f32 --shape 3x5:1 $host -q -o sweep
2 run --quick $host -o sweep
0 new scan/x --help => .
2 rnu --quick => ! did you mean run. There are: run, check,
0 list --shapes --shape 8,8,8:-1,4x4x4,(2,3):0 --op sum --device host --grid headline => ^64x8x1$ => ^4x4x4$ => ^1x2x3$
    ! ^scanbench: sum over dim 2 of 8 x 8 x 8, stride 1$
    ! ^scanbench: sum over dim 1 of 4 x 4 x 4, stride 4 (three extents without
0 check -f serial/f32 --op sum,cumsum --shape 3,5:1 --device host => ! ^scanbench: over dim 1 of 3 x 5, stride 1$
0 list -f serial/f32 --op sum --shape 3,5:1 --frameworks => ! ^scanbench: sum over dim 1 of 3 x 5, stride 1$
0 check -f serial/f32 --op sum --shape 3x5:1 --device host -q => -! over dim
0 table sweep --shape 3x5:1 => ! ^scanbench: over dim 1 of 3 x 5, stride 1$
77 check --device host --shape 72057594037927936:0 --dtype f64 => ! needs [0-9.]* GB of memory
2 run --quick --device host -o /proc/none/here => ! make its folder first
2 run --quick --device host -o sweep/cumsum.csv/x => ! make its folder first
2 run --resume nowhere => ! cannot be resumed: there is no such folder => -! copy the whole
2 regret nowhere => ! name a run, or a folder of runs
77 show sweep --dtype f16 => ! ^scanbench table lists
2 tune => ! as in tune sum
2 list --device host -f ^cumsun/ => ! nothing matches on the host
2 list --device host --family host/serial --op copy => ! nothing matches on the host
2 list --device cuda --op cummax --dtype u8 => ! no operation of --op has a type of --dtype on the GPU
2 run --device host --op mean,logsumexp --dtype i64,bool => ! : no operation of --op has a type of --dtype
2 list --device host --family scan/blork => ! unknown family 'scan/blork'
2 check --device host --op sum --dtype f32 --contract monotone => ! no operation of --op may keep what
2 run --device host --op cumsum_narrow => ! no operation of --op is of floats, the default of --dtype$
2 list --op cumprod --shape ragged:100:9:zipf => ! nothing matches: .* ragged lines
2 list --op cumsum --shape ragged:100:9:zipf,iner=2 => ! 'iner=2': not inner=N
2 list --op mean --dtype bool => ! nothing matches: .* type of --dtype
2 list -f no_such_variant => # 0 . => ! nothing matches
0 list -f cumsum/serial/f32 => cumsum/serial/f32 => -! .
0 run --quick --device host -n => ! cells
0 --help => ^EXIT STATUS
''', HOST)
transcript('2 run --quick --device host => ! SCANBENCH_RESULTS has a control character in it',
           env={**os.environ, 'SCANBENCH_RESULTS': 'a\nb'})
transcript('2 run --quick --device host -o many => ! OMP_NUM_THREADS is 100000: set it to at most 4096$',
           env={**os.environ, 'OMP_NUM_THREADS': '100000'})
with open('/dev/full', 'w', encoding='utf-8') as full:
    for words in ('list', '--help'):
        ok(f'{words}: what is cut must not pass as whole', run(words, stdout=full) == 2)
# Root may write anywhere, but not on a full device.
transcript('2 run --quick --device host -o small => ! free some space => -! resume', preexec_fn=lambda:
           resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
run('list', '--devices')  # it alone has the driver's reason
why = expect.err.partition('no usable GPU: ')[2] or 'none'
for words in ('run -q --op sum --dtype f32 --family host -f serial --shape 3x5:1 -o here',
              'list --op sum --shape 3x5:1', 'list --shapes --grid quick'):
    ok(f'{words}: a short line', run(*words.split()) < 78 and why not in expect.err, expect.err)
if os.getuid():
    os.mkdir('locked', 0o555)
    transcript('2 run --quick --device host -o locked/x => ! where you may write')
if run('list', '--device', 'cuda'):
    transcript('77 check --device cuda => ! no CUDA (.* when it was configured)')

# ---- the same bits in every launch, or not: only --repeat sees it
transcript(r'''
0 $bits
1 $bits --repeat 5 => ! launch 2 of 6 gave other bits.*element [0-9]
0 $repeat 5 => ! ^scanbench: cells .*up to 5 .* at least 5 times: 1$ => -! fewer
0 $repeat 1000000 => ! at least [0-9]* times: 1$
    ! ^scanbench: 1 of them fewer .* after 0.5 s
''', HOST)

# ---- nothing but skips is no success, even with probes of the ceilings; empty sums
# are outputs without a time
transcript(r'''
77 run $none -q -o none
77 run $none -o none2 => ! nothing was measured: every cell was skipped (3), the first: no output elem
77 check --op cumsum --shape 3x0x1 --device host
77 run --op sum --shape 0x4:0 $host --dtype f32 -q -o empty
0 check --op sum --device host --shape 0x4:0 --dtype f32 => ^[1-9].* passed, 0 failed
0 run --op cumsum --dtype f32 --shape 3x0x1,3x5x1 $host -q -o some
0 run --op copy,cumsum -f ^copy/ --dtype f32 --shape 1x1024x1 $host -q -o probe
''', HOST)
ok('skips are rows', ',skip,no output' in read('none/cumsum.csv'))
ok('with the reason', expect.grep('f32,1,0,4,.*,skip,no elements: ', read('empty/sum.csv')))
expect.tally()
