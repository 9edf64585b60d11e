# SPDX-License-Identifier: MIT
"""NumPy, on the host, and CuPy; JAX uses their operations."""
import contextlib
import ctypes
import importlib
import math

from frameworks.common import KEPT, NUMPY_TYPES, Memory, inputs, not_bfloat16


def by_arrays(module, x, mask, p):
    """Runs the operation by functions that NumPy, CuPy and JAX share."""
    if p.op == 'flip':
        return module.flip(x, 1)
    if p.op == 'sum':
        return module.sum(x, axis=1, dtype=p.wide())
    if mask is not None:
        x = module.where(mask, x, x.dtype.type(0))
    if p.op == 'cumsum_reverse':
        return module.flip(module.cumsum(module.flip(x, 1), 1, p.wide()), 1)
    if p.op == 'cumsum_exclusive':
        return module.pad(module.cumsum(x[:, :-1], 1, p.wide()), ((0, 0), (1, 0), (0, 0)))
    return module.cumsum(x, 1, p.wide())


def numpy_view(pointer, extents, dtype):
    import numpy
    kind = numpy.dtype(NUMPY_TYPES[dtype])
    size = math.prod(extents) * kind.itemsize
    memory = (ctypes.c_char * size).from_address(pointer)
    return numpy.frombuffer(memory, kind).reshape(extents)


def cupy_view(pointer, extents, dtype):
    import cupy
    return cupy.asarray(Memory(pointer, extents, dtype, False))


def cupy_stream(p):
    import cupy
    return cupy.cuda.ExternalStream(p.stream) if p.stream else cupy.cuda.Stream.null


def launch_arrays(name, p):
    module = importlib.import_module(name)
    x, mask = inputs(name, cupy_view if name == 'cupy' else numpy_view, p)
    with cupy_stream(p) if name == 'cupy' else contextlib.nullcontext():
        y = by_arrays(module, x, mask, p).astype(p.dtype, copy=False)
        y = KEPT[name] = module.ascontiguousarray(y)
    return y.data.ptr if name == 'cupy' else y.ctypes.data


FRAMEWORKS = {name: ([name], launch_arrays, not_bfloat16) for name in ('numpy', 'cupy')}
