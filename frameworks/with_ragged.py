# SPDX-License-Identifier: MIT
"""Ragged lines: NumPy's reduceat, torch.segment_reduce, and cumulative sums by subtraction."""
from frameworks.common import KEPT, view
from frameworks.with_arrays import Arrays
from frameworks.with_torch import torch_stream, torch_view


def ragged_inputs(name, make, p):
    """Returns the rows, without an inner dim of 1, and the offsets."""
    _, total, inner = p.extents
    rows = (total, inner) if inner > 1 else (total,)
    return (view(name, make, p.x, rows, p.dtype),
            view(name, make, p.offsets, (p.segments + 1,), p.offset_dtype))


def launch_numpy(name, p):
    """reduceat() gives an empty segment the row at its start, so it gets no empty ones."""
    import numpy
    x, offsets = ragged_inputs('numpy', Arrays('numpy', False).view, p)
    lengths = numpy.diff(offsets)
    some = lengths > 0
    reduce = numpy.maximum if p.plain == 'amax' else numpy.add
    y = numpy.full((p.segments, *x.shape[1:]), p.identity, p.wide)
    with numpy.errstate(all='ignore'):
        if some.any():
            y[some] = reduce.reduceat(x, offsets[:-1][some], dtype=p.wide)
        if p.plain == 'mean':
            y /= lengths.reshape(-1, *(1,) * (x.ndim - 1))
    KEPT[name] = y.astype(p.out_dtype)
    return KEPT[name].ctypes.data


def segment_reduce(p, x, offsets):
    """`unsafe` leaves out a check for which the host would wait."""
    import torch
    name = {'amax': 'max'}.get(p.plain, p.plain)
    return torch.segment_reduce(x, name, offsets=offsets, unsafe=True)


def by_subtraction(p, x, offsets):
    """Subtracts the sum before each segment from the sums of all rows, in double: x's type
    loses the digits of a small segment behind a large one."""
    import torch
    flipped = (0,) if p.reverse else ()
    sums = x.flip(flipped).cumsum(0, dtype=torch.float64).flip(flipped)
    zero = torch.zeros_like(sums[:1])
    before = (torch.cat((sums, zero))[offsets[1:]] if p.reverse
              else torch.cat((zero, sums))[offsets[:-1]])
    before = before.repeat_interleave(offsets.diff(), 0, output_size=len(x))
    return torch.sub(sums, before, out=torch.empty_like(x))


def launch_torch(name, p):
    function = segment_reduce if p.reduces else by_subtraction
    with torch_stream(p):
        KEPT[name] = function(p, *ragged_inputs('torch', torch_view, p))
    return KEPT[name].data_ptr()


def ragged_only(p):
    return None if p.offsets else 'serves ragged lines only'


FRAMEWORKS = {
    'numpy_reduceat': (['numpy'], launch_numpy, ragged_only),
    'torch_segment_reduce': (['torch'], launch_torch, ragged_only),
    'torch_cumsum_by_subtraction': (['torch'], launch_torch, ragged_only)}
