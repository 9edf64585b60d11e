# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: what `show` and `table` say of made runs, in every format, what
other commands say of such runs, and what `run` says in the end."""
import json
import os
import pty
import re

import expect
from expect import edit, ok, run, transcript, write
from made_runs import HEADER, manifest, rows, untimed


def at(folder, op, family, shape, us, marks=''):
    rows(folder, op, *(f'h200,{op},{family},f32,{shape},cold,{process},ok,,{marks},'
                       f'{us},{us},{us},1000,50' for process in range(3)))


manifest('gpu', 'device_name,NVIDIA H200', 'device_kind,cuda', 'ceiling_drift_pct,-41')
at('gpu', 'cumsum', 'lookback_b256', '64,4096,1', 10)
at('gpu', 'cumsum', 'lookback_b512', '64,4096,1', 11)
at('gpu', 'cumsum', 'packed_i8', '64,4096,1', 10)
at('gpu', 'cumsum', 'cub_scan', '64,4096,1', 25)
at('gpu', 'cumsum', 'cub_block_of_ours', '64,4096,1', 20)
at('gpu', 'cumsum', 'packed_i8', '32,4096,1', 4, 'near_empty')
at('gpu', 'cumsum', 'lookback_b256', '32,4096,1', 5)
at('gpu', 'cumsum', 'column', '1,64,4096', 7, 'above_ceiling')
at('gpu', 'copy', 'driver', '1,64,1', 1)
untimed('gpu', 'sum', 'v1', 'skip', 'too large')
manifest('host', 'device_kind,host')
at('host', 'cumsum', 'serial', '64,4096,1', 10)
manifest('cut')
edit('cut/manifest.csv', 'complete,1', 'complete,0')

# ---- a line a class, at its largest shape; every shape; other commands
transcript(r'''
0 show gpu => ^  64x4096x1  *few_lines  *lookback  *10.00  *1000  *50  *2.50x
    = packed; ahead at 1 of 2 shapes$ => - 32x4096x1
    ^  1x64x4096  *wide_inner  *column .* >120  *above_ceiling$
    ^  64x4096x1  .*v1  *skip: too large => - ^copy
    ^warning: the ceilings moved by -41
0 show gpu --op copy => ^  1x64x1  .*driver  *1.00
0 show gpu --all => ^  32x4096x1  .*packed  *4.00 .*near_empty
0 show gpu --shape 32x4096:1 => # 1 ^  [0-9]*x
0 show gpu -f /packed => - lookback
77 show gpu -f nobody => ! no such cell
77 show gpu --shape 48x4000:1 => ! ; the nearest shape: --shape 64x4096x1$
77 show gpu --shape 33x5000:1 --op cumsum => ! : --shape 32x4096x1$
77 show gpu --shape 1x8:1 --op flip => -! nearest
0 show gpu --family scan/packed,sum => packed => - lookback
77 show gpu --family reduce/packed => ! no such cell
0 table gpu --shape 32x4096:1 --family scan => 32x4096x1 => - 64x4096x1
2 show gpu --format jsn => ! did you mean json
2 show gpu gpu
2 show cut => ! cut short before .*run --resume
0 show gpu --format csv => ! warning: the ceilings moved => ,1,cub_scan,25,2,1$
    ^cumsum,f32,64,4096,1,,few_lines,cold,lookback,lookback_b256,3,ok,,,10,
0 show gpu --format markdown => ^| *64x4096x1 | few&#95;lines | lookback | 10.00 | 1000 |
0 table gpu => column  *7.00 .* >120$ => ^%: of the ceiling .*error:
77 rules host => # 0 . => ! all these runs are of a host
77 ladder host => # 0 . => ! all these runs are of a host
''')
for columns in ('40', '60', '80', '100', '130'):
    run('show', 'gpu', '--all', env={'COLUMNS': columns})
    ok(f'{columns} columns', max(map(len, expect.out.split('\n'))) <= int(columns), expect.out)
transcript('0 show gpu => ^  64x4096x1 .*lookback', env={'COLUMNS': '80'})
run('show', 'gpu', '--all')
ok('a pipe: nothing is wrapped', re.search('^warning: .* or its clocks changed$', expect.out, re.M), expect.out)
run('show', 'gpu', '--format', 'json')
shown = json.loads(expect.out)
first = shown['leads'][0]
skipped = next(lead for lead in shown['leads'] if lead['op'] == 'sum')
ok('JSON', shown['run']['device_name'] == 'NVIDIA H200' and first['class'] == 'few_lines' and
   (first['us'], first['tied'], first['cub_us']) == (10, 1, 25) and
   (skipped['us'], skipped['reason']) == (None, 'too large') and
   shown['warnings'][0].startswith('the ceilings moved'), expect.out)

# ---- what was named is listed, slow or not: by -f, --family or --top; families of plugins, too
manifest('built', 'device_kind,host', 'plugins,mine.so:1234')
for shape in '64,4096,1', '1,4096,64':
    at('built', 'cumsum', 'serial', shape, 10)
    at('built', 'cumsum', 'openmp_lines', shape, 20)
untimed('built', 'cumsum', 'chunked_two_pass', 'slow', '122 ms per launch')
at('built', 'cumsum', 'my_idea', '64,4096,1', 40)
transcript(r'''
0 show built => # 2 serial => # 1 ^  *my_idea  *40.00 .*4.00x the fastest's time => - openmp_lines
0 show built -f openmp -f serial => # 2 ^  *openmp_lines  *20.00 .*2.00x the fastest's time$
0 show built --family serial,openmp_lines,chunked_two_pass => # 2 ^  *openmp_lines  *20.00 => ^  *chunked_two_pass  *slow: 122 ms per launch$
0 show built --top 2 => # 2 ^  *openmp_lines  *20.00 => - chunked
0 show built --top 0 --format markdown => chunked&#95;two&#95;pass
''')

# ---- ranked by error; those that keep a contract
def judged(op, *cells):
    write(f'judged/{op}.csv', f'{HEADER},max_err', *(
        f'h200,{op},{variant},{dtype},64,4096,1,cold,0,ok,,,{us},{us},{us},1000,50,{error}'
        for variant, dtype, us, error in cells))


manifest('judged')
judged('cumsum', ('decoupled_lookback_b256_k72', 'f32', 10, 60), ('float64_carry_b256_i16', 'f32', 20, 6.6),
       ('deterministic_lookback_b256_i28_g64', 'f32', 12, 27), ('thread_per_line_b256', 'f32', 40, 500),
       ('torch_eager', 'f32', 5, 5))
judged('sum', ('split_axis_atomics', 'f32', 10, 1), ('cub_segmented_reduce', 'f32', 11, 2),
       ('warp_per_line_b256_i16', 'f32', 12, 3), ('best_deterministic', 'f32', 16.5, 2),
       ('split_axis_atomics', 'i32', 10, 0))
transcript(r'''
0 show judged => ^shape .* fastest .*error => ^  64x4096x1 .*torch_eager  *5.00 .* 5  
0 show judged --by error --op cumsum --exclude torch --top 2 => ^shape .* most accurate
    ^  64x4096x1 .*float64_carry  *20.00 .* 6.6  .*2.00x the fastest's time$
    ^  .*deterministic_lookback  *12.00 .* 27  .*1.20x the fastest's time$ => - 60
0 show judged --by error --format csv => ,torch_eager, => max_err,
0 table judged --by error --op cumsum => ^2 .*float64_carry => ^5 .*thread_per_line
0 show judged --contract deterministic => ^  64x4096x1 .*deterministic_lookback  *12.00
    ^  64x4096x1 .*cub_segmented_reduce => ^  64x4096x1 .*split_axis_atomics => - torch|decoupled
0 show judged --contract monotone --op cumsum => thread_per_line => - lookback
0 table judged --contract deterministic,portable_bits --dtype f32 => ^1  *warp_per_line => - cub_|cumsum
77 table judged --contract portable_bits --op cumsum => ! no such cell
0 regret judged --cells --contract deterministic => ,best_deterministic,ok,16.5,.*,cub_segmented_reduce,11,50,50$
77 regret judged --contract monotone => ! no cell of 'best_monotone'
2 show judged --contract fast => ! unknown contract 'fast'; there are: deterministic, portable_bits, monotone$
2 show judged --by size => ! size
2 report judged --by error => ! unknown option
''')

# ---- on a terminal the winner is bold and states are coloured
def on_terminal(words, **how):
    own, terminal = pty.openpty()
    run(*words.split(), stdout=terminal, env={
        **os.environ, 'TERM': 'xterm', 'COLUMNS': '200', 'NO_COLOR': '', **how})
    os.write(terminal, b'END')
    seen = os.read(own, 4096)
    while not seen.endswith(b'END'):
        seen += os.read(own, 4096)
    return seen[:-3].decode()


for words, *painted in (('show built --top 0', '[1mserial', '[33mslow: 122 ms'),
                        ('table built --all', '[1mserial', '[33mslow'),
                        ('table gpu --all --op sum', '[2mskip'),
                        ('compare base slow', '[31mslower')):
    seen = on_terminal(words)
    ok(f'{words}: colours', all(f'\033{paint}' in seen for paint in painted), repr(seen))
    ok(f'{words}: the same text', re.sub('\033\\[[0-9]*m', '', seen) ==
       on_terminal(words, NO_COLOR='1') and '\033' not in on_terminal(words, TERM='dumb'), repr(seen))

# ---- as Google Benchmark's JSON: the fields that its readers ask for
untimed('base', 'flip', 'v1', 'skip', 'too large')
transcript('''
0 table base --format google-benchmark => - flip
77 table base --format google-benchmark -f nobody
77 table base --format google-benchmark --op flip => ! no such cell with a time
2 table base --format gogle-benchmark => ! did you mean google-benchmark
2 show base --format google-benchmark => ! there are: text, json, csv, markdown
0 table base --format markdown => | --: 
0 table base --top 1 --shape 64x4096:1 --op cumsum => ^1  v => - ^2
''')

run('table', 'base', '--format', 'google-benchmark', '--op', 'cumsum')
google = json.loads(expect.out)
one = google['benchmarks'][1]
ok('google-benchmark', google['context'].keys() >= {
    'date', 'host_name', 'executable', 'num_cpus', 'mhz_per_cpu', 'caches', 'load_avg',
    'library_build_type'} and google['context']['json_schema_version'] == 1 and
   len(google['benchmarks']) == 12 and  # four cells of three processes
   one['name'] == one['run_name'] == 'cumsum/v100/f32/64x4096x1/cold' and
   one['repetitions'] == 3 and one['repetition_index'] == 1 and one['run_type'] == 'iteration' and
   one['time_unit'] == 'us' and abs(one['real_time'] - 100) < 0.2 and one['iterations'] >= 1 and
   one['bytes_per_second'] == 1000e9, google['context'], one)

# ---- the end of a run
transcript(r'''
77 run -f '/serial|/chunked' --op cumsum --dtype f32 --shape 1x30000:1 --device host --slow 0.001 -o paused
    ! serial  *slow: [0-9.]* ms per launch: not sampled (limit 0.001 ms; --slow [0-9.]* samples it)$
    ! chunked_two_pass  *slow: 
0 $quick -o here => # 1 ^here$ => # 1 => ! ^  3x65x1  *short_lines  => ! ^warning: one process
0 $quick -q -o quiet => # 1 ^quiet$ => # 1 => -! few_lines
''', {'quick': 'run --op cumsum --dtype f32 --shape 3x65:1 --device host --budget 0'})
ok('its host was looked at', expect.grep('^host_busy_pct,[0-9]', expect.read('quiet/manifest.csv')))
expect.tally()
