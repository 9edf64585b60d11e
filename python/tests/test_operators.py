# SPDX-License-Identifier: MIT
"""Every operation with NumPy by its definition, on the host library. Exit status 77: no
NumPy."""
import math
import sys
import unittest

try:
    import numpy as np
except ImportError as why:
    print("skipped: %s" % why)
    sys.exit(77)
import scanbench

SMALL = [(), (0,), (7,), (0, 3), (3, 0), (3, 5), (2, 3, 4), (1, 200)]
DIMS = [(0, None), (0, -1, None), (0, 1, -1, (1, 0), None),
        (0, 1, 2, (0, 1), (-1, 1), [0, 1, 2], None)]  # by the number of dims
TYPES = ["float32", "float64", "float16"]
# By operation: its identity, and how it combines with the next element.
COMBINE = {
    "sum": (0, lambda a, x: a + x),
    "prod": (1, lambda a, x: a * x),
    "max": (-np.inf, lambda a, x: a if a > x or a != a else x),
    "min": (np.inf, lambda a, x: a if a < x or a != a else x),
}
REDUCTIONS = {"sum": "sum", "prod": "prod", "amax": "max", "amin": "min", "mean": "sum"}
SCANS = {"cumsum": "sum", "cumprod": "prod", "cummax": "max", "cummin": "min"}
EXCLUSIVE = ("cumsum", "cumprod")
UNMASKED = ("mean", "argmax", "argmin")


def along(kind, line):
    """Yields what a scan of the line has before and behind each element."""
    acc, combine = COMBINE[kind]
    for x in line:
        before, acc = acc, combine(acc, x)
        yield before, acc


def scan_of(name, x, dim, reverse=False, exclusive=False, mask=None):
    kind = SCANS[name]

    def one(line):
        line = line[::-1] if reverse else line
        made = [pair[not exclusive] for pair in along(kind, line)]
        return np.array(made[::-1] if reverse else made, "float64")
    x = x if mask is None else np.where(mask, x, COMBINE[kind][0])
    wide = np.atleast_1d(x).astype("float64")
    return np.apply_along_axis(one, dim, wide).reshape(x.shape) if wide.size else wide


def reduction_of(name, x, mask=None):
    """Of each line of a 2-d x."""
    kind = REDUCTIONS[name]
    x = x if mask is None else np.where(mask, x, COMBINE[kind][0])
    ends = [[COMBINE[kind][0], *(pair[1] for pair in along(kind, line))][-1]
            for line in x.astype("float64")]
    with np.errstate(invalid="ignore"):
        return np.array(ends, "float64") / (x.shape[1] if name == "mean" else 1)


def factors(shape, dtype):
    """Their products are exact, and their extremes have ties and a NaN."""
    draw = np.random.default_rng(3)
    x = draw.choice([-1, 1, 0.5, -2, 2, -0.5], shape)
    return np.where(draw.random(shape) < 0.01, np.nan, x).astype(dtype)


def mask_of(x):
    return np.random.default_rng(4).random(x.shape) < 0.5


class Operators(unittest.TestCase):
    def test_scans(self):
        for name in SCANS:
            for shape in SMALL:
                for dtype in TYPES:
                    for dim in range(max(len(shape), 1)):
                        for flags in range(8):
                            if name in EXCLUSIVE or not flags & 2:
                                self.one_scan(name, factors(shape, dtype), dim, flags)

    def one_scan(self, name, x, dim, flags):
        mask = mask_of(x) if flags & 4 else None
        words = dict(reverse=bool(flags & 1), exclusive=bool(flags & 2), mask=mask)
        with np.errstate(over="ignore"):
            wanted = scan_of(name, x, dim, **words).astype(x.dtype)
        got = getattr(scanbench, name)(x, dim, **words)
        self.assertEqual(got.dtype, x.dtype)
        np.testing.assert_array_equal(got, wanted, "%s %s" % (name, words))

    def test_reductions(self):
        for name in REDUCTIONS:
            for shape in SMALL:
                for dtype in TYPES:
                    for dim in DIMS[len(shape)]:
                        for keep in (False, True):
                            self.one_reduction(name, factors(shape, dtype), dim, keep)

    def one_reduction(self, name, x, dim, keep):
        mask = None if name in UNMASKED else mask_of(x)
        dims = range(x.ndim) if dim is None else np.atleast_1d(dim) % max(x.ndim, 1)
        rest = [k for k in range(x.ndim) if k not in dims]
        shape = [1 if k in dims else n for k, n in enumerate(x.shape) if keep or k in rest]

        def lines(x):
            x = x.transpose(*rest, *sorted(dims)) if x.ndim else x
            return x.reshape(math.prod(x.shape[:len(rest)]), math.prod(x.shape[len(rest):]))
        call = getattr(scanbench, name)
        if lines(x).shape[1] == 0 and name in ("amax", "amin"):
            text = r"^%s\(\): Expected reduction dim \d to have non-zero size" % name
            with self.assertRaisesRegex(IndexError, text):
                call(x, dim)
            return
        for m in (None, mask):
            wanted = reduction_of(name, lines(x), None if m is None else lines(m))
            got = call(x, dim, keep, *([] if m is None else [m]))
            self.assertEqual((got.dtype, list(got.shape)), (x.dtype, shape))
            np.testing.assert_allclose(got.reshape(-1), wanted.astype(x.dtype),
                                       2e-3 if name == "mean" else 0, 0)


if __name__ == "__main__":
    unittest.main()
