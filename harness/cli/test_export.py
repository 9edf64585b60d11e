# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a run made here, in the formats of other tools: the fields
that each of them asks for, with the right values."""
import importlib.util
import json
import os
import resource
import subprocess
import sys

import expect
from expect import SOURCE, ok, read, run, skip, told
from made_runs import untimed

NAME = 'cumsum/v100/f32/64x4096x1/cold'


def made(form, *words):
    run('export', 'base', '--format', form, *words)
    return json.loads(expect.out)


def has(what, *facts):
    for number, fact in enumerate(facts):
        ok(f'{what}: fact {number}', fact)


def near(value, wanted, most):
    return abs(float(value) - wanted) < most


untimed('base', 'flip', 'v1', 'skip', 'too large')
for name in ('github-action-benchmark', 'google-benchmark', 'bencher', 'nvbench-json'):
    told(f'''
0 export base --format {name} => - flip
77 export base --format {name} -f nobody
77 export base --format {name} --op flip
''')
told(r'''
0 export base --format markdown => ^| .*64x4096x1
2 export base
2 export base --format benchr => ! did you mean bencher
''')

action = made('github-action-benchmark', '--op', 'cumsum')
has('github-action-benchmark', len(action) == 4, action[0]['name'] == NAME,
    action[0]['unit'] == 'us', near(action[0]['value'], 100, 0.01),
    action[0]['range'].startswith('± '), isinstance(action[0]['extra'], str))

google = made('google-benchmark', '--op', 'cumsum')
one = google['benchmarks'][1]
has('google-benchmark', google['context'].keys() >= {
    'date', 'host_name', 'executable', 'num_cpus', 'mhz_per_cpu', 'caches', 'load_avg',
    'library_build_type'}, google['context']['json_schema_version'] == 1,
    len(google['benchmarks']) == 12,  # four cells of three processes
    one['name'] == one['run_name'] == NAME, one['repetitions'] == 3, one['repetition_index'] == 1,
    one['run_type'] == 'iteration', one['time_unit'] == 'us', near(one['real_time'], 100, 0.2),
    one['iterations'] >= 1, one['bytes_per_second'] == 1000e9)

bencher = made('bencher', '--op', 'cumsum')
latency = bencher[NAME]['latency']
has('bencher', len(bencher) == 4, near(latency['value'], 100e3, 10),
    latency['lower_value'] < latency['value'] < latency['upper_value'],
    bencher[NAME]['bandwidth']['value'] == 1000e9)

nvbench = made('nvbench-json')
bench = nvbench['benchmarks'][0]
state = bench['states'][0]
tags = {s['tag']: s['data'][0] for s in state['summaries']}
mean = tags['nv/cold/time/gpu/mean']
has('nvbench-json', nvbench['meta']['version']['json']['string'] == '1.0.0',
    nvbench['devices'][0]['name'] == 'NVIDIA H200', len(nvbench['benchmarks']) == 8,
    bench['name'] == 'cumsum/v100', bench['devices'] == [0],
    [axis['name'] for axis in bench['axes']] == [value['name'] for value in state['axis_values']],
    mean['type'] == 'float64', near(mean['value'], 1e-4, 1e-8),
    'nv/cold/time/gpu/stdev/relative' in tags, not state['is_skipped'])


# ---- what the tools themselves make of it: PyPI's cuda-bench has nvbench's
def has_module(*names):
    try:
        return all(importlib.util.find_spec(name) for name in names)
    except ModuleNotFoundError:
        return False


def script(name, *words):
    return subprocess.run([sys.executable, '-m', f'cuda.bench.scripts.{name}', *words], text=True,
                          capture_output=True, check=False).stdout


run('export', 'base', '--format', 'nvbench-json', '-o', 'nvbench.json')
if has_module('cuda.bench.results'):
    from cuda.bench.results import BenchmarkResult
    result = BenchmarkResult.from_json('nvbench.json')
    first = result['cumsum/v100'][0]
    has('nvbench reads it', len(result) == 8, first.name() == 'Type=f32 Shape=64x4096x1 Cache=cold',
        near(first.summaries['nv/cold/time/gpu/mean'].value, 1e-4, 1e-8), not first.is_skipped)
    ok('and sums it up', expect.grep('64x4096x1 .* 100.0.. us',
                                     script('nvbench_json_summary', 'nvbench.json')))
else:
    skip("nvbench's readers: no cuda-bench (pip install cuda-bench)")
if has_module('cuda.bench.results', 'jsondiff', 'tabulate', 'colorama'):
    ok('nvbench compares it', expect.grep('64x4096x1 .* 0.00% .*SAME', script(
        'nvbench_compare', 'nvbench.json', 'nvbench.json')))
else:
    skip("nvbench's compare: no jsondiff, tabulate and colorama")

# ---- no room for it: what was there stays
def full(words, path):
    """With a bound on the bytes of a file."""
    before, names = read(path), sorted(os.listdir())
    told(f'2 {words} => ! cannot write .*: File too large', restore_signals=False,
         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
    ok(f'{words}: what was there stays', read(path) == before)
    ok(f'{words}: and nothing else', sorted(os.listdir()) == names)


for name in ('github-action-benchmark', 'nvbench-json', 'markdown'):
    command = f'export base --format {name} -o old'
    told(f'0 {command}')
    ok(f'{name}: as on stdout', run('export', 'base', '--format', name) == 0 and
       read('old') == expect.out)
    full(command, 'old')
told('''
77 export base --format markdown -f nobody -o old => @ old 64x4096x1
77 export base --format bencher -f nobody -o old => @ old 64x4096x1
2 export base --format bencher -o /dev/full => ! cannot write /dev/full: No space
''')

# ---- a stranger's names are strings
run('export', f'{SOURCE}/tests/hostile/run', '--format', 'bencher')
stranger = json.loads(expect.out)
has('a stranger', any('alert(1)' in name for name in stranger),
    all(set(m) <= {'latency', 'bandwidth'} for m in stranger.values()))
expect.tally()
