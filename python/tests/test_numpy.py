# SPDX-License-Identifier: MIT
"""The package with NumPy: every operation by its definition, on the host library.
Exit status 77: no NumPy."""
import concurrent.futures
import itertools
import os
import re
import sys
import unittest

try:
    import numpy as np
except ImportError as why:
    print("skipped: %s" % why)
    sys.exit(77)
import scanbench

np.seterr(all="ignore")
SMALL = [(), (0,), (7,), (0, 3), (3, 0), (3, 5), (2, 3, 4), (1, 200)]
SHAPES = [*SMALL, (1,), (2, 0, 3), (1, 70001), (300, 129), (5, 33, 65)]
DIMS = [(0, None), (0, -1, None), (0, 1, -1, (1, 0), None),
        (0, 1, 2, (0, 1), (-1, 1), [0, 1, 2], None)]  # by the number of dims
TYPES = ["float32", "float64", "float16"]
IDENTITIES = {np.add: 0, np.multiply: 1, np.maximum: -np.inf, np.minimum: np.inf,
              np.logaddexp: -np.inf}
SCANS = {"cumsum": np.add, "cumprod": np.multiply, "cummax": np.maximum,
         "cummin": np.minimum, "logcumsumexp": np.logaddexp}
REDUCTIONS = {"sum": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum,
              "mean": np.add, "logsumexp": np.logaddexp, "argmax": None, "argmin": None}
EXCLUSIVE = ("cumsum", "cumprod")
INDICES = ("argmax", "argmin")
UNMASKED = ("mean", *INDICES)
ROUNDED = ("mean", "logsumexp", "logcumsumexp")


def scan_of(name, x, dim, reverse=False, exclusive=False, mask=None):
    combine = SCANS[name]
    x = x if mask is None else np.where(mask, x, IDENTITIES[combine]).astype(x.dtype)
    wide = np.atleast_1d(x).astype("float64")
    wide = np.flip(wide, dim) if reverse else wide
    if exclusive:
        wide = np.roll(wide, 1, dim)
        np.moveaxis(wide, dim, 0)[:1] = IDENTITIES[combine]
    made = combine.accumulate(wide, dim)
    return (np.flip(made, dim) if reverse else made).reshape(x.shape).astype(x.dtype)


def reduction_of(name, x, dim, keep, mask=None):
    wide = np.atleast_1d(x).astype("float64")
    axis = tuple(range(wide.ndim) if dim is None else np.sort(np.atleast_1d(dim) % wide.ndim))
    if name in INDICES:
        first, count = axis[0], np.prod([wide.shape[k] for k in axis])
        flat = wide.reshape(*wide.shape[:first], count, *wide.shape[axis[-1] + 1:])
        made = getattr(np, name)(flat, first)
        made = np.expand_dims(made, axis) if keep else made
    else:
        combine = REDUCTIONS[name]
        wide = wide if mask is None else np.where(mask, wide, IDENTITIES[combine])
        made = combine.reduce(wide, axis, keepdims=keep, initial=IDENTITIES[combine])
        made = made / np.prod([wide.shape[k] for k in axis]) if name == "mean" else made
        made = np.asarray(made).astype(x.dtype)
    return np.reshape(made, () if x.ndim == 0 else np.shape(made))


def values(shape, dtype, seed=1):
    """Their sums are exact."""
    draw = np.random.default_rng(seed)
    return np.asarray(draw.integers(-1, 2, shape)).astype(dtype)


def factors(shape, dtype):
    """Their products are exact, and their extremes have ties and a NaN."""
    draw = np.random.default_rng(3)
    x = draw.choice([-1, 1, 0.5, -2, 2, -0.5], shape)
    return np.where(draw.random(shape) < 0.01, np.nan, x).astype(dtype)


def check(name, got, wanted):
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), (name, got, wanted)
    slack = 4 * np.finfo(got.dtype).eps if name in ROUNDED else 0
    np.testing.assert_allclose(got, wanted, slack, slack, err_msg=name)


