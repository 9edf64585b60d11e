# SPDX-License-Identifier: MIT
"""charts.py SCANBENCH RUN [DTYPE]: writes the data of every chart of a run, from its report, to
NAME.KIND in this folder, which plots/KIND.gp draws, and an HTML page of the SVGs to `page`.

A chart is a list of blocks, which gnuplot counts from 0: names and values, then lists of rows. Exit
status: 0 written; 2 bad input; 77 nothing to draw."""
import html
import math
import pathlib
import re
import sys

import bandwidth
import distribution
import ladder
import roofline
from run_data import Grid, Run

# From the limit to the choice among kernels, by a part of the names of charts, led by their kind.
SECTIONS = {
    'roofline': 'What limits every kernel', 'ladder': 'Every kernel at one shape',
    'bandwidth_length': 'By length of line', 'bandwidth_size': 'By size',
    'distribution': 'The choice, over all shapes'}
PAGE = '''<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; \
form-action 'none'; img-src 'self' file:">
<meta name="color-scheme" content="light dark">
<title>Charts - scanbench</title>
'''


def field(value):
    """A number, or a text without quotes, backslashes and controls, which gnuplot only draws."""
    if isinstance(value, float):
        return f'{value:.6g}' if math.isfinite(value) else 'NaN'
    text = re.sub('[\0-\x1f\x7f]', ' ', str(value)).replace(']>', '] >')  # XML's
    return re.sub(r'["\\]', "'", text)


def charts_of(run):
    """Name and blocks, if there is anything to draw, of each chart of the type and cache state."""
    yield 'roofline', roofline.blocks(run)
    yield 'distribution', distribution.blocks(run)
    for op in run.ops:
        grid = Grid(run, op)
        has_lines = op not in run.twins
        yield f'{op}_ladder' + '_contiguous' * has_lines, ladder.blocks(grid, False)
        yield f'{op}_bandwidth_size', bandwidth.blocks(grid, False)
        if has_lines:
            yield f'{op}_ladder_strided', ladder.blocks(grid, True)
            yield f'{op}_bandwidth_length', bandwidth.blocks(grid, True)


def main():
    run, titles = Run(*sys.argv[1:3]), {section: {} for section in SECTIONS}
    wanted = sys.argv[3:] or run.dtypes
    if wanted[0] not in run.dtypes:
        print(f"scanbench: unknown dtype '{wanted[0]}'; there are: {', '.join(run.dtypes)}",
              file=sys.stderr)
        return 2
    both = [(dtype, cache) for dtype in wanted for cache in run.caches if run.has(dtype, cache)]
    for run.dtype, run.cache in [pair for pair in both if pair[0] == both[0][0]]:
        for name, blocks in charts_of(run):
            if blocks:
                section = next(section for section in SECTIONS if section in name)
                name += '' if run.cache == both[0][1] else f'_{run.cache}'
                titles[section][name] = html.escape(field(blocks[0]['title']))
                blocks[0] = blocks[0].items()
                parts = (('\t'.join(map(field, row)) + '\n' for row in block) for block in blocks)
                pathlib.Path(f'{name}.{section.split("_")[0]}').write_text(
                    '\n\n'.join(map(''.join, parts)), encoding='utf-8')
    pathlib.Path('page').write_text(PAGE + ''.join(
        f'<h2>{SECTIONS[section]}</h2>\n' + ''.join(
            f'<p><img src="{name}.svg" alt="{title}">\n' for name, title in sorted(own.items()))
        for section, own in titles.items() if own), encoding='utf-8')
    if not any(titles.values()):
        print('scanbench: the run has nothing to draw', file=sys.stderr)
    return 0 if any(titles.values()) else 77


sys.exit(main())
