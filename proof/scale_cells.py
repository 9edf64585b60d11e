# SPDX-License-Identifier: MIT
"""Reads timed cells of runs over several ranks from CSVs."""
import csv
import itertools
import math
import pathlib
import re
import sys
import types

DTYPE_BYTES = {'f32': 4, 'f64': 8, 'f16': 2, 'bf16': 2}
DTYPES = list(DTYPE_BYTES)
TWINS = {'copy', 'masked_copy', 'read', 'write'}
# From the mildest to the gravest, as in src/runs/row.h. A cell has the gravest status of its
# processes, and no time from `timeout` on.
ROW_H = pathlib.Path(__file__).parent.parent.joinpath('src/runs/row.h').read_text(encoding='utf-8')
STATUSES = [name for _, name in sorted((int(gravity), name) for name, gravity in
                                       re.findall(r'X\(\w+, "(\w+)", (\d)\)', ROW_H))]


def complain(path, line, problem):
    print(f'{path}:{line}: {problem}', file=sys.stderr)


def bytes_of(row):
    """Returns the compulsory traffic of a scan or sum, like op_bytes() of src/model/op.c."""
    lines, size = row.outer * row.inner, DTYPE_BYTES[row.dtype]
    out = lines if row.op == 'sum' else lines * row.axis
    return (lines * row.axis + out) * size + lines * row.axis * row.op.startswith('masked')


def row_of(op, fields):
    row = types.SimpleNamespace(op=op, dtype=fields['dtype'], variant=fields['variant'],
                                cache=fields['cache'], status=fields['status'])
    for name in ['outer', 'axis', 'inner', 'process', 'ranks']:
        setattr(row, name, int(fields[name] or 0))
    for name in ['median_us', 'gbps', 'pct_ceiling', 'exchange_us']:
        setattr(row, name, float(fields.get(name) or 'nan'))
    row.bytes, row.ceiling_gbps = bytes_of(row), 100 * row.gbps / (row.pct_ceiling or math.nan)
    row.order = (DTYPES.index(row.dtype), row.outer, row.axis, row.inner,
                 ['cold', 'hot', 'graph'].index(row.cache), row.variant)
    row.gravity = STATUSES.index(row.status)
    return row


def read_rows(path):
    """Returns the rows, none for other tables, and True if every line was good."""
    rows, whole = [], True
    with open(path, encoding='utf-8', newline='') as file:
        lines = csv.reader(file)
        names = next(lines, [])
        for fields in lines if {'pct_ceiling', 'median_us'} <= set(names) else []:
            try:
                if len(fields) != len(names):
                    raise ValueError('not as many fields as the first line has')
                rows.append(row_of(pathlib.Path(path).stem, dict(zip(names, fields))))
            except (KeyError, ValueError) as error:
                complain(path, lines.line_num, f'no row, left out: {error}')
                whole = False
    return rows, whole


def mean(values):
    """Returns the geometric mean, or NaN if a value is unknown."""
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if min(values) > 0 else math.nan


def read_cells(path, cells):
    """Appends the file's cells, each with one time for all its processes. Returns
    False, after a message, if the file or a line of it cannot be read."""
    try:
        rows, whole = read_rows(path)
    except (OSError, UnicodeError, csv.Error) as error:
        complain(path, 0, error)
        return False
    rows.sort(key=lambda row: (row.order, row.process))
    for _, group in itertools.groupby(rows, key=lambda row: row.order):
        group = list(group)
        worst = max(row.gravity for row in group)
        sound = [row for row in group if row.status in ('ok', 'suspect') and row.median_us > 0] or \
            [row for row in group if row.status == 'unstable' and row.median_us > 0]
        if worst >= STATUSES.index('timeout') or not sound:
            continue
        cell = group[0]
        cell.status, cell.us = STATUSES[worst], mean(row.median_us for row in sound)
        for name in ['ceiling_gbps', 'pct_ceiling', 'exchange_us']:
            setattr(cell, name, mean(getattr(row, name) for row in sound))
        if cell.ceiling_gbps > 0 and cell.ranks > 0 and cell.op not in TWINS:
            cells.append(cell)
    return whole


def read_rate(path):
    """Returns the time of reading f32 relative to a copy, at the largest probes of a run's
    ceilings.csv, or None."""
    best = {}
    with open(path, encoding='utf-8', newline='') as file:
        for line in csv.DictReader(file):
            if [line.get(name) for name in ('kind', 'dtype', 'cache', 'phase')] == [
                    'traffic', 'f32', 'cold', 'start']:
                probe = int(line['elems']), float(line['gbps'])
                best[line['twin']] = max(probe, best.get(line['twin'], probe))
    return best['copy'][1] / (2 * best['read'][1]) if {'copy', 'read'} <= {*best} else None


def kind_of(cell):
    return f'{cell.op} {cell.dtype} {cell.outer}xNx{cell.inner}'


def alone_us(cells, of):
    """Returns the best time of the problem on one rank, infinite if not measured."""
    return min((cell.us for cell in cells
                if cell.ranks == 1 and cell.axis == of.axis and kind_of(cell) == kind_of(of)),
               default=math.inf)


def ideal_us(cells, of):
    """Returns the time at the ceilings of all ranks, taken from the largest problem over as
    many ranks, since the ceiling at its own size includes the latency of a launch."""
    largest = of
    for cell in cells:
        if (cell.op, cell.dtype, cell.ranks) == (of.op, of.dtype, of.ranks) and \
                cell.bytes > largest.bytes:
            largest = cell
    return of.bytes / (largest.ceiling_gbps * 1e3)
