# SPDX-License-Identifier: MIT
"""Triton on few long lines: many programs per line sum its chunks, and then scan each
chunk from the totals before it."""
from frameworks.common import OPS, inputs, view
from frameworks.with_torch import torch_stream, torch_view
from frameworks.with_triton import rows_only, tuned

SPLIT = {}
CHUNK = 8192  # a multiple of every TILE
PROGRAMS = 1024  # enough to fill a GPU; one program adds as many totals


def split_kernels():
    """Compiled only where Triton is installed."""
    global tl  # the kernels read it as a global of this module
    import triton
    import triton.language as tl

    tiles = ['axis', 'KIND'], ['TILE'], (2048, 4), (4096, 8), (8192, 8)
    return {'totals': tuned(sum_chunks, *tiles), 'chunks': tuned(scan_chunks, *tiles),
            'lines': triton.jit(sum_totals)}


def sum_chunks(x, mask, totals, axis, chunk, chunks, KIND: 'tl.constexpr',
               TILE: 'tl.constexpr'):
    """Each program sums one chunk of a line."""
    line = tl.program_id(0).to(tl.int64) // chunks
    first = tl.program_id(0).to(tl.int64) % chunks * chunk
    sums = tl.zeros((TILE,), totals.dtype.element_ty)
    for start in range(0, chunk, TILE):
        step = first + start + tl.arange(0, TILE)
        keep = step < axis
        at = line * axis + (axis - 1 - step if KIND == 2 else step)
        if KIND == 3:
            value = tl.load(x + at, tl.load(mask + at, keep, 0) & keep, 0.0)
        else:
            value = tl.load(x + at, keep, 0.0)
        sums += value.to(totals.dtype.element_ty)
    tl.store(totals + tl.program_id(0), tl.sum(sums, 0))


def scan_chunks(x, mask, totals, y, axis, chunk, chunks, KIND: 'tl.constexpr',
                PARTS: 'tl.constexpr', TILE: 'tl.constexpr'):
    """Each program scans one chunk, from the sum of the totals before it."""
    line = tl.program_id(0).to(tl.int64) // chunks
    part = tl.program_id(0) % chunks
    before = tl.arange(0, PARTS)
    carry = tl.sum(tl.load(totals + line * chunks + before, before < part,
                           0.0), 0)
    for start in range(0, chunk, TILE):
        step = part.to(tl.int64) * chunk + start + tl.arange(0, TILE)
        keep = step < axis
        at = line * axis + (axis - 1 - step if KIND == 2 else step)
        if KIND == 3:
            value = tl.load(x + at, tl.load(mask + at, keep, 0) & keep, 0.0)
        else:
            value = tl.load(x + at, keep, 0.0)
        value = value.to(totals.dtype.element_ty)
        sums = (carry + tl.cumsum(value, 0)).to(y.dtype.element_ty)
        if KIND == 1:
            tl.store(y + at + 1, sums, step + 1 < axis)
        else:
            tl.store(y + at, sums, keep)
        carry += tl.sum(value, 0)
    if KIND == 1:
        zero = tl.full((), 0, y.dtype.element_ty)
        tl.store(y + line * axis, zero, part == 0)


def sum_totals(totals, y, chunks, PARTS: 'tl.constexpr'):
    part = tl.arange(0, PARTS)
    line = tl.program_id(0).to(tl.int64)
    total = tl.sum(tl.load(totals + line * chunks + part, part < chunks, 0.0),
                   0)
    tl.store(y + line, total.to(y.dtype.element_ty))


def launch_split(_, p):
    import torch
    import triton
    if not SPLIT:
        SPLIT.update(split_kernels())
    outer, axis, _ = p.extents
    kind = OPS.index(p.op)
    chunk = triton.cdiv(triton.cdiv(axis, PROGRAMS // outer), CHUNK) * CHUNK
    chunks = triton.cdiv(axis, chunk)
    grid = (outer * chunks,)
    parts = triton.next_power_of_2(chunks)
    with torch_stream(p):
        x, mask = inputs('torch', torch_view, p)
        y = view('torch', torch_view, p.y, p.out_extents, p.dtype)
        totals = torch.empty(outer * chunks, dtype=getattr(torch, p.wide()),
                             device=y.device)
        SPLIT['totals'][grid](x, mask, totals, axis, chunk, chunks, KIND=kind)
        if p.op == 'sum':
            SPLIT['lines'][(outer,)](totals, y, chunks, PARTS=parts)
        else:
            SPLIT['chunks'][grid](x, mask, totals, y, axis, chunk, chunks,
                                  KIND=kind, PARTS=parts)
    return p.y


def split_only(p):
    serves = p.extents[1] > CHUNK and 2 * p.extents[0] <= PROGRAMS
    return rows_only(p) or (None if serves else (
        'contiguous lines of more than %d elements, and at most %d of them'
        % (CHUNK, PROGRAMS // 2)))


FRAMEWORKS = {
    'triton_split': (['torch', 'triton'], launch_split, split_only),
}
