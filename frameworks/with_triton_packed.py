# SPDX-License-Identifier: MIT
"""Triton on short lines: each program scans a tile of many whole lines."""
from frameworks.common import OPS, inputs, view
from frameworks.with_torch import torch_stream, torch_view
from frameworks.with_triton import rows_only, tuned

PACKED = []
LONGEST = 2048  # elements per line, so that every tile holds at least one


def packed_kernel():
    """Compiled only where Triton is installed."""
    global tl  # the kernel reads it as a global of this module
    import triton.language as tl

    return tuned(scan_packed, ['axis', 'KIND'], ['ITEMS'], (2048, 4), (4096, 8),
                 (8192, 8))


def scan_packed(x, mask, y, lines, axis, KIND: 'tl.constexpr',
                WIDTH: 'tl.constexpr', ITEMS: 'tl.constexpr'):
    """WIDTH is axis rounded up to a power of two."""
    LINES: tl.constexpr = ITEMS // WIDTH
    line = tl.program_id(0).to(tl.int64) * LINES + tl.arange(0, LINES)
    step = tl.arange(0, WIDTH)
    whole = line < lines
    keep = whole[:, None] & (step < axis)[None, :]
    place = axis - 1 - step if KIND == 2 else step
    at = line[:, None] * axis + place[None, :]
    if KIND == 3:
        value = tl.load(x + at, tl.load(mask + at, keep, 0) & keep, 0.0)
    else:
        value = tl.load(x + at, keep, 0.0)
    if y.dtype.element_ty != tl.float64:
        value = value.to(tl.float32)
    if KIND == 4:
        tl.store(y + line, tl.sum(value, 1).to(y.dtype.element_ty), whole)
    else:
        sums = tl.cumsum(value, 1).to(y.dtype.element_ty)
        if KIND == 1:
            tl.store(y + at + 1, sums, keep & (step + 1 < axis)[None, :])
            tl.store(y + line * axis,
                     tl.zeros((LINES,), y.dtype.element_ty), whole)
        else:
            tl.store(y + at, sums, keep)


def launch_packed(_, p):
    import triton
    if not PACKED:
        PACKED.append(packed_kernel())
    outer, axis, _ = p.extents
    width = triton.next_power_of_2(axis)
    with torch_stream(p):
        x, mask = inputs('torch', torch_view, p)
        y = view('torch', torch_view, p.y, p.out_extents, p.dtype)
        PACKED[0][lambda point: (triton.cdiv(
            outer, point['ITEMS'] // width),)](
                x, mask, y, outer, axis, KIND=OPS.index(p.op), WIDTH=width)
    return p.y


def packed_only(p):
    long = p.extents[1] > LONGEST
    return rows_only(p) or (
        'contiguous lines of at most %d elements only' % LONGEST if long else None)


FRAMEWORKS = {
    'triton_packed': (['torch', 'triton'], launch_packed, packed_only),
}
