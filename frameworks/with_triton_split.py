# SPDX-License-Identifier: MIT
"""Triton on few long lines: many programs per line reduce its chunks, and then scan
each chunk from the totals before it."""
import functools

from frameworks.triton_operators import compiled, kind_of, rows_only, tuned
from frameworks.with_torch import torch_arrays, torch_stream

CHUNK = 8192  # a multiple of every TILE
PROGRAMS = 1024  # enough to fill a GPU; one program adds as many totals


@functools.cache
def split_kernels(scan):
    tiles = scan, ['axis', 'KIND'], ['TILE'], (2048, 4), (4096, 8), (8192, 8)
    return {'totals': tuned(reduce_chunks, *tiles),
            'chunks': tuned(scan_chunks, *tiles),
            'lines': compiled(reduce_totals, scan)}


def reduce_chunks(x, mask, totals, axis, chunk, chunks, KIND: 'tl.constexpr',
                  TILE: 'tl.constexpr'):
    """Each program reduces one chunk of a line."""
    line = tl.program_id(0).to(tl.int64) // chunks
    first = tl.program_id(0).to(tl.int64) % chunks * chunk
    found = tl.full((TILE,), IDENTITY, totals.dtype.element_ty)
    for start in range(0, chunk, TILE):
        step = first + start + tl.arange(0, TILE)
        keep = step < axis
        at = line * axis + (axis - 1 - step if KIND == 2 else step)
        value = loaded(x, mask, at, keep, KIND, IDENTITY)
        found = combine(found, value.to(totals.dtype.element_ty))
    tl.store(totals + tl.program_id(0), tl.reduce(found, 0, combine))


def scan_chunks(x, mask, totals, y, axis, chunk, chunks, KIND: 'tl.constexpr',
                PARTS: 'tl.constexpr', TILE: 'tl.constexpr'):
    """Each program scans one chunk, from the totals before it."""
    line = tl.program_id(0).to(tl.int64) // chunks
    part = tl.program_id(0) % chunks
    before = tl.arange(0, PARTS)
    carry = tl.reduce(tl.load(totals + line * chunks + before, before < part,
                              IDENTITY), 0, combine)
    for start in range(0, chunk, TILE):
        step = part.to(tl.int64) * chunk + start + tl.arange(0, TILE)
        keep = step < axis
        at = line * axis + (axis - 1 - step if KIND == 2 else step)
        value = loaded(x, mask, at, keep, KIND, IDENTITY).to(totals.dtype.element_ty)
        scanned = combine(carry, tl.associative_scan(value, 0, combine))
        scanned = scanned.to(y.dtype.element_ty)
        if KIND == 1:
            tl.store(y + at + 1, scanned, step + 1 < axis)
        else:
            tl.store(y + at, scanned, keep)
        carry = combine(carry, tl.reduce(value, 0, combine))
    if KIND == 1:
        identity = tl.full((), IDENTITY, y.dtype.element_ty)
        tl.store(y + line * axis, identity, part == 0)


def reduce_totals(totals, y, axis, chunks, KIND: 'tl.constexpr', PARTS: 'tl.constexpr'):
    part = tl.arange(0, PARTS)
    line = tl.program_id(0).to(tl.int64)
    total = tl.reduce(tl.load(totals + line * chunks + part, part < chunks,
                              IDENTITY), 0, combine)
    if KIND == 5:
        total = (total.to(tl.float64) / axis).to(total.dtype)
    tl.store(y + line, total.to(y.dtype.element_ty))


def launch_split(_, p):
    import torch
    import triton
    kernels = split_kernels(p.scan)
    outer, axis, _ = p.extents
    kind = kind_of(p)
    chunk = triton.cdiv(triton.cdiv(axis, PROGRAMS // outer), CHUNK) * CHUNK
    chunks = triton.cdiv(axis, chunk)
    grid = (outer * chunks,)
    parts = triton.next_power_of_2(chunks)
    with torch_stream(p):
        x, mask, y = torch_arrays(p)
        totals = torch.empty(outer * chunks, dtype=getattr(torch, p.wide), device=y.device)
        kernels['totals'][grid](x, mask, totals, axis, chunk, chunks, KIND=kind)
        if p.reduces:
            kernels['lines'][(outer,)](totals, y, axis, chunks, KIND=kind, PARTS=parts)
        else:
            kernels['chunks'][grid](x, mask, totals, y, axis, chunk, chunks,
                                    KIND=kind, PARTS=parts)
    return p.y


def split_only(p):
    serves = p.extents[1] > CHUNK and 2 * p.extents[0] <= PROGRAMS
    return rows_only(p) or (None if serves else f'contiguous lines of more than {CHUNK} elements, '
                            f'and at most {PROGRAMS // 2} of them')


FRAMEWORKS = {'triton_split': (['torch', 'triton'], launch_split, split_only)}
