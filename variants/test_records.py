# SPDX-License-Identifier: MIT
"""SOURCE FILE:TRAIT...: the traits of the records in variants/meson.build are
those that the files have: `waits` and `staggered_start` if their includes lead
to the header of that name, `sound` and `shown` in broken/ only, and `per_arch`
if it has code of some architectures only: its own, or bulk and asynchronous
copies."""
import glob
import os
import re
import sys

os.chdir(f'{sys.argv[1]}/variants')
TRAITS = [word.split(' ') for word in sys.argv[2:]]
faults = []


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def includes(path):
    """All that it includes of ours, directly or not."""
    for header in re.findall(r'^# *include "variants/(.*)"', read(path), re.M):
        yield header
        yield from includes(header)


def same(trait, found):
    listed = {file for file, its in TRAITS if its == trait}
    if listed != set(found):
        faults.append(f'trait {trait}: in variants/meson.build only: {sorted(listed - set(found))}'
                      f', in the files only: {sorted(set(found) - listed)}')


kernels = glob.glob('scan/*/*.cu') + glob.glob('reduce/*/*.cu')
included = {path: set(includes(path)) for path in glob.glob('*/*.cu') + kernels
            if not path.startswith('broken/')}
same('waits', {path for path, headers in included.items() if 'common/launch/delays.cuh' in headers})
# look_back.cuh brings the header to all: the call is what counts.
same('staggered_start', {path for path in kernels if re.search(
    '(starts_after|staggered_start)<|kStaggered', read(path))})
copies = {'common/access/bulk_copy.cuh', 'common/access/async_copy.cuh'}
same('per_arch', {path for path, headers in included.items() if headers & copies or (
    path in kernels and re.search('__CUDA_ARCH__|compute_capability|built_for', read(path)))})
faults += [f'{file} {trait}: of broken/ only' for file, trait in TRAITS
           if trait in ('sound', 'shown') and not file.startswith('broken/')]
for fault in faults:
    print('FAILED:', fault)
sys.exit(bool(faults))
