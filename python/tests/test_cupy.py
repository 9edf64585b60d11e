# SPDX-License-Identifier: MIT
"""The package with CuPy, and with memory that only an interface describes, on a
GPU. Exit status 77: no CuPy, or no GPU."""
import sys
import unittest

try:
    import cupy
    import numpy as np
    if cupy.cuda.runtime.getDeviceCount() == 0:
        raise ImportError("no GPU")
except Exception as why:  # also errors of the runtime
    print("skipped: %s" % why)
    sys.exit(77)
import scanbench
from test_numpy import Another


class Interface:
    """An array of no library, only with CUDA's array interface."""

    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = array.__cuda_array_interface__


def values(shape, dtype="float32"):
    """Returns whole numbers, whose sums are exact."""
    draw = np.random.default_rng(1)
    return cupy.asarray(draw.integers(-1, 2, shape).astype(dtype))


def same(got, wanted):
    assert isinstance(got, cupy.ndarray), type(got)
    assert got.dtype == wanted.dtype, (got.dtype, wanted.dtype)
    np.testing.assert_array_equal(cupy.asnumpy(got), cupy.asnumpy(wanted))


class OnCuPy(unittest.TestCase):
    def test_all(self):
        for shape in ((0,), (1,), (7,), (3, 0), (2, 3, 4), (300, 1025)):
            for dtype in ("float32", "float64", "float16"):
                x = values(shape, dtype)
                y = cupy.asnumpy(x)  # CuPy would compile the wanted results
                wide = y.astype("float64")
                for dim in range(-x.ndim, x.ndim):
                    sums = wide.cumsum(dim)
                    same(scanbench.cumsum(x, dim), sums.astype(dtype))
                    same(scanbench.cumsum(x, dim, exclusive=True),
                         (sums - wide).astype(dtype))
                    same(scanbench.cumsum(x, dim, mask=cupy.asarray(y > 0)),
                         np.where(y > 0, wide, 0).cumsum(dim).astype(dtype))
                    if x.shape[dim]:
                        same(scanbench.amax(x, dim), y.max(dim))
                        same(scanbench.argmin(x, dim), y.argmin(dim))
                    same(scanbench.flip(x, dim), np.flip(y, dim))
                    same(scanbench.sum(x, dim), wide.sum(dim).astype(dtype))

    def test_streams(self):
        x = values((300, 4097))
        wanted = cupy.cumsum(x, 1)
        cupy.cuda.Device().synchronize()
        first, second = (cupy.cuda.Stream(non_blocking=True) for _ in range(2))
        with first:
            y = scanbench.cumsum(x, 1)
        with second:
            z = scanbench.cumsum(x, 1, reverse=True)
        first.synchronize()
        second.synchronize()
        same(y, wanted)
        same(z, cupy.flip(cupy.cumsum(cupy.flip(x, 1), 1), 1))

    def test_interfaces(self):
        x = values((5, 33))
        for form in (Interface, Another):
            same(scanbench.cumsum(form(x), 1), cupy.cumsum(x, 1))
        out = cupy.empty_like(x)
        given = Interface(out)
        self.assertIs(scanbench.cumsum(Interface(x), 1, out=given), given)
        same(out, cupy.cumsum(x, 1))

    def test_out(self):
        x = values((4, 9))
        wanted = cupy.cumsum(x, 1)
        scanbench.cumsum(x, 1, out=x)  # x itself: through a copy
        same(x, wanted)
        with self.assertRaises(ValueError):
            scanbench.cumsum(x, 1, out=cupy.empty((9, 4), "float32"))


if __name__ == "__main__":
    unittest.main()
