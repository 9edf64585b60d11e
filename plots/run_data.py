# SPDX-License-Identifier: MIT
"""A run as its report has it, and the cells of an operation as its charts show them."""
import collections
import json
import math
import re
import subprocess
import sys
from types import SimpleNamespace

MOST = 500  # shapes or families: more could not be told apart in a chart
NUMBERS = ('processes', 'passes', 'ceiling', 'launch_us', 'error', 'bound', 'us', 'low', 'high',
           'gbps', 'share', 'rank', 'tied')


def cell_of(data, run, fields):
    """A cell of the report; what it lacks is NaN."""
    op, dtype, *shape, cache, moved, _ = run['groups'][fields[0]]
    variant, family, reason, marks = (run['texts'][fields[k]] for k in (1, 2, 4, 5))
    numbers = [math.nan if value is None else value for value in fields[6:]]
    numbers += [math.nan] * (len(NUMBERS) - len(numbers))
    cell = SimpleNamespace(
        op=data['ops'][op], dtype=data['dtypes'][dtype], cache=data['caches'][cache],
        shape=tuple(shape), bytes=moved, variant=variant, family=family, reason=reason,
        marks=marks.split('+'), status=data['statuses'][fields[3]], **dict(zip(NUMBERS, numbers)))
    cell.timed = cell.us > 0
    cell.firm = cell.timed and cell.status == 'ok'
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
        self.families, self.facts = data['families'], run['facts']
        self.twins = {twin for k, twin in enumerate(data['twins'])
                      if twin == self.ops[k // len(self.dtypes)]}
        self.elem_bytes = dict(zip(self.dtypes, data['dtypeBytes']))
        self.cells = [cell_of(data, run, fields) for fields in run['cells']]
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

    def has(self, dtype, *caches):
        return any(cell.timed and cell.dtype == dtype and cell.cache in caches
                   for cell in self.cells)

    def where(self):
        name = self.facts['device_name'] or self.facts['device']
        return f'{name}. {self.cache.capitalize()} cache.'

    def look(self, op, family):
        """The family's colour and shape of point."""
        style = self.families[f'{op}/{family}']
        return style['look'][0], style['point']


class Grid:
    """The cells of an operation: `best` has the point that stands for a family at a shape, firm
    before others, then the fastest; `untimed` the status of families without one."""

    def __init__(self, run, op):
        self.run, self.op, self.best, self.untimed = run, op, {}, {}
        cells = [cell for cell in run.cells if cell.op == op and cell.dtype == run.dtype and
                 cell.cache == run.cache]
        self.shapes = list(dict.fromkeys(cell.shape for cell in cells))[:MOST]
        self.families = list(dict.fromkeys(cell.family for cell in cells))[:MOST]
        drawn = {*self.shapes}, {*self.families}
        kept = [cell for cell in cells if cell.shape in drawn[0] and cell.family in drawn[1]]
        if len(kept) < len(cells):
            print(f'scanbench: the charts of {op} leave {len(cells) - len(kept)} cells out, as '
                  f'they have room for {MOST} shapes and families', file=sys.stderr)
        weight = collections.defaultdict(lambda: 4, skip=1, untried=2, slow=3)
        for cell in kept:
            at = cell.shape, cell.family
            if not cell.timed:
                self.untimed[at] = max(self.untimed.get(at, 'skip'), cell.status,
                                       key=weight.__getitem__)
            elif at not in self.best or ((not cell.firm, cell.us) <
                                         (not self.best[at].firm, self.best[at].us)):
                self.best[at] = cell
        self.untimed = {at: status for at, status in self.untimed.items() if at not in self.best}

    def at(self, shape):
        """The points of all families there."""
        return [self.best[shape, family] for family in self.families
                if (shape, family) in self.best]
