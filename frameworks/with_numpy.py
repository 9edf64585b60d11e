# SPDX-License-Identifier: MIT
"""NumPy, on the host."""
import ctypes
import math

from frameworks.common import KEPT, NUMPY_TYPES, by_arrays, inputs, not_bfloat16


def numpy_view(pointer, extents, dtype):
    import numpy
    kind = numpy.dtype(NUMPY_TYPES[dtype])
    size = math.prod(extents) * kind.itemsize
    memory = (ctypes.c_char * size).from_address(pointer)
    return numpy.frombuffer(memory, kind).reshape(extents)


def launch_numpy(p):
    import numpy
    x, mask = inputs('numpy', numpy_view, p)
    y = by_arrays(numpy, x, mask, p).astype(p.dtype, copy=False)
    KEPT['numpy'] = numpy.ascontiguousarray(y)
    return KEPT['numpy'].ctypes.data


FRAMEWORKS = {'numpy': (['numpy'], launch_numpy, not_bfloat16)}
