# SPDX-License-Identifier: MIT
"""Recurrences against a loop, with NumPy and, if there is one, torch: [DEVICE], cpu or
cuda. Exit status 77: no NumPy, or no such device."""
import itertools
import sys
import unittest

from test_numpy import np, scanbench
try:
    import torch
except ImportError:
    torch = None

DEVICE = sys.argv.pop(1) if sys.argv[1:] in (["cpu"], ["cuda"]) else "cpu"
if DEVICE == "cuda" and not (torch and torch.cuda.is_available()):
    print("skipped: no GPU")
    sys.exit(77)
SHAPES = (), (7,), (0, 3), (3, 0), (2, 3, 4), (1, 200)


def looped(stack, a, b, dim, reverse, h):
    """In NumPy's or torch's arrays, which `stack` stacks."""
    out, order = [], range(a.shape[dim])
    for t in order[::-1] if reverse else order:
        at = (slice(None),) * (dim % a.ndim) + (t,)
        h = a[at] * h + b[at]
        out.append(h)
    return stack(out[::-1] if reverse else out, dim)


class OnNumpy(unittest.TestCase):
    def test_recurrence(self):
        draw = np.random.default_rng(1)
        for shape, dtype, reverse in itertools.product(SHAPES, ("float32", "float16"),
                                                       (False, True)):
            a, b = (np.asarray(draw.integers(0, 2, shape)).astype(dtype) for _ in "ab")
            for dim in range(-max(a.ndim, 1), max(a.ndim, 1)):
                lines = np.delete(shape, dim).astype(int) if shape else ()
                for h in (None, np.ones(lines, dtype)):
                    got = scanbench.recurrence(a, b, dim, reverse=reverse, initial=h)
                    self.assertEqual((got.dtype, got.shape), (a.dtype, shape))
                    if a.size:
                        np.testing.assert_array_equal(np.atleast_1d(got), looped(
                            np.stack, *np.atleast_1d(a, b), dim, reverse,
                            0 if h is None else h))

    def test_refused(self):
        x = np.ones((3, 4), "float32")
        for bad, what in ((x[0], "the shape of a"), (x.astype("float64"), "like a"),
                          ([1.0], "like a")):
            with self.assertRaisesRegex((TypeError, ValueError), what):
                scanbench.recurrence(x, bad, 1)
        with self.assertRaisesRegex(TypeError, "of integers or bools"):
            scanbench.recurrence(x.astype(int), x.astype(int), 1)


@unittest.skipUnless(torch, "no torch")
class OnTorch(unittest.TestCase):
    def test_derivatives(self):
        """First and second derivatives, against differences."""
        for dim, reverse in ((0, False), (1, True), (2, False), (2, True)):
            a, b = (torch.randn(2, 4, 3, device=DEVICE).double().requires_grad_()
                    for _ in "ab")
            h = torch.randn(a.select(dim, 0).shape, device=DEVICE).double().requires_grad_()

            def ours(a, b, h):
                return scanbench.recurrence(a, b, dim, reverse=reverse, initial=h)
            near, wanted = torch.testing.assert_close, looped(torch.stack, a, b, dim, reverse, h)
            near(ours(a, b, h), wanted)
            self.assertTrue(torch.autograd.gradcheck(ours, (a, b, h)))
            self.assertTrue(torch.autograd.gradgradcheck(ours, (a, b, h)))
            near(torch.func.vmap(ours, (None, 0, None))(a, torch.stack((b, b)), h)[1], wanted)
            near(torch.compile(ours, backend="eager")(a, b, h), wanted)

    def test_batch(self):
        """An initial that broadcasts does so in each example, not over the batch."""
        a, b = torch.rand(2, 3, 2, 3, device=DEVICE)
        h = torch.tensor([8.0, 0, 0], device=DEVICE)

        def ours(a, b, h):
            return scanbench.recurrence(a, b, 0, initial=h)
        wanted = torch.stack([ours(*one) for one in zip(a, b, h)])
        torch.testing.assert_close(torch.func.vmap(ours)(a, b, h), wanted)

    def test_refused(self):
        x = torch.ones(3, 4, device=DEVICE)
        for words in (dict(b=x.to("meta")), dict(b=x, initial=torch.ones(3, device="meta")),
                      dict(b=x, initial=x[0, :2])):
            with self.assertRaisesRegex((TypeError, ValueError), "like a|must broadcast"):
                scanbench.recurrence(x, dim=1, **words)
        for bad, what in ((x[0], "the shape of a"), (x.double(), "like a"), ([1.0], "tensor")):
            with self.assertRaisesRegex((TypeError, ValueError), what):
                scanbench.recurrence(x, bad, 1)


if __name__ == "__main__":
    unittest.main()
