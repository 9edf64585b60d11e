# SPDX-License-Identifier: MIT
"""charts.py SCANBENCH RUN [DTYPE]: writes the data of every chart of a run to NAME.KIND in
this folder, which plots/KIND.gp draws.

The data are those of the run's report. A chart is a list of blocks, which gnuplot counts from 0:
names and values, then lists of rows. Exit status: 0 written; 2 bad input; 77 nothing to draw."""
import math
import re
import sys

import bandwidth
import distribution
import ladder
import roofline
from run_data import Grid, Run


def field(value):
    """A text without quotes, tabs, backslashes and controls, so that gnuplot can only draw it, or
    a number."""
    if isinstance(value, float):
        return f'{value:.6g}' if math.isfinite(value) else 'NaN'
    text = re.sub('[\0-\x1f\x7f]', ' ', str(value)).replace(']>', '] >')  # XML's
    return re.sub(r'["\\]', "'", text)


def write(name, kind, blocks):
    """Returns whether there is anything to draw."""
    if blocks:
        blocks[0] = blocks[0].items()
        with open(f'{name}.{kind}', 'w', encoding='utf-8') as file:
            file.write('\n\n'.join(''.join('\t'.join(map(field, row)) + '\n' for row in block)
                                   for block in blocks))
    return bool(blocks)


def main():
    run = Run(*sys.argv[1:3])
    drawn = 0
    if not {*sys.argv[3:]} <= {*run.dtypes}:
        print(f"scanbench: unknown dtype '{sys.argv[3]}'; there are: {', '.join(run.dtypes)}",
              file=sys.stderr)
        return 2
    for dtype in sys.argv[3:] or run.dtypes:
        if run.has(dtype, *run.caches):
            run.dtype = dtype
            break
    for run.cache in [cache for cache in run.caches if run.has(run.dtype, cache)]:
        tail = '_hot' if drawn else ''
        drawn += write('roofline' + tail, 'roofline', roofline.blocks(run))
        drawn += write('distribution' + tail, 'distribution', distribution.blocks(run))
        for op in run.ops:
            grid = Grid(run, op)
            twin = op in run.twins  # a twin has no lines
            drawn += write(f'{op}_ladder{"" if twin else "_contiguous"}{tail}', 'ladder',
                           ladder.blocks(grid, False))
            drawn += write(f'{op}_bandwidth_size{tail}', 'bandwidth', bandwidth.blocks(grid, False))
            if not twin:
                drawn += write(f'{op}_ladder_strided{tail}', 'ladder', ladder.blocks(grid, True))
                drawn += write(f'{op}_bandwidth_length{tail}', 'bandwidth',
                               bandwidth.blocks(grid, True))
    if not drawn:
        print('scanbench: the run has nothing to draw', file=sys.stderr)
    return 0 if drawn else 77


sys.exit(main())
