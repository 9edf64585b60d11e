# SPDX-License-Identifier: MIT
"""The package with NumPy, on the host library. Exit status 77: no NumPy."""
import contextlib
import io
import os
import re
import sys
import threading
import unittest

try:
    import numpy as np
except ImportError as why:
    print("skipped: %s" % why)
    sys.exit(77)
import scanbench

SHAPES = [(), (0,), (1,), (7,), (3, 0), (0, 3), (3, 5), (2, 3, 4), (2, 0, 3),
          (1, 70001), (300, 129), (5, 33, 65)]
TYPES = ["float32", "float64", "float16"]


def definition(x, dim, reverse=False, exclusive=False, mask=None):
    if mask is not None:
        x = np.where(mask, x, 0).astype(x.dtype)
    wide = np.atleast_1d(x).astype("float64")
    if reverse:
        wide = np.flip(wide, dim)
    sums = np.cumsum(wide, dim)
    if exclusive:
        sums = sums - wide
    if reverse:
        sums = np.flip(sums, dim)
    return sums.reshape(x.shape).astype(x.dtype)


def values(shape, dtype, seed=1):
    """Their sums are exact."""
    draw = np.random.default_rng(seed)
    return np.asarray(draw.integers(-1, 2, shape)).astype(dtype)


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


class DerivedMasked(np.ma.MaskedArray):
    pass


class OnNumpy(unittest.TestCase):
    def test_cumsum(self):
        for shape in SHAPES:
            for dtype in TYPES:
                x = values(shape, dtype)
                for dim in range(-max(x.ndim, 1), max(x.ndim, 1)):
                    for flags in range(8):
                        self.one_cumsum(x, dim, flags)

    def one_cumsum(self, x, dim, flags):
        mask = values(x.shape, "float32", 2) > 0 if flags & 4 else None
        words = dict(reverse=bool(flags & 1), exclusive=bool(flags & 2))
        wanted = definition(x, dim, mask=mask, **words)
        if mask is not None:
            x = np.where(mask, x, np.nan).astype(x.dtype)
        got = scanbench.cumsum(x, dim, mask=mask, **words)
        self.assertEqual((got.dtype, got.shape), (x.dtype, x.shape))
        np.testing.assert_array_equal(got, wanted)

    def test_flip(self):
        for shape in SHAPES:
            x = values(shape, "float32")
            for dim in range(-x.ndim, x.ndim):
                np.testing.assert_array_equal(scanbench.flip(x, np.int64(dim)),
                                              np.flip(x, dim))

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
        wanted = definition(x, 1, mask=mask.copy())
        np.testing.assert_array_equal(
            scanbench.cumsum(x, 1, mask=mask, out=room), wanted)
        for bad in (np.empty((9, 4)), np.empty((4, 9), "float32"),
                    np.empty((9, 4)).T):
            with self.assertRaises(ValueError):
                scanbench.cumsum(x, 1, out=bad)

    def test_refused(self):
        x = values((3, 4), "float32")
        for dim in (2, -3):
            with self.assertRaisesRegex(IndexError, "Dimension out of range"):
                scanbench.cumsum(x, dim)
        for bad in (None, (0, 1), [0], 1.0):
            for call in (scanbench.cumsum, scanbench.flip, scanbench.argmax):
                if (call, bad) != (scanbench.argmax, None):
                    with self.assertRaisesRegex(TypeError, "dim must be one int here"):
                        call(x, bad)
        for bad in ((), (0, 0), (0, 2), [2, 0]):
            with self.assertRaisesRegex(ValueError, "dims must be adjacent"):
                scanbench.sum(x.reshape(3, 2, 2), bad)
        with self.assertRaisesRegex(scanbench.ScanbenchError, "take these flags"):
            scanbench.cummax(x, 0, exclusive=True)
        for bad in (x.astype(int), x.astype(complex), x.astype(">f4")):
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
        masked = (np.ma.masked_array(x, mask=x > 0),
                  DerivedMasked(x, mask=x > 0))
        for lost in masked:
            for words in ([dict(x=lost)] + [dict(x=y, mask=lost) for y in plain]
                          + [dict(x=y, out=lost) for y in plain]):
                with self.assertRaisesRegex(TypeError, "mask would be lost"):
                    scanbench.cumsum(dim=1, **words)
                with self.assertRaisesRegex(TypeError, "mask would be lost"):
                    scanbench.sum(dim=1, **words)
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
        np.testing.assert_array_equal(out, definition(x, 1, mask=mask))

    def test_scalars(self):
        for x in (np.float32(3), np.float64(3), np.float16(3)):
            for call in (scanbench.cumsum, scanbench.sum, scanbench.flip):
                got = call(x, 0)
                self.assertEqual((got.dtype, got.shape, got), (x.dtype, (), 3))
        self.assertEqual(scanbench.sum(np.float32(3), 0, mask=np.False_), 0)
        with self.assertRaisesRegex(TypeError, "no kernels for int64"):
            scanbench.cumsum(np.int64(3), 0)

    def test_threads(self):
        wrong = []

        def work(seed):
            for k in range(50):
                x = values((4, 100 + k), "float32", seed)
                if not np.array_equal(scanbench.cumsum(x, 1), np.cumsum(x, 1)):
                    wrong.append(seed)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_documented(self):
        here = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(here, "../../docs/library.md")) as page:
            blocks = re.findall("```python\n(.*?)```", page.read(), re.S)
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(blocks[0], {})
        self.assertIn("[[ 3.  4.  8.]\n [ 1.  6. 15.]]\n[[ 5.  4.  0.]",
                      said.getvalue())

    def test_no_elements(self):
        from scanbench import _library
        most = 2 ** 63 - 1
        for dim in range(4):
            plan = _library.plan(0, _library.F32, (2 ** 33, 2 ** 30, 2 ** 62, 0), dim,
                                 False, _library.HOST)[3]
            self.assertEqual(plan.variant, b"")
        with self.assertRaisesRegex(scanbench.ScanbenchError, "2.56"):
            _library.plan(1, _library.F32, (most, 0, most), 1, False, _library.HOST)

    def test_names(self):
        self.assertIn("thread", scanbench.device_text(-1))
        self.assertRegex(scanbench.__version__, r"\d+\.\d+")


if __name__ == "__main__":
    unittest.main()
