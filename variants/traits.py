# SPDX-License-Identifier: MIT
"""SOURCE: prints "FILE TRAIT" for each trait of variants/meson.build that follows from a file:
`waits` if its includes lead to delays.cuh; `staggered_start` if it uses that of
staggered_start.cuh; `per_arch` if it has code of some architectures only: its own, or bulk and
asynchronous copies.
SOURCE FILE:TRAIT...: fails if the traits that the build was configured with are others, or if
`sound` or `shown` are outside of broken/."""
import glob
import os
import re
import sys

os.chdir(f'{sys.argv[1]}/variants')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def includes(path):
    """All that it includes of ours, directly or not."""
    for header in re.findall(r'^# *include "variants/(.*)"', read(path), re.M):
        yield header
        yield from includes(header)


def derived():
    kernels = glob.glob('scan/*/*.cu') + glob.glob('reduce/*/*.cu')
    copies = {'common/access/bulk_copy.cuh', 'common/access/async_copy.cuh'}
    for path in sorted(glob.glob('*/*.cu') + kernels):
        if path.startswith('broken/'):
            continue
        headers = set(includes(path))
        own = read(path) if path in kernels else ''
        if 'common/launch/delays.cuh' in headers:
            yield f'{path} waits'
        # look_back.cuh brings the header to all: the call is what counts.
        if re.search('(starts_after|staggered_start)<|kStaggered', own):
            yield f'{path} staggered_start'
        if headers & copies or re.search('__CUDA_ARCH__|compute_capability|built_for', own):
            yield f'{path} per_arch'


if len(sys.argv) == 2:
    print('\n'.join(derived()))
    sys.exit()
listed = set(sys.argv[2:])
faults = [f'{line}: the build is configured without it, or it is no more'
          for line in sorted({line for line in listed if line.split(' ')[1] in
                              ('waits', 'staggered_start', 'per_arch')} ^ set(derived()))]
faults += [f'{line}: of broken/ only' for line in sorted(listed)
           if line.split(' ')[1] in ('sound', 'shown') and not line.startswith('broken/')]
for fault in faults:
    print('FAILED:', fault)
sys.exit(bool(faults))
