# SPDX-License-Identifier: MIT
"""The package with integers and bools, of NumPy and, if there is one, of torch: [DEVICE],
cpu or cuda. Values are of the whole range, so that sums wrap. Exit status 77: no NumPy, or
no such device."""
import itertools
import unittest

from test_recurrence import DEVICE, np, scanbench, torch

TYPES = "int32", "int64", "uint8", "bool"
SCANS = {"cumsum": np.add, "cumprod": np.multiply, "cummax": np.maximum, "cummin": np.minimum}
REDUCTIONS = {"sum": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}
SUMS = "cumsum", "cumprod", "sum", "prod"
SHAPES = (7,), (3, 5), (2, 33, 65), (1, 70001)


def values(shape, dtype):
    bits = np.random.default_rng(4).integers(0, 2 ** 64, shape, "uint64")
    return bits % 2 > 0 if dtype == "bool" else bits.astype(dtype)


def identity_of(combine, dtype):
    if combine in (np.add, np.multiply):
        return int(combine is np.multiply)
    least, most = (0, 1) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    return least if combine is np.maximum else most


def wanted_of(name, x, dim, mask=None, reverse=False, exclusive=False):
    combine = {**SCANS, **REDUCTIONS}[name]
    identity = identity_of(combine, x.dtype)
    x = x if mask is None else np.where(mask, x, identity).astype(x.dtype)
    x = x.astype("int64") if name in SUMS else x
    if name in REDUCTIONS:
        return combine.reduce(x, dim, x.dtype)
    x = np.flip(x, dim) if reverse else x
    if exclusive:
        x = np.roll(x, 1, dim)
        np.moveaxis(x, dim, 0)[:1] = identity
    made = combine.accumulate(x, dim)
    return np.flip(made, dim) if reverse else made


def same(got, wanted):
    got = got if isinstance(got, (np.ndarray, np.generic)) else got.cpu().numpy()
    assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), (got, wanted)
    np.testing.assert_array_equal(got, wanted)


