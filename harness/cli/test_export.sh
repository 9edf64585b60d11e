#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: a run made here, in the formats of other tools: the fields
# that each of them asks for, with the right values.
set -u
# shellcheck source=harness/cli/made_runs.sh
. "$(dirname "$(realpath "$0")")/made_runs.sh"

export_as() { # WANTED STATUS, FORMAT, ARGUMENTS: in out and err
    wanted=$1 format=$2
    shift 2
    "$scanbench" export base --format "$format" "$@" >out 2>err
    got=$?
    [ "$got" -eq "$wanted" ] && return
    echo "status $got, not $wanted"
    cat out err
    return 1
}

python() { # ASSERTIONS about `made`
    python3 -c "import json
made = json.load(open('out'))
$1"
}

untimed base flip v1 skip 'too large'
formats='github-action-benchmark google-benchmark bencher nvbench-json'
for format in $formats; do
    ok "$format" export_as 0 "$format"
    ok "$format: no untimed" hasnt out 'flip'
    ok "$format: nothing" export_as 77 "$format" -f nobody
    ok "$format: only a skip" export_as 77 "$format" --op flip
done
ok 'markdown' export_as 0 markdown
ok 'is that of show' has out '^| .*64x4096x1'
ok 'no format' status 2 "$scanbench" export base
ok 'an unknown one' export_as 2 benchr
ok 'names the near' has err 'did you mean bencher'

if ! command -v python3 >/dev/null 2>&1; then
    skip 'what is in them: no python3'
    tally
    exit
fi
name=cumsum/v100/f32/64x4096x1/cold
export_as 0 github-action-benchmark --op cumsum
ok 'github-action-benchmark' python "
assert len(made) == 4, made
one = made[0]
assert one['name'] == '$name' and one['unit'] == 'us', one
assert abs(one['value'] - 100) < 0.01 and one['range'].startswith('± '), one
assert all(type(x) is str for x in (one['name'], one['unit'], one['extra']))"
export_as 0 google-benchmark --op cumsum
ok 'google-benchmark' python "
context = made['context']
for key in ('date', 'host_name', 'executable', 'num_cpus', 'mhz_per_cpu',
            'caches', 'load_avg', 'library_build_type'):
    assert key in context, key
assert context['json_schema_version'] == 1
assert len(made['benchmarks']) == 12 # four cells of three processes
one = made['benchmarks'][1]
assert one['name'] == one['run_name'] == '$name', one
assert one['repetitions'] == 3 and one['repetition_index'] == 1, one
assert one['run_type'] == 'iteration' and one['time_unit'] == 'us', one
assert abs(one['real_time'] - 100) < 0.2 and one['iterations'] >= 1, one
assert one['bytes_per_second'] == 1000e9, one"
export_as 0 bencher --op cumsum
ok 'bencher' python "
assert len(made) == 4, made
one = made['$name']['latency']
assert abs(one['value'] - 100e3) < 10, one
assert one['lower_value'] < one['value'] < one['upper_value'], one
assert made['$name']['bandwidth']['value'] == 1000e9"
export_as 0 nvbench-json
ok 'nvbench-json' python "
assert made['meta']['version']['json']['string'] == '1.0.0'
assert made['devices'][0]['name'] == 'NVIDIA H200'
assert len(made['benchmarks']) == 8
bench = made['benchmarks'][0]
assert bench['name'] == 'cumsum/v100' and bench['devices'] == [0]
state = bench['states'][0]
axes = [axis['name'] for axis in bench['axes']]
assert axes == [value['name'] for value in state['axis_values']]
tags = {s['tag']: s['data'][0] for s in state['summaries']}
mean = tags['nv/cold/time/gpu/mean']
assert mean['type'] == 'float64' and abs(float(mean['value']) - 1e-4) < 1e-8
assert 'nv/cold/time/gpu/stdev/relative' in tags and not state['is_skipped']"

# ---- what the tools themselves make of it: PyPI's cuda-bench has nvbench's
if python3 -c 'import cuda.bench.results' 2>/dev/null; then
    "$scanbench" export base --format nvbench-json -o nvbench.json
    ok 'nvbench reads it' python3 -c "
from cuda.bench.results import BenchmarkResult
read = BenchmarkResult.from_json('nvbench.json')
assert len(read) == 8, read
first = read['cumsum/v100'][0]
assert first.name() == 'Type=f32 Shape=64x4096x1 Cache=cold', first.name()
mean = first.summaries['nv/cold/time/gpu/mean'].value
assert abs(mean - 1e-4) < 1e-8 and not first.is_skipped, mean"
    python3 -m cuda.bench.scripts.nvbench_json_summary nvbench.json >out
    ok 'and sums it up' grep '64x4096x1 .* 100.0.. us' out
else
    skip "nvbench's readers: no cuda-bench (pip install cuda-bench)"
fi
if python3 -c 'import jsondiff, tabulate, colorama' 2>/dev/null &&
    python3 -c 'import cuda.bench.results' 2>/dev/null; then
    python3 -m cuda.bench.scripts.nvbench_compare nvbench.json nvbench.json >out
    ok 'nvbench compares it' grep '64x4096x1 .* 0.00% .*SAME' out
else
    skip "nvbench's compare: no jsondiff, tabulate and colorama"
fi

# ---- a stranger's names are strings
"$scanbench" export "$source/tests/hostile/run" --format bencher >out 2>err
ok 'a stranger' python "
assert any('alert(1)' in name for name in made), made
assert all(set(m) <= {'latency', 'bandwidth'} for m in made.values())"

tally
