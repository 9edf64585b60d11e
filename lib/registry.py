# SPDX-License-Identifier: MIT
"""registry.py all|rules REGISTRY POINTS RULES...: prints the library's registry.c, with all
families that are built except `best`. `rules` keeps the families that are within 25 % of the
fastest somewhere in a file of rules, those of operators other than addition, and the fallbacks: one
thread per line, the plain flip, and what serves ragged lines or keeps sums monotone, which have no
rules. The linker drops all other objects."""
import pathlib
import re
import sys


def named_by(points, rules):
    """Yields the families that the files of rules name."""
    # { "scan/thread_per_line", "thread_per_line" "_b" "128", "the idea" },
    ids = {(id_.split('/')[0], re.sub('" *"', '', name)): id_
           for id_, name in re.findall(r'^ *\{ "([^"]*)", "(.*?)", "', points, re.M)}
    for text in rules:
        numbered = dict(re.findall('^variant,([^,]*),(.*)$', text, re.M))
        # problem,sum,f32,1,8,1,7=0 NAME=12.5: the losses in per cent
        for op, losses in re.findall('^problem,([^,]*)(?:,[^,]*){4},([^,]*)', text, re.M):
            kind = 'scan' if 'cum' in op or 'recurrence' in op else 'flip' if op == 'flip' else 'reduce'
            for name, _, pct in (loss.partition('=') for loss in losses.split()):
                id_ = ids.get((kind, numbered.get(name, name)))
                if id_ and float(pct or 0) <= 25:
                    yield id_


which, registry, points, *rules = sys.argv[1:2] + [
    pathlib.Path(path).read_text(encoding='utf-8') for path in sys.argv[2:]]
named = {'flip/element', 'stream/masked_copy', *named_by(points, rules)}
for line in registry.split('const struct family registry_broken')[0].splitlines():
    entry = re.match(r' *\{ "(([^/]*)/([^"]*))"', line)
    id_, folder, name = entry.groups() if entry else ('', '', '')
    if not entry or folder == 'host' or (folder != 'best' and (
            which == 'all' or id_ in named or name.endswith('thread_per_line')
            or name.startswith(('ragged_', 'monotone_'))
            or 'variants__others__' in line)):
        print(line)
