# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: the texts in the charts of a made-up run, and the messages of
draw.sh about folders that it cannot draw. 77: no gnuplot."""
import glob
import os
import shutil
import sys

import expect
from expect import SCANBENCH, SOURCE, append, grep, ok, read, run, write

DRAW = f'{SOURCE}/plots/draw.sh'
GNUPLOT = os.environ.get('GNUPLOT', 'gnuplot')
os.environ['SCANBENCH'] = SCANBENCH
if not shutil.which(GNUPLOT):
    print('no gnuplot: skipped')
    sys.exit(77)


def draw(*words, **environment):
    return run(*words, program=DRAW, env={**os.environ, **environment})


def complains(status, text, *words, **environment):
    got = draw(*words, **environment)
    ok(f'{words}: {text}', got == status and not expect.out and grep(text, expect.err),
       got, expect.out, expect.err)


def shows(chart, *texts, folder='run'):
    svg = read(f'{folder}/plots/{chart}.svg')
    for text in texts:
        ok(f'{chart} shows {text}', text in svg)


# ---- a run
COLUMNS = ('device,op,variant,family,dtype,outer,axis,inner,cache,process,status,reason,samples,'
           'median_us,bytes,gbps,ceiling_gbps,pct_ceiling,passes,err_bound')
STRANGE = '`touch PWNED`'  # gnuplot must not run it


def row(variant, family, outer, axis, inner, pct=None, status='ok', reason=''):
    size = outer * axis * inner * 8
    us, gbps, ceiling, share = ('', '', '', '') if pct is None else (
        size // pct // 1000 + 1, pct, 100, pct)
    append('run/cumsum.csv', f'X,cumsum,{variant},{family},f32,{outer},{axis},{inner},cold,0,'
           f'{status},{reason},9,{us},{size},{gbps},{ceiling},{share},1,1')


write('run/manifest.csv', 'key,value', 'schema,4', 'device_name,X', 'l2_bytes,1000000',
      'attribute_peak_gbps,110')
write('run/ceilings.csv', 'kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase',
      'add,,f32,cold,,,,1000,,0,start',
      'traffic,copy,f32,cold,67108864,536870912,100,,copy,0,start')
write('run/cumsum.csv', COLUMNS)
for k in range(1, 5):  # 2^26 elements each
    outer, axis, inner = 1 << (26 - 4 * k), 1 << (4 * k), 1 << (20 - 4 * k)
    row('near_b256', 'near', outer, axis, 1, 90 + k)
    for name, pct in (('far', 2), *((name, 50) for name in 'abcdefg'), (STRANGE, 3), ('cub_known', 9)):
        row(name, name, outer, axis, 1, pct)
    row('refuses', 'refuses', outer, axis, 1, None, 'skip', '"serves 2, 4 or 8 only"')
    row('near_b256', 'near', 64, axis, inner, 80 + k)
    row('far', 'far', 64, axis, inner, 70 + 4 * k)
row('near_b256', 'near', 8, 8, 1, 99, 'suspect', 'why')
row('near_b512', 'near', 8, 8, 1, 40)
row('best', 'best', 8, 8, 1, 41)
row('slow', 'slow', 8, 8, 1, None, 'slow', 'one launch took 1 s')
row('untried', 'untried', 8, 8, 1, None, 'untried', 'too slow already at 8x8x1')
row('refuses', 'refuses', 8, 8, 1, None, 'skip', '"serves 2, 4 or 8 only"')
ok('drawn', draw('run') == 0, expect.err)
ok('no parts are left', not glob.glob('run/plots/.draw*'))
page = read('run/plots/index.html')
ok('a page of all', page.count('src=') == len(glob.glob('run/plots/*.svg')))
ok('in order, with alternative texts', grep('roofline.svg" alt="Roofline, f32.*ladder_con.*_length.svg'
                                            '.*_size.svg" alt="cumsum, f32: share', page.replace('\n', '')))

shows('cumsum_ladder_contiguous', 'unsupported shape: refuses', f'>{STRANGE}<')
ok('shares', grep('>9[1-4].0%<', read('run/plots/cumsum_ladder_contiguous.svg')))
ok('names are only drawn', not glob.glob('**/PWNED', recursive=True))
shows('cumsum_bandwidth_length', '(537 × L2)', '>cub_known<', 'more families')
shows('roofline', '1.0 TFLOP/s beyond', 'memory bus: 110 GB/s', '>cumsum 94.0 %<',
      '>cumsum<')

# ---- distribution: of operations with `best` at twenty shapes
ok('none of few shapes', not os.path.exists('run/plots/distribution.svg'))
shutil.copytree('run', 'many')
for op, shapes in (('sum', 20), ('flip', 19)):
    write(f'many/{op}.csv', COLUMNS, *(
        line for k in range(1, shapes + 1) for line in (
            f'X,{op},best,best,f32,{k},64,64,cold,0,ok,,9,10,9,{k},100,{k},1,1',
            f'X,{op},fast,fast,f32,{k},64,64,cold,0,ok,,9,9,9,80,100,80,1,1')))
ok('many points', draw('many') == 0, expect.err)
shows('distribution', '>sum f32 (20)<', folder='many')
ok('and of no fewer', 'flip' not in read('many/plots/distribution.svg'))
os.mkdir('parts')
run('-B', f'{SOURCE}/plots/charts.py', SCANBENCH, '../many', program=sys.executable, cwd='parts')
sizes = read('parts/cumsum_bandwidth_size.bandwidth')
ok('a sound winner before a larger suspect', '\t40\t' in sizes and '\t99\t' not in sizes, sizes)
steps = [line for line in read('parts/distribution.distribution').split('\n')
         if line.count('\t') == 3]
ok('its steps', len(steps) == 42 and {'1\t95\t1\t0', '80\t0\t1\t1'} <= set(steps), *steps)

# ---- PNG
ok('PNG on request', draw('--png', 'run', 'pictures') == 0 and
   {'cumsum_ladder_strided.png', 'cumsum_ladder_strided.svg'} <= set(os.listdir('pictures')))
complains(1, 'nothing to draw', '--dtype', 'f64', 'run')
complains(2, "unknown dtype 'f99'; there are: f32, f64, ", '--dtype', 'f99', 'run')
complains(2, 'charts need python3', 'run', PYTHON='./none')

# ---- folders that are none, and damaged ones
complains(2, 'no such folder: .*/none', 'none')
complains(2, 'one FOLDER at a time', 'run', 'run')
complains(2, '/run/cumsum.csv is a file', 'run/cumsum.csv')
complains(2, 'no manifest.csv', 'run/plots')
complains(2, "unknown option '--nwest'", '--nwest', 'run')
complains(2, 'cannot write to', 'run', 'run/manifest.csv/x')
# A disk that fills up: gnuplot does not tell.
write('full', '#!/bin/sh', '"$REAL" "$@"', 'status=$?',
      '[ "$1" = --version ] || [ $status -ne 0 ] || truncate -s -1000 "$3"', 'exit $status')
os.chmod('full', 0o755)
shutil.copytree('run/plots', 'again')
complains(1, 'is the disk full', 'run', 'again', REAL=GNUPLOT, GNUPLOT='./full')
ok('a chart of before is kept',
   read('run/plots/cumsum_ladder_strided.svg') == read('again/cumsum_ladder_strided.svg'))
expect.tally()