class Integers(unittest.TestCase):
    def kinds(self, x):
        """The arrays, as one of NumPy and as a tensor of torch."""
        return ([x] if DEVICE == "cpu" else []) + (
            [torch.from_numpy(x).to(DEVICE)] if torch else [])

    def compare(self, name, x, dim, **words):
        """With the definition; on a GPU, some scans are refused."""
        wanted = wanted_of(name, x, dim, **words)
        missing = DEVICE == "cuda" and name in SCANS and name != "cumsum" and (
            x.itemsize == 1 or words.get("exclusive"))
        mask = words.pop("mask", None)
        for y in self.kinds(x):
            if mask is not None:
                words["mask"] = mask if y is x else torch.from_numpy(mask).to(DEVICE)
            call = getattr(scanbench, name)
            with self.subTest(name, type=x.dtype, shape=x.shape, dim=dim, words=[*words]):
                if missing:
                    with self.assertRaisesRegex(scanbench.ScanbenchError, "no kernel for"):
                        call(y, dim, **words)
                    continue
                same(call(y, dim, **words), wanted)
                if not isinstance(y, np.ndarray):
                    self.assertEqual(call(y.to("meta"), dim, **words).dtype,
                                     getattr(torch, wanted.dtype.name))

    def test_all(self):
        for dtype, shape in itertools.product(TYPES, SHAPES):
            x = values(shape, dtype)
            mask = values(shape, "bool")[::-1].copy()
            for dim, masked in itertools.product(range(len(shape)), ({}, {"mask": mask})):
                for name in REDUCTIONS:
                    self.compare(name, x, dim, **masked)
                for name, reverse in itertools.product(SCANS, (False, True)):
                    self.compare(name, x, dim, reverse=reverse, **masked)
                for name, reverse in itertools.product(SUMS[:2], (False, True)):
                    self.compare(name, x, dim, reverse=reverse, exclusive=True, **masked)

    def test_moved(self):
        for dtype in TYPES:
            x = values((6, 50), dtype)
            for y in self.kinds(x):
                same(scanbench.flip(y, 1), np.flip(x, 1))
                same(scanbench.argmax(y, 1), np.argmax(x, 1))
                same(scanbench.argmin(y, 0), np.argmin(x, 0))
                same(scanbench.sum(y, keepdim=True), x.sum(dtype="int64", keepdims=True))

    def test_out(self):
        x = values((4, 9), "uint8")
        out = np.empty(x.shape, "int64")
        self.assertIs(scanbench.cumsum(x, 1, out=out), out)
        same(out, wanted_of("cumsum", x, 1))
        with self.assertRaisesRegex(ValueError, "int64"):
            scanbench.cumsum(x, 1, out=np.empty_like(x))

    def test_dtype(self):
        x = values((4, 9), "int32")
        for y in self.kinds(x):
            of = np if y is x else torch
            same(scanbench.amax(y, 1, dtype=of.int32), x.max(1))
            same(scanbench.cumsum(y, 1, dtype=of.float64), x.cumsum(1, "float64"))
            for name, to in itertools.product(SUMS, ("int32", "int64")):
                same(getattr(scanbench, name)(y, 1, dtype=getattr(of, to)),
                     wanted_of(name, x, 1).astype(to))
            with self.assertRaisesRegex(TypeError, "gives int64 or.*, not int32"):
                scanbench.cumprod(y, 1, out=y, dtype=of.int32)
            out = y + 1
            self.assertIs(scanbench.cumsum(y, 1, out=out, dtype=of.int32), out)
            same(out, wanted_of("cumsum", x, 1).astype("int32"))
            words = dict(deterministic=True, monotone=True, dtype=of.int32)
            if of is torch:
                self.assertEqual(scanbench.cumsum(y.to("meta"), 1, **words).dtype, of.int32)
            for reverse, exclusive in itertools.product((False, True), repeat=2):
                same(scanbench.cumsum(y, 1, reverse=reverse, exclusive=exclusive,
                                      mask=y > 9, **words),
                     wanted_of("cumsum", x, 1, x > 9, reverse, exclusive).astype("int32"))
            with self.assertRaisesRegex(TypeError, "of int32 gives floats, not int32"):
                scanbench.logsumexp(y, 1, dtype=of.int32)
        same(scanbench.sum(x.astype("int16"), 1, dtype="int64"), x.astype("int16").sum(1))
        with self.assertRaisesRegex(TypeError, "of int16 gives int64 or floats, not uint8"):
            scanbench.amax(x.astype("int16"), 1, dtype="uint8")

    def test_refused(self):
        x = values((4, 9), "int32")
        for y in self.kinds(x) + ([torch.from_numpy(x).to("meta")] if torch else []):
            with self.assertRaisesRegex(TypeError, "integers or bools: convert x"):
                scanbench.logcumsumexp(y, 0)
            with self.assertRaisesRegex(TypeError, r"mean\(\): could not infer .* Got: Int$"):
                scanbench.mean(y, 0)

    def test_promoted(self):
        for dtype in TYPES:
            for y in self.kinds(values((4, 9), dtype)):
                wide = y.astype("float32") if isinstance(y, np.ndarray) else y.float()
                for words in {}, {"mask": y != 1}:
                    same(scanbench.logsumexp(y, 1, **words),
                         np.asarray(scanbench.logsumexp(wide, 1, **words).tolist(), "float32"))
                self.assertEqual(*(scanbench.which(it, "logsumexp", 1) for it in (y, wide)))

    def test_any_byte_is_true(self):
        mask = np.frombuffer(bytes([255, 0, 2, 1, 0, 128]), bool)
        for dtype in ("f4", "f8", "f2", "i4"):
            x = np.arange(1, 7).astype(dtype)
            wanted = np.where(mask, x, 0).cumsum()
            for words in [{}] + [dict(dtype="int32")] * (dtype == "i4"):
                np.testing.assert_array_equal(scanbench.cumsum(x, 0, mask=mask, **words), wanted)
            self.assertEqual(scanbench.sum(x, mask=mask), wanted[-1])

    def test_byte_order(self):
        x = np.arange(32).reshape(4, 8)
        for dtype, big in (("float32", ">f4"), ("int64", ">i2"), ("int32", ">i4")):
            y = x.astype(big)
            np.testing.assert_array_equal(scanbench.cumsum(y, 1, dtype=dtype),
                                          scanbench.cumsum(x.astype(dtype), 1, dtype=dtype))
            with self.assertRaisesRegex(TypeError, "native byte order"):
                scanbench.cumsum(y, 1, dtype=np.dtype(dtype).newbyteorder())


if __name__ == "__main__":
    unittest.main()
