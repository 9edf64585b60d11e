# SPDX-License-Identifier: MIT
"""A Triton kernel and its launcher, to be judged:

    scanbench check --python triton_rows.py:row_scan --op cumsum
"""
import torch
import triton
import triton.language as tl


@triton.jit
def scan_line(x, y, axis, TILE: tl.constexpr):
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


def row_scan(x):
    """Cumulative sums along the last dim of (lines, axis)."""
    y = torch.empty_like(x)
    scan_line[(x.shape[0],)](x, y, x.shape[1], TILE=2048, num_warps=4)
    return y
