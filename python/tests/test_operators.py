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
    "max": (-np.inf, lambda a, x: a if a >= x or a != a else x),
    "min": (np.inf, lambda a, x: a if a <= x or a != a else x),
    "log": (-np.inf, np.logaddexp),
}
REDUCTIONS = {"sum": "sum", "prod": "prod", "amax": "max", "amin": "min", "mean": "sum",
              "argmax": "max", "argmin": "min", "logsumexp": "log"}
SCANS = {"cumsum": "sum", "cumprod": "prod", "cummax": "max", "cummin": "min",
         "logcumsumexp": "log"}
EXCLUSIVE = ("cumsum", "cumprod")
INDICES = ("argmax", "argmin")
UNMASKED = ("mean", *INDICES)
ROUNDED = ("mean", "logsumexp", "logcumsumexp")


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
    with np.errstate(all="ignore"):
        ends = [[COMBINE[kind][0], *(pair[1] for pair in along(kind, line))][-1]
                for line in x.astype("float64")]
        ends = np.array(ends, "float64") / (x.shape[1] if name == "mean" else 1)
    if name in INDICES:
        return np.array([np.flatnonzero((line == end) | (line != line))[0]
                         for line, end in zip(x, ends)], "int64")
    return ends.astype(x.dtype)


def factors(shape, dtype):
    """Their products are exact, and their extremes have ties and a NaN."""
    draw = np.random.default_rng(3)
    x = draw.choice([-1, 1, 0.5, -2, 2, -0.5], shape)
    return np.where(draw.random(shape) < 0.01, np.nan, x).astype(dtype)


def check(name, got, wanted):
    assert got.dtype == wanted.dtype, (name, got.dtype, wanted.dtype)
    slack = 4 * np.finfo(got.dtype).eps if name in ROUNDED else 0
    np.testing.assert_allclose(got, wanted, slack, slack, err_msg=name)


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
        with np.errstate(all="ignore"):
            wanted = scan_of(name, x, dim, **words).astype(x.dtype)
        with self.subTest(name, shape=x.shape, dim=dim, flags=flags):
            check(name, getattr(scanbench, name)(x, dim, **words), wanted)

    def test_reductions(self):
        for name in REDUCTIONS:
            for shape in SMALL:
                for dtype in TYPES:
                    for dim in DIMS[len(shape)]:
                        for keep in (False, True):
                            if name not in INDICES or isinstance(dim, (int, type(None))):
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
        if lines(x).shape[1] == 0 and name in ("amax", "amin", *INDICES):
            text = r"^%s\(\): Expected reduction dim %s" % (
                name, r"-?\d to have" if dim is not None else "to be specified")
            with self.assertRaisesRegex((IndexError, RuntimeError), text):
                call(x, dim)
            return
        for m in (None, mask):
            wanted = reduction_of(name, lines(x), None if m is None else lines(m))
            with self.subTest(name, shape=x.shape, dim=dim, keep=keep, masked=m is not None):
                check(name, call(x, dim, keep, *([] if m is None else [m])),
                      wanted.reshape(shape))

    def test_out(self):
        x = factors((3, 5), "float32")
        out = np.empty(3, "int64")
        self.assertIs(scanbench.argmax(x, 1, out=out), out)
        np.testing.assert_array_equal(out, np.argmax(x, 1))
        with self.assertRaisesRegex(ValueError, r"out must be .* \(3,\) of int64"):
            scanbench.argmin(x, 1, out=np.empty(3, "float32"))


if __name__ == "__main__":
    unittest.main()
