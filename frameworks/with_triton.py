# SPDX-License-Identifier: MIT
"""Triton: scans in the style of its tutorials, tuned. Of short lines, each program scans a tile of
many whole ones."""
import functools

from frameworks.triton_operators import columns_only, kind_of, launch_lines, rows_only, tuned
from frameworks.with_torch import torch_arrays, torch_stream

LONGEST = 2048  # elements per line, so that every tile holds at least one


@functools.cache
def triton_kernels(scan):
    """Compiled only where Triton is installed."""
    return {
        'triton_rows': tuned(scan_rows, scan, ['axis', 'KIND'], ['TILE'],
                             (1024, 4), (2048, 4), (4096, 8), (8192, 16)),
        'triton_columns': tuned(scan_columns, scan, ['axis', 'inner', 'KIND'],
                                ['STEPS', 'WIDTH'], (16, 64, 4), (32, 64, 4),
                                (32, 128, 8), (64, 32, 4)),
        'triton_packed': tuned(scan_packed, scan, ['axis', 'KIND'], ['ITEMS'],
                               (2048, 4), (4096, 8), (8192, 8))}


def scan_rows(x, mask, y, axis, KIND: 'tl.constexpr', TILE: 'tl.constexpr'):
    line = tl.program_id(0).to(tl.int64)
    identity = tl.full((), IDENTITY, tl.float32)
    if y.dtype.element_ty == tl.float64:
        identity = identity.to(tl.float64)
    carry = identity
    lane = tl.arange(0, TILE)
    for start in range(0, axis, TILE):
        step = start + lane
        keep = step < axis
        at = line * axis + (axis - 1 - step if KIND == 2 else step)
        value = loaded(x, mask, at, keep, KIND, IDENTITY).to(carry.dtype)
        if KIND < 4:
            scanned = combine(carry, tl.associative_scan(value, 0, combine))
            if KIND == 1:
                tl.store(y + at + 1, scanned.to(y.dtype.element_ty), step + 1 < axis)
            else:
                tl.store(y + at, scanned.to(y.dtype.element_ty), keep)
        carry = combine(carry, tl.reduce(value, 0, combine))
    if KIND == 5:
        carry = (carry.to(tl.float64) / axis).to(carry.dtype)
    if KIND >= 4:
        tl.store(y + line, carry.to(y.dtype.element_ty))
    if KIND == 1:
        tl.store(y + line * axis, identity.to(y.dtype.element_ty))


def scan_columns(x, mask, y, axis, inner, KIND: 'tl.constexpr',
                 STEPS: 'tl.constexpr', WIDTH: 'tl.constexpr'):
    strips = tl.cdiv(inner, WIDTH)
    outer = tl.program_id(0).to(tl.int64) // strips
    lane = (tl.program_id(0) % strips) * WIDTH + tl.arange(0, WIDTH)
    first = outer * axis * inner
    carry = tl.full((WIDTH,), IDENTITY, tl.float32)
    if y.dtype.element_ty == tl.float64:
        carry = carry.to(tl.float64)
    identity = carry
    rows = tl.arange(0, STEPS)
    for start in range(0, axis, STEPS):
        step = start + rows
        keep = (step < axis)[:, None] & (lane < inner)[None, :]
        row = axis - 1 - step if KIND == 2 else step
        at = first + row.to(tl.int64)[:, None] * inner + lane[None, :]
        value = loaded(x, mask, at, keep, KIND, IDENTITY).to(carry.dtype)
        if KIND < 4:
            scanned = combine(carry[None, :], tl.associative_scan(value, 0, combine))
            if KIND == 1:
                tl.store(y + at + inner, scanned.to(y.dtype.element_ty),
                         keep & (step + 1 < axis)[:, None])
            else:
                tl.store(y + at, scanned.to(y.dtype.element_ty), keep)
        carry = combine(carry, tl.reduce(value, 0, combine))
    if KIND == 5:
        carry = (carry.to(tl.float64) / axis).to(carry.dtype)
    if KIND >= 4:
        tl.store(y + outer * inner + lane, carry.to(y.dtype.element_ty), lane < inner)
    if KIND == 1:
        tl.store(y + first + lane, identity.to(y.dtype.element_ty), lane < inner)


def launch_triton(name, p):
    with torch_stream(p):
        launch_lines(triton_kernels(p.scan)[name], p, torch_arrays(p), KIND=kind_of(p))
    return p.y


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
            tl.store(y + line * axis, tl.full((LINES,), IDENTITY, y.dtype.element_ty), whole)
        else:
            tl.store(y + at, scanned, keep)


def launch_packed(name, p):
    import triton
    outer, axis, _ = p.extents
    width = triton.next_power_of_2(axis)
    with torch_stream(p):
        triton_kernels(p.scan)[name][lambda point: (triton.cdiv(
            outer, point['ITEMS'] // width),)](
                *torch_arrays(p), outer, axis, KIND=kind_of(p), WIDTH=width)
    return p.y


def packed_only(p):
    long = p.extents[1] > LONGEST
    return rows_only(p) or (
        f'contiguous lines of at most {LONGEST} elements only' if long else None)


FRAMEWORKS = {
    'triton_rows': (['torch', 'triton'], launch_triton, rows_only),
    'triton_columns': (['torch', 'triton'], launch_triton, columns_only),
    'triton_packed': (['torch', 'triton'], launch_packed, packed_only),
}
