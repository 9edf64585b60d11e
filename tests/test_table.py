# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a run made here, as Google Benchmark's JSON: the fields that
its readers ask for, with the right values."""
import json

import expect
from expect import ok, run, transcript
from made_runs import untimed

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
expect.tally()
