#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints a Markdown table of runs over several ranks: the fastest design of each operation, type
and kind of shape at the largest size that one rank also ran (for cumsum f32 along one line, every
design) with the fitted model; and the time of reading relative to copying.

RESULTS contains the folders of the runs. CEILINGS names the ceilings.csv of a run on one such GPU
that measured reading and copying. FIT_TO=N fits the model to runs over at most N ranks alone; its
error is then that at the others."""
import math
import os

import lib
import markdown
from scale import (EACH_RANK, LATENCY, PASSES, alone_us, fits, kind_of, pays_from, read_cells,
                   read_rate)

HEAD = '''\
| operation | shape | ranks | us | % of all ceilings | design | times as fast as one | latency, us \
| passes | model off by, % | pays from |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
'''
ONE_LINE = 'cumsum f32 1xNx1'


def chosen(cells):
    """The cells of the table, and how many times as fast as one rank each is; 0 is unknown."""
    cells = sorted(cells, key=lambda cell: (kind_of(cell), cell.axis, cell.ranks, cell.us))
    axis, seen = {}, set()
    for cell in cells:
        key = kind_of(cell), cell.ranks
        here = alone_us(cells, cell) < math.inf, cell.axis
        axis[key] = max(here, axis.get(key, here))
    for cell in cells:
        key = kind_of(cell), cell.ranks
        if cell.ranks > 1 and cell.axis == axis[key][1] and (
                key not in seen or key[0] == ONE_LINE):
            seen.add(key)
            alone = alone_us(cells, cell)
            yield cell, alone / cell.us if alone < math.inf else 0


def line(cells, cell, times, models):
    own, fit = models[kind_of(cell), cell.variant]
    model = '- | - | - | -'
    if fit.is_tried:
        latency = fit.by[LATENCY] + fit.by[EACH_RANK] * (cell.ranks - 1)
        bytes_, elements = pays_from(cells, own), cell.outer * cell.axis * cell.inner
        pays = f'2^{math.log2(bytes_ * elements / cell.bytes):.1f}' if bytes_ else '-'
        model = f'{latency:.1f} | {fit.by[PASSES]:.3f} | {fit.worst_pct:.1f} | {pays}'
    share = f'{cell.pct_ceiling:.1f} | {cell.variant} | ' + (f'{times:.2f}' if times else '-')
    return (f'| {cell.op} {cell.dtype} | {cell.outer}x{cell.axis}x{cell.inner} | {cell.ranks} | '
            f'{cell.us:.1f} | {share} | {model} |\n')


def main():
    asked = markdown.parse(__doc__)
    cells = read_cells(asked.results)
    if not cells:
        lib.die(f'{asked.results}: no folders of runs in it')
    rows = [*chosen(cell for cell in cells
                    if cell.status == 'ok' and cell.variant.startswith('mgpu_'))]
    models = fits(cells, float(os.environ.get('FIT_TO', 'inf')))
    table = HEAD * bool(rows) + ''.join(line(cells, *row, models) for row in rows)
    ceilings = os.environ.get('CEILINGS', '')
    if rows and ceilings:
        read = read_rate(ceilings)
        if not read:
            lib.die(f'{ceilings}: no ceilings of reading and copying f32')
        table += (f'\nReading takes r = {read:.2f} of the time of a copy (f32): beyond the L2, a scan '
                  f'along a split line reaches at most {100 / (1 + read):.1f} % of the ceilings.\n')
    return markdown.publish('mgpu', table, asked)


lib.run(main)
