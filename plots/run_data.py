# SPDX-License-Identifier: MIT
"""A run as its report has it, and the cells of an operation as its charts show them."""
import itertools
import json
import math
import re
import subprocess
import sys
from types import SimpleNamespace

MOST = 500  # shapes or families that a chart has room for
NUMBERS = ('processes', 'passes', 'ceiling', 'launch_us', 'error', 'bound', 'us', 'low', 'high',
           'gbps', 'share', 'rank', 'tied')
CARE = {'near_empty', 'cache_assisted', 'above_ceiling'}  # marks of times to be read with care


def cell_of(data, run, fields):
    """A cell of the report, with NaN for what it lacks, and the interval's ends over the rate."""
    op, dtype, *shape, cache, moved, _, _ = run['groups'][fields[0]]
    variant, family, marks = (run['texts'][fields[k]] for k in (1, 2, 5))
    numbers = [math.nan if value is None else float(value) for value in fields[7:]]
    cell = SimpleNamespace(
        op=data['ops'][op], dtype=data['dtypes'][dtype], cache=data['caches'][cache],
        shape=tuple(shape), bytes=moved, variant=variant, family=family, marks=marks.split('+'),
        status=data['statuses'][fields[3]], **dict(itertools.zip_longest(
            NUMBERS, numbers[:len(NUMBERS)], fillvalue=math.nan)))
    cell.ends = [cell.us / end if end > 0 else 1 for end in (cell.high, cell.low)]
    cell.timed = cell.us > 0
    cell.firm = cell.timed and cell.status == 'ok'
    cell.doubtful = not cell.firm or not CARE.isdisjoint(cell.marks)
    cell.calls_others = cell.variant == 'best'
    return cell


class Run:
    """A run, and the type and cache state of its charts."""

    def __init__(self, scanbench, folder):
        self.scanbench, self.folder = scanbench, folder
        page = self.printed('report')
        data = json.loads(re.search('<script type="application/json" id="data">(.*?)</script>',
                                    page, re.S)[1])
        run = data['runs'][0]
        self.ops, self.dtypes, self.caches = data['ops'], data['dtypes'], data['caches']
        self.facts = run['facts']
        self.styles = {family: (own['style'][0], own['point'])  # colour and shape of point
                      for family, own in data['families'].items()}
        self.twin_of = dict(zip(itertools.product(self.ops, self.dtypes), data['twins']))
        self.twins = {*data['twins']}
        self.l2 = float(self.facts['l2_bytes'] or 0)
        self.elem_bytes = dict(zip(self.dtypes, data['dtypeBytes']))
        self.cells = [cell_of(data, run, fields) for fields in run['cells']
                      if not run['groups'][fields[0]][-1].startswith('ragged')]
        self.ceilings = [
            SimpleNamespace(twin=self.ops[twin] if twin >= 0 else None, dtype=self.dtypes[dtype],
                            cache=self.caches[cache], elems=elems, rate=rate or 0, at_end=at_end)
            for twin, dtype, cache, elems, rate, _, at_end in run['ceilings']]
        self.dtype = self.cache = None

    def printed(self, *words):
        """Returns what a command prints about the run."""
        done = subprocess.run([self.scanbench, *words, '--', self.folder],
                              stdout=subprocess.PIPE, encoding='utf-8', check=False)
        if done.returncode:
            sys.exit(done.returncode)
        return done.stdout

    def has(self, dtype, cache):
        return any(cell.timed and (cell.dtype, cell.cache) == (dtype, cache) for cell in self.cells)

    def where(self):
        facts = self.facts
        return f'{facts["device_name"] or facts["device"]}. {self.cache.capitalize()} cache.'


class Grid:
    """The cells of an operation: `best` has the point that stands for a family at a shape, firm
    before others, then the fastest; `untimed` the status of families without one."""

    def __init__(self, run, op):
        self.run, self.op = run, op
        cells = [cell for cell in run.cells if cell.op == op and cell.dtype == run.dtype and
                 cell.cache == run.cache]
        self.shapes = dict.fromkeys([*dict.fromkeys(cell.shape for cell in cells)][:MOST])
        self.families = dict.fromkeys([*dict.fromkeys(cell.family for cell in cells)][:MOST])
        kept = [cell for cell in cells if cell.shape in self.shapes and
                cell.family in self.families]
        if len(kept) < len(cells):
            print(f'scanbench: the charts of {op} leave {len(cells) - len(kept)} cells out, as '
                  f'they have room for {MOST} shapes and families', file=sys.stderr)
        timed = [cell for cell in reversed(kept) if cell.timed]
        timed.sort(key=lambda cell: (cell.firm, -cell.us))  # the last counts, the first of equals
        self.best = {(cell.shape, cell.family): cell for cell in timed}
        weights = {'skip': 1, 'untried': 2, 'slow': 3}
        kept.sort(key=lambda cell: weights.get(cell.status, 4))
        self.untimed = {(cell.shape, cell.family): cell.status for cell in kept
                        if (cell.shape, cell.family) not in self.best}

    def at(self, shape):
        """The points of all families there."""
        return [self.best[shape, family] for family in self.families
                if (shape, family) in self.best]