class Another:
    """An array that NumPy does not know, but can import."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self, **words):
        return self.x.__dlpack__(**words)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


class Derived(np.ndarray):
    pass


class OnNumpy(unittest.TestCase):
    def test_scans(self):
        for name in SCANS:
            for shape in SHAPES if name == "cumsum" else SMALL:
                for dtype in TYPES:
                    x = values(shape, dtype) if name == "cumsum" else factors(shape, dtype)
                    for dim in range(-x.ndim, x.ndim):
                        np.testing.assert_array_equal(scanbench.flip(x, np.int64(dim)),
                                                      np.flip(x, dim))
                    for dim in range(-max(x.ndim, 1), max(x.ndim, 1)):
                        for flags in range(8):
                            if name in EXCLUSIVE or not flags & 2:
                                self.one_scan(name, x, dim, flags)

    def one_scan(self, name, x, dim, flags):
        mask = values(x.shape, "float32", 2) > 0 if flags & 4 else None
        words = dict(reverse=bool(flags & 1), exclusive=bool(flags & 2), mask=mask)
        wanted = scan_of(name, x, dim, **words)
        x = x if mask is None else np.where(mask, x, np.nan).astype(x.dtype)
        with self.subTest(name, shape=x.shape, dim=dim, flags=flags):
            check(name, getattr(scanbench, name)(x, dim, **words), wanted)

    def test_reductions(self):
        for name, shape, dtype in itertools.product(REDUCTIONS, SMALL, TYPES):
            for dim in DIMS[len(shape)]:
                self.one_reduction(name, factors(shape, dtype), dim)

    def one_reduction(self, name, x, dim):
        call = getattr(scanbench, name)
        dims = range(max(x.ndim, 1)) if dim is None else np.atleast_1d(dim)
        if 0 in [np.atleast_1d(x).shape[k] for k in dims] and (
                name in ("amax", "amin", *INDICES)):
            text = r"^%s\(\): Expected reduction dim %s" % (
                name, r"-?\d to have" if dim is not None else "to be specified")
            with self.assertRaisesRegex((IndexError, RuntimeError), text):
                call(x, dim)
            return
        mask = values(x.shape, "float32", 2) > 0
        for keep in (False, True):
            for m in ({},) if name in UNMASKED else ({}, {"mask": mask}):
                with self.subTest(name, shape=x.shape, dim=dim, keep=keep):
                    wanted = reduction_of(name, x, dim, keep, **m)
                    check(name, call(x, dim, keepdim=keep, **m), wanted)

    def test_out(self):
        x = values((4, 9), "float64")
        wanted = np.cumsum(x, 1)
        out = np.empty_like(x)
        self.assertIs(scanbench.cumsum(x, 1, out=out), out)
        np.testing.assert_array_equal(out, wanted)
        scanbench.cumsum(x, 1, out=x)  # x itself: through a copy
        np.testing.assert_array_equal(x, wanted)
        room = np.empty((4, 9))
        mask = room.view(bool).reshape(-1)[:36].reshape(4, 9)  # in its first line
        mask[:] = values((4, 9), "float32", 2) > 0
        wanted = scan_of("cumsum", x, 1, mask=mask.copy())
        np.testing.assert_array_equal(
            scanbench.cumsum(x, 1, mask=mask, out=room), wanted)
        for bad in (np.empty((9, 4)), np.empty((4, 9), "float32"),
                    np.empty((9, 4)).T):
            with self.assertRaises(ValueError):
                scanbench.cumsum(x, 1, out=bad)
        with self.assertRaisesRegex(ValueError, r"out must be .* \(4,\) of int64"):
            scanbench.argmin(x, 1, out=np.empty(4, "float32"))
        out = np.empty(4, "int64")
        self.assertIs(scanbench.argmax(x, 1, out=out), out)
        np.testing.assert_array_equal(out, np.argmax(x, 1))

    def test_refused(self):
        x = values((3, 4), "float32")
        for dim in (2, -3):
            with self.assertRaisesRegex(IndexError, "Dimension out of range"):
                scanbench.cumsum(x, dim)
        for bad, call in itertools.product((None, (0, 1), [0], 1.0), ("cumsum", "flip")):
            with self.assertRaisesRegex(TypeError, "dim must be one int here"):
                getattr(scanbench, call)(x, bad)
        for bad in ((), (0, 0), (0, 2), [2, 0]):
            with self.assertRaisesRegex(ValueError, "dims must be adjacent"):
                scanbench.sum(x.reshape(3, 2, 2), bad)
        with self.assertRaisesRegex(scanbench.ScanbenchError, "take these flags"):
            scanbench.cummax(x, 0, exclusive=True)
        for bad in (x.astype("int16"), np.uint64(3), x.astype(complex), x.astype(">f4")):
            with self.assertRaisesRegex(TypeError, "no kernels for"):
                scanbench.sum(bad, 0)
        with self.assertRaisesRegex(TypeError, "is no array"):
            scanbench.flip([1.0, 2.0], 0)
        with self.assertRaises(ValueError):
            scanbench.cumsum(x, 1, mask=np.ones((5, 5), bool))

    def test_masked_arrays(self):
        """A mask is refused wherever it comes, and never ignored."""
        x = values((3, 4), "float32")
        plain = x, x.view(Derived), Another(x)
        lost = np.ma.masked_array(x, mask=x > 0)
        for words in ([dict(x=lost)] + [dict(x=y, mask=lost) for y in plain]
                      + [dict(x=y, out=lost) for y in plain]):
            for call in (scanbench.cumsum, scanbench.sum):
                with self.assertRaisesRegex(TypeError, "mask would be lost"):
                    call(dim=1, **words)
        with self.assertRaisesRegex(TypeError, "mask would be lost"):
            scanbench.flip(lost, 1)

    def test_views(self):
        x = values((6, 8), "float32")
        for view in (x.T, x[::2], x[:, ::-1], np.broadcast_to(x[0], (4, 8)),
                     Another(x)):
            wanted = getattr(view, "x", view)
            np.testing.assert_array_equal(scanbench.cumsum(view, 1),
                                          np.cumsum(wanted, 1))
        x, mask = x.view(Derived), np.array([1, 0, 2, 0] * 2)  # broadcasts
        out = np.empty_like(x)
        self.assertIs(scanbench.cumsum(x, 1, mask=mask, out=out), out)
        np.testing.assert_array_equal(out, scan_of("cumsum", x, 1, mask=mask))

    def test_scalars(self):
        for x in (np.float32(3), np.float64(3), np.float16(3)):
            for call in (scanbench.cumsum, scanbench.sum, scanbench.flip):
                got = call(x, 0)
                self.assertEqual((got.dtype, got.shape, got), (x.dtype, (), 3))
        for mask in np.False_, np.uint8(1):
            self.assertEqual(scanbench.sum(np.float32(3), 0, mask=mask), 3 * mask)

    def test_threads(self):
        def right(seed):
            draws = [values((4, 100 + k), "float32", seed) for k in range(50)]
            return all(np.array_equal(scanbench.cumsum(x, 1), np.cumsum(x, 1)) for x in draws)

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            self.assertTrue(all(pool.map(right, range(8))))

    def test_documented(self):
        here = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(here, "../../docs/library.md")) as page:
            blocks = re.findall("```python\n(.*?)```", page.read(), re.S)
        lines = []
        exec(blocks[0], {"print": lambda *x: lines.extend(map(str, x))})
        self.assertIn("[[ 3.  4.  8.]\n [ 1.  6. 15.]]\n[[ 5.  4.  0.]", "\n".join(lines))

    def test_no_elements(self):
        from scanbench import _library
        for dim in range(4):
            plan = _library.plan(0, 0, (2 ** 33, 2 ** 30, 2 ** 62, 0), dim, False,
                                 _library.HOST)[-1]
            self.assertEqual(plan.variant, b"")
        with self.assertRaisesRegex(scanbench.ScanbenchError, "2.56"):
            _library.plan(1, 0, (2 ** 63 - 1, 0, 2 ** 63 - 1), 1, False, _library.HOST)


if __name__ == "__main__":
    unittest.main()
