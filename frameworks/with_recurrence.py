# SPDX-License-Identifier: MIT
"""Linear recurrences, h[t] = a[t] h[t-1] + b[t]: torch's associative_scan, Triton's, in
tiles whose last element is carried on, and accelerated-scan."""
import functools

from frameworks.common import COMPILED, KEPT, view
from frameworks.triton_operators import columns_only, join, launch_lines, rows_only, tuned
from frameworks.with_torch import torch_stream, torch_view


def inputs(p):
    """Initial elements, which no timed input has, are put into b."""
    a, b = (view('torch', torch_view, at, p.extents, p.dtype) for at in (p.x, p.x2))
    if p.start:
        first = p.extents[1] - 1 if p.reverse else 0
        h = view('torch', torch_view, p.start, p.extents[::2], p.dtype)
        b = b.clone()
        b[:, first] = (a[:, first].double() * h + b[:, first]).to(b.dtype)
    return a, b


def launch_torch(name, p):
    import torch
    from torch._higher_order_ops.associative_scan import associative_scan
    wide = getattr(torch, p.wide)

    def recurrence(a, b):
        maps = associative_scan(lambda left, right: join(*left, *right),
                                (a.to(wide), b.to(wide)), 1, p.reverse, 'pointwise')
        return maps[1].to(a.dtype)
    key = name, p.key()
    if key not in COMPILED:
        torch.compiler.reset()
        COMPILED[key] = torch.compile(recurrence, dynamic=False)
    with torch_stream(p):
        KEPT[name] = COMPILED[key](*inputs(p)).contiguous()
    return KEPT[name].data_ptr()


@functools.cache
def triton_kernels():
    return {
        'triton_recurrence_rows': tuned(
            recurrence_rows, 'recurrence', ['axis', 'REVERSE'], ['TILE'], (1024, 4),
            (2048, 4), (4096, 8)),
        'triton_recurrence_columns': tuned(
            recurrence_columns, 'recurrence', ['axis', 'inner', 'REVERSE'],
            ['STEPS', 'WIDTH'], (16, 64, 4), (32, 64, 4), (64, 32, 4))}


def recurrence_rows(a, b, h, axis, REVERSE: 'tl.constexpr', TILE: 'tl.constexpr'):
    wide = tl.float64 if h.dtype.element_ty == tl.float64 else tl.float32
    carry = tl.full((), 0, wide)
    lane = tl.arange(0, TILE)
    for start in range(0, axis, TILE):
        step = start + lane
        keep = step < axis
        at = tl.program_id(0).to(tl.int64) * axis + (axis - 1 - step if REVERSE else step)
        factor, state = tl.associative_scan((tl.load(a + at, keep, 1).to(wide),
                                             tl.load(b + at, keep, 0).to(wide)), 0, combine)
        state = factor * carry + state
        tl.store(h + at, state.to(h.dtype.element_ty), keep)
        carry = tl.sum(tl.where(lane == TILE - 1, state, 0), 0)


def recurrence_columns(a, b, h, axis, inner, REVERSE: 'tl.constexpr',
                       STEPS: 'tl.constexpr', WIDTH: 'tl.constexpr'):
    wide = tl.float64 if h.dtype.element_ty == tl.float64 else tl.float32
    strips = tl.cdiv(inner, WIDTH)
    lane = (tl.program_id(0) % strips) * WIDTH + tl.arange(0, WIDTH)
    first = (tl.program_id(0) // strips).to(tl.int64) * axis * inner
    carry = tl.full((WIDTH,), 0, wide)
    rows = tl.arange(0, STEPS)
    for start in range(0, axis, STEPS):
        step = start + rows
        keep = (step < axis)[:, None] & (lane < inner)[None, :]
        row = axis - 1 - step if REVERSE else step
        at = first + row.to(tl.int64)[:, None] * inner + lane[None, :]
        factor, state = tl.associative_scan((tl.load(a + at, keep, 1).to(wide),
                                             tl.load(b + at, keep, 0).to(wide)), 0, combine)
        state = factor * carry[None, :] + state
        tl.store(h + at, state.to(h.dtype.element_ty), keep)
        carry = tl.sum(tl.where((rows == STEPS - 1)[:, None], state, 0), 0)


def launch_triton(name, p):
    with torch_stream(p):
        arrays = *inputs(p), view('torch', torch_view, p.y, p.extents, p.dtype)
        launch_lines(triton_kernels()[name], p, arrays, REVERSE=p.reverse)
    return p.y


def launch_accelerated(name, p):
    from accelerated_scan.warp import scan
    outer, axis, _ = p.extents
    with torch_stream(p):  # its CUDA grid, (batch, channels), is at most 2^31 by 65535
        KEPT[name] = scan(*(x.view(outer, 1, axis) for x in inputs(p)))
    return KEPT[name].data_ptr()


def refuses_accelerated(p):
    outer, axis, inner = p.extents
    if inner > 1 or p.reverse or p.wide == 'float64' or outer * axis >= 1 << 31 or (
            axis not in (1 << k for k in range(5, 17))):
        return 'fewer than 2^31 elements, forward, lines of a power of two from 32 to 65536, no f64'
    return None


FRAMEWORKS = {
    'torch_associative_scan': (['torch', 'triton'], launch_torch, lambda p: None),
    'triton_recurrence_rows': (['torch', 'triton'], launch_triton, rows_only),
    'triton_recurrence_columns': (['torch', 'triton'], launch_triton, columns_only),
    'accelerated_scan': (['torch', 'accelerated_scan'], launch_accelerated,
                         refuses_accelerated)}
