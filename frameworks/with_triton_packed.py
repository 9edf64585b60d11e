# SPDX-License-Identifier: MIT
"""Triton on short lines: each program scans a tile of many whole lines."""
import functools

from frameworks.triton_operators import kind_of, rows_only, tuned
from frameworks.with_torch import torch_arrays, torch_stream

LONGEST = 2048  # elements per line, so that every tile holds at least one


@functools.cache
def packed_kernel(scan):
    return tuned(scan_packed, scan, ['axis', 'KIND'], ['ITEMS'], (2048, 4), (4096, 8),
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
    value = loaded(x, mask, at, keep, KIND, IDENTITY)
    if y.dtype.element_ty != tl.float64:
        value = value.to(tl.float32)
    if KIND >= 4:
        total = tl.reduce(value, 1, combine)
        if KIND == 5:
            total = (total.to(tl.float64) / axis).to(total.dtype)
        tl.store(y + line, total.to(y.dtype.element_ty), whole)
    else:
        scanned = tl.associative_scan(value, 1, combine).to(y.dtype.element_ty)
        if KIND == 1:
            tl.store(y + at + 1, scanned, keep & (step + 1 < axis)[None, :])
            tl.store(y + line * axis,
                     tl.full((LINES,), IDENTITY, y.dtype.element_ty), whole)
        else:
            tl.store(y + at, scanned, keep)


def launch_packed(_, p):
    import triton
    outer, axis, _ = p.extents
    width = triton.next_power_of_2(axis)
    with torch_stream(p):
        packed_kernel(p.scan)[lambda point: (triton.cdiv(
            outer, point['ITEMS'] // width),)](
                *torch_arrays(p), outer, axis, KIND=kind_of(p), WIDTH=width)
    return p.y


def packed_only(p):
    long = p.extents[1] > LONGEST
    return rows_only(p) or (
        'contiguous lines of at most %d elements only' % LONGEST if long else None)


FRAMEWORKS = {
    'triton_packed': (['torch', 'triton'], launch_packed, packed_only),
}
