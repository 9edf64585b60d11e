# SPDX-License-Identifier: MIT
"""Compiles a Triton kernel ahead of time, and prints it as C.

    python3 compile.py 90 > triton_rows.h

90 is the architecture, sm_90. This needs Triton (pip install triton), but no GPU.
triton_rows.c launches the kernel without Python.
"""
import re
import sys

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

TILE = 2048
WARPS = 4


@triton.jit
def row_scan(x, y, axis, TILE: tl.constexpr):
    """Each program scans one contiguous line, tile by tile."""
    line = tl.program_id(0).to(tl.int64)
    x += line * axis
    y += line * axis
    carry = 0.0
    lane = tl.arange(0, TILE)
    for start in range(0, axis, TILE):
        at = start + lane
        keep = at < axis
        value = tl.load(x + at, mask=keep, other=0.0).to(tl.float32)
        sums = carry + tl.cumsum(value, 0)
        tl.store(y + at, sums.to(y.dtype.element_ty), mask=keep)
        carry += tl.sum(value, 0)


def compiled(element, arch):
    signature = {'x': '*' + element, 'y': '*' + element, 'axis': 'i64',
                 'TILE': 'constexpr'}
    source = ASTSource(fn=row_scan, signature=signature,
                       constexprs={'TILE': TILE})
    return triton.compile(source, target=GPUTarget('cuda', arch, 32),
                          options={'num_warps': WARPS})


def put(element, arch):
    kernel = compiled(element, arch)
    cubin = kernel.asm['cubin']
    # After the kernel's own parameters come those for memory of Triton's runtime,
    # which this kernel does not use.
    entry = re.search(r'\.entry[^(]*\(([^)]*)\)', kernel.asm['ptx']).group(1)
    print(f'static const unsigned char {element}_cubin[] = {{')
    for at in range(0, len(cubin), 24):
        print(','.join(map(str, cubin[at:at + 24])) + ',')
    print('};')
    return (f'    {{ {element}_cubin, "{kernel.metadata.name}", '
            f'{kernel.metadata.shared}, {entry.count(".param")} }},')


def main():
    arch = int(sys.argv[1])
    print(f'/* Triton {triton.__version__}, by compile.py */')
    print(f'enum {{ ARCH = {arch}, TILE = {TILE}, THREADS = {32 * WARPS} }};')
    rows = [put(element, arch) for element in ('fp32', 'fp16', 'bf16')]
    print('static const struct kernel kernels[] = {')
    print('\n'.join(rows))
    print('};')


if __name__ == '__main__':
    main()
