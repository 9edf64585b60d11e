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


def larger(a, b):
    """OpKind.MAXIMUM may lose a NaN."""
    return a if a > b or a != a else b


def smaller(a, b):
    return a if a < b or a != a else b


def launch_cuda_compute(name, p):
    import cuda.compute
    import numpy
    outer, axis, _ = p.extents
    operators = {'cumsum': cuda.compute.OpKind.PLUS, 'cummax': larger,
                 'cumprod': cuda.compute.OpKind.MULTIPLIES, 'cummin': smaller}
    of, to = (dtype.replace('bool', 'uint8') for dtype in (p.dtype, p.out_dtype))
    common = {
        'd_in': Memory(p.x, (outer * axis,), of, False),
        'd_out': Memory(p.y, (math.prod(p.out_extents),), to, False),
        'op': operators[p.scan], 'stream': Stream(p.stream)}
    first = p.identity
    if p.wide == 'int64' and p.scan in ('cummax', 'cummin'):
        first = numpy.iinfo(to).min if p.scan == 'cummax' else numpy.iinfo(to).max
    first = numpy.full(1, first, to)
    if p.exclusive:
        cuda.compute.exclusive_scan(init_value=first, num_items=axis, **common)
    elif not p.reduces:
        cuda.compute.inclusive_scan(init_value=first, num_items=axis, **common)
    elif outer == 1:
        cuda.compute.reduce_into(h_init=first, num_items=axis, **common)
    else:
        ends = view(name, line_ends, 0, (outer, axis), 'int64')
        cuda.compute.segmented_reduce(
            h_init=first, num_segments=outer, start_offsets_in=ends[:-1],
            end_offsets_in=ends[1:], **common)
    return p.y


def one_line(p):
    if p.dtype in ('float16', 'bfloat16'):
        return 'it would sum half types in half precision'
    if p.extents[2] != 1:
        return 'contiguous lines only (inner > 1)'
    if p.masked or p.reverse or p.plain == 'mean' or p.scan not in (
            'cumsum', 'cumprod', 'cummax', 'cummin'):
        return 'it does not have this operation'
    return None if p.reduces or p.extents[0] == 1 else 'it scans a single line only'


FRAMEWORKS = {'cuda_compute': (['cuda.compute', 'numpy', 'torch'], launch_cuda_compute, one_line)}
