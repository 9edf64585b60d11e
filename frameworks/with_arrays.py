# SPDX-License-Identifier: MIT
"""NumPy, on the host, and CuPy; JAX uses their operations."""
import ctypes
import importlib
import math

from frameworks.common import KEPT, NUMPY_TYPES, Memory, along, inputs, not_bfloat16


def log_of_sum(module, x):
    """Returns -inf for -inf alone, and does not wait, as CuPy's own logsumexp() does."""
    most = module.max(x, axis=1, keepdims=True)
    most = module.where(module.isfinite(most), most, most.dtype.type(0))
    return module.log(module.sum(module.exp(x - most), axis=1)) + most[:, 0]


def by_arrays(module, own, x, mask, p):
    """Runs the operation by functions that NumPy, CuPy and JAX share, and `own` ones."""
    functions = {
        'cumsum': lambda x: module.cumsum(x, 1, p.wide),
        'cumprod': lambda x: module.cumprod(x, 1, p.wide),
        'flip': lambda x: module.flip(x, 1),
        'sum': lambda x: module.sum(x, axis=1, dtype=p.wide),
        'mean': lambda x: module.mean(x, axis=1, dtype=p.wide),
        'prod': lambda x: module.prod(x, axis=1, dtype=p.wide),
        'logsumexp': lambda x: log_of_sum(module, x.astype(p.wide, copy=False)),
    } | own
    function = functions.get(p.plain) or (lambda x: getattr(module, p.plain)(x, axis=1))
    return along(
        p, lambda x: module.asarray(function(x), p.out_dtype), functions['flip'],
        lambda mask, x, value: module.where(mask, x, x.dtype.type(value)),
        lambda y, value: module.pad(y, ((0, 0), (1, 0), (0, 0)), constant_values=value),
        x, mask)


def numpy_own(p):
    import numpy
    return {'cummax': lambda x: numpy.maximum.accumulate(x, 1),
            'cummin': lambda x: numpy.minimum.accumulate(x, 1),
            'logcumsumexp': lambda x: numpy.logaddexp.accumulate(x, 1, p.wide)}


class Arrays:
    """NumPy on the host, CuPy on a GPU."""

    def __init__(self, name, gpu):
        self.gpu, self.module = gpu, importlib.import_module(name)
        self.types = getattr(self.module, 'ndarray', None),
        self.no_bfloat16 = name

    def view(self, pointer, extents, dtype):
        if self.gpu:
            return self.module.asarray(Memory(pointer, extents, dtype, False))
        kind = self.module.dtype(NUMPY_TYPES[dtype])
        size = math.prod(extents) * kind.itemsize
        memory = (ctypes.c_char * size).from_address(pointer)
        return self.module.frombuffer(memory, kind).reshape(extents)

    def scope(self, p):
        if not self.gpu:
            return self.module.errstate(all='ignore')
        cuda = self.module.cuda
        return cuda.ExternalStream(p.stream) if p.stream else cuda.Stream.null

    def dense(self, y):
        return self.module.ascontiguousarray(y)

    def place(self, y):
        """Returns the address and the number of bytes."""
        return y.data.ptr if self.gpu else y.ctypes.data, y.nbytes


def launch_arrays(name, p):
    kind = Arrays(name, name == 'cupy')
    own = {} if kind.gpu else numpy_own(p)
    x, mask = inputs(name, kind.view, p)
    with kind.scope(p):
        y = KEPT[name] = kind.dense(by_arrays(kind.module, own, x, mask, p))
    return kind.place(y)[0]


def cupy_lacks(p):
    lacks = p.plain in ('cummax', 'cummin', 'logcumsumexp')
    return f'CuPy has no {p.plain}' if lacks else not_bfloat16(p)


FRAMEWORKS = {'numpy': (['numpy'], launch_arrays, not_bfloat16),
              'cupy': (['cupy'], launch_arrays, cupy_lacks)}
