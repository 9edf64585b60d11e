# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: `scanbench compare --gpus` on made runs of several GPUs:
only what all have timed counts, each winner's figures are means, and what
differs is marked; in all three formats."""
import shutil

import expect
from expect import append, ok, transcript
from made_runs import manifest, rows


def gpu(folder, name, cells, utc='20260131T120000Z'):
    """A cell is VARIANT OUTER,AXIS,INNER US GB/S PCT [CACHE]."""
    manifest(folder, f'device_name,{name}', f'utc,{utc}')
    for cell in cells.strip().split('\n'):
        variant, shape, us, gbps, pct, *cache = cell.split()
        rows(folder, 'sum', f'x,sum,{variant}_b256,f32,{shape},{(cache or ["cold"])[0]},'
             f'0,ok,,,{us},{us},{us},{gbps},{pct}')


gpu('h200', 'NVIDIA H200', '''
wide 1,1000000,1 1 4000 80
narrow 1,1000000,1 2 2000 40
wide 2,1000000,1 1 1000 20
narrow 2,1000000,1 2 500 10
wide 4000,5000,1 1 3000 75
wide 7,8,9 1 30 7
wide 6000,5000,1 1 999 99 hot''')
gpu('t4', 'Tesla T4', '''
narrow 1,1000000,1 10 300 90
wide 1,1000000,1 20 150 45
narrow 2,1000000,1 10 300 90
wide 2,1000000,1 20 150 45
wide 4000,5000,1 9 250 81
narrow 4000,5000,1 1 999 99 hot
wide 6000,5000,1 1 999 99 hot''')
gpu('newer', 'Tesla T4', 'wide 1,1000000,1 1 310 91', '20260201T120000Z')
gpu('a100', 'A100 <b>', 'wide 1,1000000,1 5 1400 88')
gpu('other', 'L4', 'wide 3,3,3 1 1 1')
for copy in ('all/h200', 'all/t4', 'odd=name'):
    shutil.copytree(copy.replace('all/', '').replace('odd=name', 't4'), copy)
transcript(r'''
0 compare --gpus h200 t4 --format csv => # 5
    ^sum,few_lines,2,NVIDIA H200,2000,40,wide,2,1$
    ^sum,few_lines,2,Tesla T4,300,90,narrow,2,1$
    ^sum,many_lines,1,NVIDIA H200,3000,75,wide,1,0$
    ^sum,many_lines,1,Tesla T4,250,81,wide,1,0$
0 compare --gpus h200 t4
    ^sum  *few_lines  *2  Tesla T4  *300  *0.15  *90.0 %  \*  narrow (2)$
    ^sum  *many_lines  *1  Tesla T4  *250  *0.08  *81.0 %  *wide (1)$
0 compare --gpus h200 t4 --format markdown
    ^| sum | few&#95;lines | 2 | Tesla T4 | 300 | 0.15 | 90.0 % | &#42; | narrow &#40;2&#41; |$
0 compare --gpus all
0 compare --gpus all newer --format csv
    ^sum,few_lines,2,Tesla T4,304.959014,90.4986188,wide,1,0$
0 compare --gpus h200 t4 a100 --format csv => ^sum,few_lines,1,A100 <b>,1400,88,wide,1,1$ => # 4
''')

# ---- two builds on one card, by name
transcript(r'''
0 compare --gpus native=t4 compute_80=newer --format csv
    ^sum,few_lines,1,native,300,90,narrow,1,1$ => ^sum,few_lines,1,compute_80,310,91,wide,1,1$
0 compare --gpus a,b=t4 h200 => \ a,b  *300
0 compare --gpus a,b=t4 h200 --format markdown => ^| sum | few&#95;lines | 2 | a,b | 300
0 compare --gpus a,b=t4 h200 --format csv => ^sum,few_lines,2,"a,b",300,
0 compare --gpus odd=name h200 --format csv => ,Tesla T4,
''')

# ---- GPUs in the order of the command line, whatever is newer
for words in (['native=t4', 'compute_80=newer'], ['compute_80=newer', 'native=t4'],
              ['h200', 'newer', 't4'], ['newer', 'h200', 't4']):
    expect.run('compare', '--gpus', *words, '--op', 'sum', '--format', 'csv')
    listed = list(dict.fromkeys(line.split(',')[3] for line in expect.out.splitlines()[1:]))
    wanted = [{'h200': 'NVIDIA H200', 'newer': 'Tesla T4', 't4': 'Tesla T4'}.get(
        word, word.split('=')[0]) for word in words]
    ok(f'the order of {words}', listed == list(dict.fromkeys(wanted)), listed)
transcript(r'''
0 compare --gpus newer h200 t4 --format csv => ^sum,few_lines,2,Tesla T4,304.959014,
0 compare --gpus t4 h200 newer --format csv => ^sum,few_lines,2,Tesla T4,304.959014,
''')

# ---- rows picked
transcript(r'''
0 compare --gpus h200 t4 --format csv --top 1 => # 3 => ! 1 of 2 rows
0 compare --gpus h200 t4 --format csv --shape 4000x5000x1 => # 3
0 compare --gpus h200 t4 --format csv -f wide => # 5
0 compare --gpus h200 t4 --format csv --exclude wide --exclude nobody => # 3
''')

# ---- what makes no table
append('newer/sum.csv', 'x,sum,torn')
transcript(r'''
2 compare --gpus t4 all/t4 => ! are of one GPU => ! as NAME=RUN
2 compare --gpus =t4 h200 => ! a name is missing
2 compare --gpus a=nowhere h200 => ! nowhere
2 compare --gpus t4 other => ! measure the same grid
2 compare --gpus => ! a folder is missing
2 compare --gpus t4 h200 --op flip => ! measure the same grid
2 compare --gpus t4 h200 --floor-us 1 => ! ^scanbench: --gpus .*--floor-us
2 compare --gpus t4 h200 --against wide => ! ^scanbench: --gpus .*--against
2 compare --gpus newer h200 => ! damaged
''')
expect.tally()
