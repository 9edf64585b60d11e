# SPDX-License-Identifier: MIT
"""CUB, by cuda.compute."""
import math

from frameworks.common import Memory, view


class Stream:
    def __init__(self, pointer):
        self.pointer = pointer

    def __cuda_stream__(self):
        return 0, self.pointer


def line_ends(pointer, extents, dtype):
    import torch
    outer, axis = extents
    return torch.arange(outer + 1, dtype=torch.int64, device='cuda') * axis


def launch_cuda_compute(name, p):
    import cuda.compute
    import numpy
    outer, axis, _ = p.extents
    common = {
        'd_in': Memory(p.x, (outer * axis,), p.dtype, False),
        'd_out': Memory(p.y, (math.prod(p.out_extents),), p.dtype, False),
        'op': cuda.compute.OpKind.PLUS, 'stream': Stream(p.stream)}
    zero = numpy.zeros(1, p.dtype)
    if p.op == 'cumsum':
        cuda.compute.inclusive_scan(init_value=zero, num_items=axis, **common)
    elif p.op == 'cumsum_exclusive':
        cuda.compute.exclusive_scan(init_value=zero, num_items=axis, **common)
    elif outer == 1:
        cuda.compute.reduce_into(h_init=zero, num_items=axis, **common)
    else:
        ends = view(name, line_ends, 0, (outer, axis), 'int64')
        cuda.compute.segmented_reduce(
            h_init=zero, num_segments=outer, start_offsets_in=ends[:-1],
            end_offsets_in=ends[1:], **common)
    return p.y


def one_line(p):
    if p.dtype not in ('float32', 'float64'):
        return 'it would sum half types in half precision'
    if p.extents[2] != 1:
        return 'contiguous lines only (inner > 1)'
    if p.op == 'sum':
        return None
    if p.op not in ('cumsum', 'cumsum_exclusive'):
        return 'it does not have this operation'
    return None if p.extents[0] == 1 else 'it scans a single line only'


FRAMEWORKS = {
    'cuda_compute': (['cuda.compute', 'numpy', 'torch'], launch_cuda_compute,
                     one_line),
}
