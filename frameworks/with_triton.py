# SPDX-License-Identifier: MIT
"""Triton: scans in the style of its tutorials, tuned."""
from frameworks.common import OPS, inputs, view
from frameworks.with_torch import torch_stream, torch_view

TRITON = {}


def tuned(kernel, keys, names, *points):
    """Tunes a kernel for each value of the keys; points are values of the names, and
    warps."""
    import triton
    return triton.autotune(
        [triton.Config(dict(zip(names, values)), num_warps=warps)
         for *values, warps in points], keys)(triton.jit(kernel))


def triton_kernels():
    """Compiled only where Triton is installed."""
    global tl  # the kernels read it as a global of this module
    import triton.language as tl

    return {
        'triton_rows': tuned(scan_rows, ['axis', 'KIND'], ['TILE'],
                             (1024, 4), (2048, 4), (4096, 8), (8192, 16)),
        'triton_columns': tuned(scan_columns, ['axis', 'inner', 'KIND'],
                                ['STEPS', 'WIDTH'], (16, 64, 4), (32, 64, 4),
                                (32, 128, 8), (64, 32, 4))}


def scan_rows(x, mask, y, axis, KIND: 'tl.constexpr', TILE: 'tl.constexpr'):
    line = tl.program_id(0).to(tl.int64)
    zero = tl.full((), 0, tl.float32)
    if y.dtype.element_ty == tl.float64:
        zero = zero.to(tl.float64)
    carry = zero
    lane = tl.arange(0, TILE)
    for start in range(0, axis, TILE):
        step = start + lane
        keep = step < axis
        at = line * axis + (axis - 1 - step if KIND == 2 else step)
        if KIND == 3:
            value = tl.load(x + at, tl.load(mask + at, keep, 0) & keep, 0.0)
        else:
            value = tl.load(x + at, keep, 0.0)
        value = value.to(carry.dtype)
        if KIND == 4:
            carry += tl.sum(value, 0)
        else:
            sums = carry + tl.cumsum(value, 0)
            if KIND == 1:
                tl.store(y + at + 1, sums.to(y.dtype.element_ty),
                         step + 1 < axis)
            else:
                tl.store(y + at, sums.to(y.dtype.element_ty), keep)
            carry += tl.sum(value, 0)
    if KIND == 4:
        tl.store(y + line, carry.to(y.dtype.element_ty))
    if KIND == 1:
        tl.store(y + line * axis, zero.to(y.dtype.element_ty))


def scan_columns(x, mask, y, axis, inner, KIND: 'tl.constexpr',
                 STEPS: 'tl.constexpr', WIDTH: 'tl.constexpr'):
    strips = tl.cdiv(inner, WIDTH)
    outer = tl.program_id(0).to(tl.int64) // strips
    lane = (tl.program_id(0) % strips) * WIDTH + tl.arange(0, WIDTH)
    first = outer * axis * inner
    carry = tl.zeros((WIDTH,), tl.float32)
    if y.dtype.element_ty == tl.float64:
        carry = carry.to(tl.float64)
    rows = tl.arange(0, STEPS)
    for start in range(0, axis, STEPS):
        step = start + rows
        keep = (step < axis)[:, None] & (lane < inner)[None, :]
        row = axis - 1 - step if KIND == 2 else step
        at = first + row.to(tl.int64)[:, None] * inner + lane[None, :]
        if KIND == 3:
            value = tl.load(x + at, tl.load(mask + at, keep, 0) & keep, 0.0)
        else:
            value = tl.load(x + at, keep, 0.0)
        value = value.to(carry.dtype)
        if KIND != 4:
            sums = carry[None, :] + tl.cumsum(value, 0)
            if KIND == 1:
                tl.store(y + at + inner, sums.to(y.dtype.element_ty),
                         keep & (step + 1 < axis)[:, None])
            else:
                tl.store(y + at, sums.to(y.dtype.element_ty), keep)
        carry += tl.sum(value, 0)
    if KIND == 4:
        tl.store(y + outer * inner + lane, carry.to(y.dtype.element_ty),
                 lane < inner)
    if KIND == 1:
        tl.store(y + first + lane, tl.zeros((WIDTH,), y.dtype.element_ty),
                 lane < inner)


def launch_triton(name, p):
    import triton
    if not TRITON:
        TRITON.update(triton_kernels())
    kernel = TRITON[name]
    outer, axis, inner = p.extents
    with torch_stream(p):
        x, mask = inputs('torch', torch_view, p)
        y = view('torch', torch_view, p.y, p.out_extents, p.dtype)
        if name == 'triton_rows':
            kernel[(outer,)](x, mask, y, axis, KIND=OPS.index(p.op))
        else:
            kernel[lambda point: (outer * triton.cdiv(inner, point['WIDTH']),)](
                x, mask, y, axis, inner, KIND=OPS.index(p.op))
    return p.y


def rows_only(p):
    if p.op == 'flip':
        return 'a flip is no scan'
    if p.extents[0] >= 1 << 31:
        return 'more lines than a grid has blocks'
    return None if p.extents[2] == 1 else 'contiguous lines only (inner > 1)'


def columns_only(p):
    if p.op == 'flip':
        return 'a flip is no scan'
    return 'strided lines only (inner = 1)' if p.extents[2] == 1 else None


FRAMEWORKS = {
    'triton_rows': (['torch', 'triton'], launch_triton, rows_only),
    'triton_columns': (['torch', 'triton'], launch_triton, columns_only),
}
