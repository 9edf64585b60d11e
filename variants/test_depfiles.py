# SPDX-License-Identifier: MIT
"""NINJA BUILD SOURCE: an edited header rebuilds exactly the kernels that include
it: the headers that ninja recorded for each object are those that its includes,
followed in the sources, lead to. 77: no kernels are built."""
import functools
import os
import re
import subprocess
import sys

NINJA, BUILD, SOURCE = sys.argv[1], *map(os.path.realpath, sys.argv[2:])


def ninja(*words):
    return subprocess.run([NINJA, '-t', *words], cwd=BUILD, capture_output=True, text=True,
                          check=True).stdout


def ours(path):
    """The path from the source's folder, or None outside of it."""
    path = os.path.relpath(os.path.realpath(os.path.join(BUILD, path)), SOURCE)
    return None if path.startswith('..') else path


@functools.cache
def included(path):
    """The file itself, and all of ours that it includes, directly or not."""
    with open(os.path.join(SOURCE, path), encoding='utf-8') as file:
        headers = re.findall('^# *include "(.*)"', file.read(), re.M)
    return {path}.union(*(included(header) for header in headers
                          if os.path.exists(f'{SOURCE}/{header}')))


objects = [name for name in re.findall(r'^(.*\.cu\.o): ', ninja('targets', 'all'), re.M)
           if 'operators_' not in name]  # built on demand; a macro names their header
if not objects:
    print('no kernels are built here')
    sys.exit(77)
faults, ours = [], functools.cache(ours)
for text in ninja('deps', *objects).split('\n\n'):
    if not text.strip():
        continue
    name, *lines = text.strip().split('\n')
    paths = [line.strip() for line in lines]
    recorded = {ours(path) for path in paths} - {None}
    kernels = [ours(path) or os.path.join(BUILD, path)  # a generated one, in a build elsewhere
               for path in paths if path.endswith('.cu')]
    wanted = {path for path in set().union(*map(included, kernels)) if not os.path.isabs(path)}
    if not kernels:
        faults.append(f'{name}: nothing is recorded: is its depfile read?')
    elif recorded != wanted:
        faults.append(f'{name}: would go stale with {sorted(wanted - recorded)}, '
                      f'is needlessly rebuilt with {sorted(recorded - wanted)}')
for fault in faults:
    print('FAILED:', fault)
print(f'{len(objects)} kernels')
sys.exit(bool(faults))
