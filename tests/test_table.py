# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a run made here, as Google Benchmark's JSON: the fields that
its readers ask for, with the right values."""
import json

import expect
from expect import ok, run, transcript
from made_runs import untimed

NAME = 'cumsum/v100/f32/64x4096x1/cold'


def made(*words, folder='base'):
    run('table', folder, '--format', 'google-benchmark', *words)
    return json.loads(expect.out)


def has(what, *facts):
    for number, fact in enumerate(facts):
        ok(f'{what}: fact {number}', fact)


def near(value, wanted, most):
    return abs(float(value) - wanted) < most


untimed('base', 'flip', 'v1', 'skip', 'too large')
transcript('''
0 table base --format google-benchmark => - flip
77 table base --format google-benchmark -f nobody
77 table base --format google-benchmark --op flip => ! no such cell with a time
2 table base --format gogle-benchmark => ! did you mean google-benchmark
''')

google = made('--op', 'cumsum')
one = google['benchmarks'][1]
has('google-benchmark', google['context'].keys() >= {
    'date', 'host_name', 'executable', 'num_cpus', 'mhz_per_cpu', 'caches', 'load_avg',
    'library_build_type'}, google['context']['json_schema_version'] == 1,
    len(google['benchmarks']) == 12,  # four cells of three processes
    one['name'] == one['run_name'] == NAME, one['repetitions'] == 3, one['repetition_index'] == 1,
    one['run_type'] == 'iteration', one['time_unit'] == 'us', near(one['real_time'], 100, 0.2),
    one['iterations'] >= 1, one['bytes_per_second'] == 1000e9)

# ---- every command that prints rows has the same formats and the same --top
for words in ('show base', 'table base', 'regret base --variant v100', 'compare base slow',
              'compare base --against v100', 'list --families', 'list --devices --device host',
              'regret base --variant v100 --cells', 'compare --gpus a=base b=slow'):
    for form in 'text', 'markdown', 'csv', 'json':
        status = run(*words.split(), '--format', form)
        rows = json.loads(expect.out) if form == 'json' else expect.out.splitlines()
        ok(f'{words} in {form}', status in (0, 1) and rows, expect.err)
        ok(f'{words}: Markdown', form != 'markdown' or words[-7:] == '--cells' or
           '| ---' in expect.out or '| :--' in expect.out, expect.out)
        ok(f'{words}: a row per record', form != 'json' or isinstance(rows, dict) or
           isinstance(rows[0], dict))
transcript('''
2 show base --format google-benchmark => ! there are: text, json, csv, markdown
0 table base --top 1 --shape 64x4096:1 --op cumsum => ^1  v => - ^2
''')

expect.tally()
