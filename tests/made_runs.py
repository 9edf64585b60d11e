# SPDX-License-Identifier: MIT
"""Makes runs for tests of the analysis: base, same, slow (by 10 % in cumsum) and
fast."""
import os

from expect import append, write

HEADER = ('device,op,variant,dtype,outer,axis,inner,cache,process,status,reason'
          ',marks,median_us,ci_low_us,ci_high_us,gbps,pct_ceiling')


def manifest(folder, *facts):
    write(f'{folder}/manifest.csv', 'key,value', 'schema,4', 'complete,1', *facts)


def rows(folder, op, *lines):
    path = f'{folder}/{op}.csv'
    if not os.path.exists(path):
        write(path, HEADER)
    append(path, *lines)


def cell(folder, op, variant, us, processes=3):
    """Adds a cell whose processes differ a little."""
    times = [us * (1 + 0.001 * (p % 3 - 1)) for p in range(processes)]
    rows(folder, op, *(
        f'h200,{op},{variant},f32,64,4096,1,cold,{p},ok,,,'
        f'{t:.6g},{t * 0.999:.6g},{t * 1.001:.6g},1000,50'
        for p, t in enumerate(times)))


def untimed(folder, op, variant, status, reason):
    rows(folder, op,
         f'h200,{op},{variant},f32,64,4096,1,cold,0,{status},{reason},,,,,,')


def card(folder, gpu, together, gbps, name='NVIDIA H200'):
    """Makes a run on the card of that hash."""
    manifest(folder, f'device_name,{name}', f'gpu_hash,{gpu}', f'together,{together}')
    rows(folder, 'sum', *(f'x,sum,wide_b256,f32,{outer},1000000,1,cold,0,ok,,,1,1,1,{gbps},80'
                          for outer in (1, 2)))


def made(folder, factor=1):
    """Makes a run of three processes, with all times of cumsum multiplied."""
    manifest(folder, 'device_name,NVIDIA H200', 'sm_count,132', 'commit,abc')
    for us in (100, 200, 400, 800):
        cell(folder, 'cumsum', f'v{us}', us * factor)
        cell(folder, 'sum', f'v{us}', us)


made('base')
made('slow', 1.1)
made('fast', 0.9)
made('same')
