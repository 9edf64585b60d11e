# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: the kernel for a shape, without a GPU, in any build."""
import json
import os
import re

import expect
from expect import ok, read, run, transcript

transcript(r"""
0 which sum 128x512x511:-1 => ^NVIDIA H200: sum f32 over dim 2 of 128 x 512 x 511, stride 1$ => ^kernel  *[a-z]
    ^file  *variants/reduce/.*\.cu:  => ^expected  *[0-9.]* us, [0-9]* % of the ceiling (read)
    ^error  *[0-9]* unseen shapes (short_lines): in 90 % of them => ^nearest  *[0-9.]* us, [0-9]* %, at [0-9x]*, [0-9.]* octaves away$ => ^torch  *.*[0-9.]* us, 
0 which cumsum 32768x32768:1 => ^measured  => - is far => ^torch  *[0-9.]* times best's time: .* us, .* %, at
0 which logsumexp 1048576x256:1 => ^torch  *[0-9.]* times torch_compile's time:  => ^compiled .* %, the fastest there, at
0 which sum 3:0,4:0,5:0,6x7:0 => over dim 0 of 5, stride 1$ => over 1x6x7$ => # 4 ^kernel
0 which cumsum '(4, 8)' --gpu h100 => ^NVIDIA H100 80GB HBM3: cumsum f32 .* (without :DIM the last)$
    ^guess  *the rules are those of the NVIDIA H200
0 which amax 4096,4096,7:1 => - ^guess .*of other operators
0 which cummax 4096,4096,7:1 --dtype i32 => ^guess  *the rules are those of other operators or types
0 which sum 7:0 => the nearest unseen shape is far: 
0 which cumprod_reverse 512x512:1 => no unseen shape of this operation => -! . => - ^expected
0 which cumsum 4x8:1 --gpu 'rtx 4090' => ^GeForce RTX 4090:  => guess .* those of the NVIDIA H200 => - ^expected
0 which flip 512x512:1 --gpu $rules --dtype f16 => ^NVIDIA H200:  => variants/flip/ => no unseen shape of this operation and type is known$ => -! . => - ^expected
0 which recurrence 100x5000:0 --dtype bf16 => variants/scan/recurrence/ => ^expected .*(copy_xor) => ^compiled 
0 which recurrence_reverse 9x9:1 => variants/scan/recurrence/ => - ^expected => - ^error => no unseen shape
0 which sum ragged:100:10:zipf => variants/reduce/spans/ragged => ^expected => ^error  .*(ragged) => ^torch .*at ragged: => - rules
0 which cumsum ragged:1048576:64:zipf,inner=128 => scan/columns/ragged => ^measured => - rules
0 which cumsum ragged:1048576:64:zipf,inner=128,offsets=i32 => ^expected
2 which sum 7:0,ragged:100:10:zipf --dtype i32 => ! there is no sum of it on ragged lines for GPUs => - .
2 which argmax ragged:100:10:zipf => ! op .argmax.: ragged lines have sums
2 which sum => ! as in which sum 64x4096:1
2 which copy 64x64:1 => ! op 'copy': rules are of scans
2 which sun 64x64:1 => ! did you mean sum
2 which sum 64x0:1 => ! shape '64x0x1': it has no elements
0 which sum 64x4096:1 --dtype u8 => - of other operators
2 which cummax 64x64:1 --dtype i64,u8 => ! dtype 'u8': there is no cummax
2 which sum 64x64:1 --gpu h300 => ! gpu 'h300': it is a file of rules, h200 or h100; known are sm_75
2 which sum 64x64:1 --gpu $source/README.md => ! rules .*README.md: line 1: a file of rules begins with
2 which sum 64x64:1 --format csv => ! unknown format .csv.; there are: text, json
""".replace("'copy'", '.copy.').replace("'u8'", '.u8.').replace("'64x0x1'", '.64x0x1.').replace("'h300'", '.h300.'),
           {'rules': f'{expect.SOURCE}/results/best/h200.csv', 'source': expect.SOURCE})

# ---- every operation along lines, both kinds of lines: a kernel, whose file has it
run('which', 'sum', '3:0', '--dtype', 'f32')
facts = read(f'{expect.SOURCE}/results/h200/default/manifest.csv')
empty_us = float(re.search('^empty_us,(.*)', facts, re.M)[1])
operations = ('cumsum,cumsum_exclusive,cumsum_reverse,masked_cumsum,sum,mean,cumprod,'
              'cumprod_exclusive,prod,cummax_reverse,amin,argmax,logsumexp,logcumsumexp,flip')
status = run('which', operations, '1x5:1,77x1000003:1,64,4096,4095:1,300000x31x5', '--dtype',
             'f32,bf16', '--format', 'json')
answers = json.loads(expect.out)
ok('all are answered', status == 0 and len(answers) == 15 * 4 * 2, status, len(answers))
for answer in answers:
    file = answer['file'] or 'none'
    ok(f'{answer}: a file', os.path.isfile(f'{expect.SOURCE}/variants/{file}'))
    ok(f'{answer}: of the kernel', answer['kernel'].startswith(file.split('/')[-1][:-3]) or
       f'"{answer["kernel"]}"' in read(f'{expect.SOURCE}/variants/{file}'))
    records = read(f'{expect.SOURCE}/variants/{file.split("/")[0]}/meson.build') \
        if 'flip' not in file else ''
    guess = answer['guess'] or ''
    other = not re.search('cumsum$|cumsum_|^sum|flip', answer['op'])
    ok(f'{answer}: rules of its own', 'those of other' not in guess)
    ok(f'{answer}: of this operator', not other or
       f"'{file.split('/')[-1][:-3]}': ['every_operator'" in records)
    ok(f'{answer}: no shorter than an empty kernel', not answer['us'] or answer['us'] > empty_us)
    away = [cell['octaves'] for cell in answer['nearest']]
    ok(f'{answer}: in order', away == sorted(away))
os.environ['SCANBENCH_RULES'] = f'{expect.SOURCE}/results/best/h200.csv'
transcript('0 which sum 64x64:1 --gpu h100 => ^NVIDIA H200:  => - ^expected')
expect.tally()
