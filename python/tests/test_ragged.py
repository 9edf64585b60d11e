# SPDX-License-Identifier: MIT
"""Offsets against a loop over segments, with NumPy and, if there is one, torch: [DEVICE],
cpu or cuda. Exit status 77: no NumPy, or no such device."""
import itertools
import os
import re
import unittest

from test_recurrence import DEVICE, np, scanbench, torch

NAMES = "cumsum", "cummax", "sum", "mean", "amax"
ENDS = [0], [0, 5], [0, 0, 3, 3, 3, 9, 9]
CHECKED = "ascend from 0 to the number of rows"


def looped(call, x, ends):
    """Calls on each segment, and joins scans and stacks reductions."""
    parts = [call(x[first:last]) for first, last in zip(ends, ends[1:])]
    join = torch if torch and isinstance(x, torch.Tensor) else np
    if parts and parts[0].ndim == x.ndim:
        return join.concatenate(parts, 0)
    return join.stack(parts)


def of_empty(name, call):
    """Gives the results that an empty segment has."""
    def whole(x):
        if len(x) or name in ("cumsum", "cummax", "sum"):
            return call(x)
        return x.sum(0) + (float("nan") if name == "mean" else -float("inf"))
    return whole


class OnNumpy(unittest.TestCase):
    def test_segments(self):
        draw = np.random.default_rng(1)
        for name, ends, inner, dtype, of in itertools.product(
                NAMES, ENDS[1:], ((), (4,), (2, 3), (0,)), ("float32", "float16"),
                ("int32", "int64")):
            call = getattr(scanbench, name)
            x = draw.integers(-9, 9, (ends[-1], *inner)).astype(dtype)
            for words in (dict(), dict(reverse=True)) if "cum" in name else (dict(dim=0),):
                got = call(x, offsets=np.array(ends, of), **words)
                want = looped(of_empty(name, lambda part: call(part, **{"dim": 0, **words})),
                              x, ends)
                np.testing.assert_array_equal(got, want, strict=True)
                out = np.empty_like(got)
                self.assertIs(call(x, offsets=np.array(ends, of), out=out, **words), out)
                np.testing.assert_array_equal(out, want)

    def test_kept_apart(self):
        """Neither a NaN nor a large value crosses into another segment."""
        x = np.array([1, np.nan, np.inf, 2 ** 60, 1, 2], "float32")
        offsets = np.array([0, 1, 2, 4, 6])
        np.testing.assert_array_equal(scanbench.sum(x, offsets=offsets), [1, np.nan, np.inf, 3])
        np.testing.assert_array_equal(scanbench.cumsum(x, offsets=offsets)[4:], [1, 3])

    def test_types(self):
        ends, integers = np.array([0, 2, 3]), np.array([3, 1, 4], "uint8")
        sums = scanbench.sum(integers, offsets=ends)
        np.testing.assert_array_equal(sums, np.array([4, 4], "int64"), strict=True)
        self.assertEqual(scanbench.sum(integers, offsets=ends, dtype="float32").dtype, "float32")
        np.testing.assert_array_equal(scanbench.amax(integers[:0], offsets=ends * 0), [0, 0])
        self.assertEqual(scanbench.sum(integers[:0], offsets=ends[:1]).shape, (0,))
        strided = np.array([0, 9, 2, 9, 3])[::2]
        np.testing.assert_array_equal(scanbench.sum(integers, offsets=strided), sums)
        x = np.arange(4, dtype="int64")
        scanbench.cumsum(x, offsets=np.array([0, 2, 4]), out=x)
        np.testing.assert_array_equal(x, [0, 1, 2, 5])
        ends = np.array([0, 2, 3])  # out lies on the offsets
        np.testing.assert_array_equal(
            scanbench.cumsum(np.ones(3, "int64"), offsets=ends, out=ends), [1, 2, 1])

    def test_refused(self):
        x, ends = np.ones((3, 2), "float32"), np.array([0, 1, 3])
        for words in (dict(dim=1), dict(exclusive=True), dict(mask=x > 0), dict(max_error=9.0)):
            with self.assertRaisesRegex(ValueError, "offsets cut dim 0"):
                scanbench.cumsum(x, offsets=ends, **words)
        for bad, call in ((dict(keepdim=True), scanbench.sum), (dict(axis=-1), scanbench.mean)):
            with self.assertRaisesRegex(ValueError, "offsets cut dim 0"):
                call(x, offsets=ends, **bad)
        with self.assertRaisesRegex(ValueError, "offsets cut dim 0"):
            scanbench.sum(x[0, 0], offsets=ends)
        for name in ("cumprod", "prod", "argmax", "logsumexp"):
            with self.assertRaisesRegex(TypeError, name + r"\(\) takes no offsets: cumsum, "):
                getattr(scanbench, name)(x, 0, offsets=ends)
        for bad, seen in (([0, 3], "of list"), (ends.astype("uint64"), r"\(3,\) of uint64"),
                          (ends[None], r"\(1, 3\) of int64"), (ends[:0], r"\(0,\)"),
                          (ends[0], r"\(\) of int64")):
            with self.assertRaisesRegex(TypeError, "offsets must be .* numpy .*, not " + seen):
                scanbench.sum(x, offsets=bad)
        for bad in ([0], [1, 3], [0, 2], [0, 4], [0, 2, 1, 3], [0, -1, 3]):
            with self.assertRaisesRegex(ValueError, CHECKED):
                scanbench.sum(x, offsets=np.array(bad))

    def test_documented(self):
        here = os.path.dirname(os.path.abspath(__file__))
        with open(os.path.join(here, "../../docs/ragged.md")) as page:
            block, = re.findall("```python\n(.*?)```", page.read(), re.S)
        lines = []
        exec(block, {"print": lambda x: lines.append(str(x))})
        self.assertEqual(lines, re.findall(r"# (\[.*\])", block))


@unittest.skipUnless(torch, "no torch")
class OnTorch(unittest.TestCase):
    def test_derivatives(self):
        """Against differences, the same segment by segment, and a compiler's."""
        near = torch.testing.assert_close
        for name, ends, inner, reverse in itertools.product(
                NAMES, ENDS, ((), (2,)), (False, True)):
            if reverse and "cum" not in name:
                continue
            words, call = dict(reverse=True) if reverse else {}, getattr(scanbench, name)
            x = torch.randn(ends[-1], *inner, device=DEVICE).double().requires_grad_()
            offsets = torch.tensor(ends, device=DEVICE)

            def ours(x):
                return call(x, offsets=offsets, **words)
            def finite(x):
                return ours(x).nan_to_num(0, neginf=0)
            self.assertTrue(torch.autograd.gradcheck(finite, x))
            self.assertTrue(torch.autograd.gradgradcheck(finite, x))
            torch.compiler.reset()
            near(torch.compile(ours, backend="aot_eager", fullgraph=True)(x), ours(x),
                 equal_nan=True)
            if len(ends) > 1:
                near(ours(x), looped(of_empty(name, lambda part: call(part, 0, **words)), x,
                                     ends), equal_nan=True)
                near(torch.func.vmap(ours, 1, 1)(torch.stack((x, x), 1))[:, 1], ours(x),
                     equal_nan=True)
                near(torch.func.grad(lambda x: (finite(x) ** 2).sum())(x),
                     torch.autograd.grad((finite(x) ** 2).sum(), x)[0])

    def test_ties(self):
        """As torch has them: amax spreads evenly, cummax takes the last of equals."""
        nan = float("nan")
        wholes = dict(amax=lambda x: x.amax(0)[None], cummax=lambda x: x.cummax(0).values)
        for (name, whole), ends in itertools.product(wholes.items(), ENDS[1:]):
            x = torch.tensor([1.0, 2, 2, nan, 2, 0, 3, 0, 3][:ends[-1]],
                             device=DEVICE).requires_grad_()
            offsets, call = torch.tensor(ends, device=DEVICE), getattr(scanbench, name)
            grads = []
            for y in (call(x, offsets=offsets), torch.cat(
                    [whole(x[a:b]) for a, b in zip(ends, ends[1:]) if a < b])):
                y = y[y != -float("inf")]
                scale = torch.arange(1.0, len(y) + 1, device=DEVICE)
                grads += torch.autograd.grad((y * scale).sum(), x)
            torch.testing.assert_close(*grads, equal_nan=True)
        x = torch.zeros(70000, device=DEVICE).half().requires_grad_()  # more than a half holds
        ends = torch.tensor([0, 70000], device=DEVICE)
        grad, = torch.autograd.grad(scanbench.amax(x, offsets=ends), x)
        torch.testing.assert_close(grad, torch.full_like(x, 1 / 70000))

    def test_calls(self):
        """out=, the operator, and a jagged nested tensor."""
        x = torch.arange(6.0, device=DEVICE)
        offsets = torch.tensor([0, 2, 6], dtype=torch.int32, device=DEVICE)
        self.assertEqual(scanbench.sum(x, offsets=offsets).tolist(), [1, 14])
        scanbench.cumsum(x, offsets=offsets, out=x)
        self.assertEqual(x.tolist(), [0, 1, 2, 5, 9, 14])
        rows = torch.ones(7, device=DEVICE)  # out lies on all but the first row
        scanbench.cumsum(rows[:6], offsets=offsets, out=rows[1:])
        self.assertEqual(rows.tolist(), [1, 1, 2, 1, 2, 3, 4])
        with self.assertRaisesRegex(ValueError, r"out must be \(2,\) of torch.float32"):
            scanbench.sum(x, offsets=offsets, out=x)
        torch.library.opcheck(torch.ops.scanbench.ragged, (x, offsets, "mean"))
        jagged = torch.nested.nested_tensor([x[:1], x[1:]], layout=torch.jagged)
        self.assertEqual(scanbench.amax(jagged.values(), offsets=jagged.offsets()).tolist(),
                         [0, 14])
        with self.assertRaisesRegex(RuntimeError, "out= has no derivatives"):
            scanbench.cumsum(x.clone().requires_grad_(), offsets=offsets, out=x)

    def test_refused(self):
        x = torch.ones(3, device=DEVICE)
        ends = torch.tensor([0, 3], device=DEVICE)
        for x in (x, x.clone().requires_grad_()):
            for bad, seen in (([0, 3], "of list"), (ends.double(), r"of torch.float64"),
                              (ends[None], r"\(1, 2\)"), (ends[:0], r"\(0,\)")):
                with self.assertRaisesRegex(TypeError, "offsets must be a tensor.* not .*" + seen):
                    scanbench.sum(x, offsets=bad)
            with self.assertRaisesRegex(ValueError, "the offsets are on meta, x on " + DEVICE):
                scanbench.sum(x, offsets=ends.to("meta"))
            if DEVICE == "cpu":
                with self.assertRaisesRegex(ValueError, CHECKED):
                    scanbench.sum(x, offsets=ends + 1)
        with self.assertRaisesRegex(ValueError, "contracts are a sum of .*, not 7"):
            torch.ops.scanbench.ragged(x, ends, "sum", False, 7)
        with self.assertRaisesRegex(TypeError, "^scanbench: summ.. takes no offsets: cumsum"):
            torch.ops.scanbench.ragged(x, ends, "summ")
        with self.assertRaisesRegex(NotImplementedError, "no vmap over offsets"):
            torch.func.vmap(lambda ends: scanbench.sum(x, offsets=ends))(ends[None])


if __name__ == "__main__":
    unittest.main()
