# SPDX-License-Identifier: MIT
"""Operations other than cumsum, sum and flip beside torch's own: [DEVICE], cpu or cuda.
Exit status 77: no torch, or no such device."""
import math
import sys
import unittest

try:
    import torch
    from torch import func
    torch.library.register_vmap
except (AttributeError, ImportError) as why:  # none, or one before 2.5
    print("skipped: %s" % why)
    sys.exit(77)
import scanbench

DEVICE = sys.argv.pop(1) if sys.argv[1:] in (["cpu"], ["cuda"]) else "cpu"
if DEVICE == "cuda" and not torch.cuda.is_available():
    print("skipped: no GPU")
    sys.exit(77)
SCANS = ("cumprod", "cummax", "cummin", "logcumsumexp")
INDICES = ("argmax", "argmin")
UNMASKED = ("mean", *INDICES)
REDUCTIONS = ("sum", "prod", "mean", "amax", "amin", "logsumexp", *INDICES)
IDENTITIES = {"cumprod": 1, "prod": 1, "cummax": -math.inf, "cummin": math.inf,
              "amax": -math.inf, "amin": math.inf, "logsumexp": -math.inf,
              "logcumsumexp": -math.inf, "sum": 0}


def theirs(name, x, dim, reverse=False, exclusive=False, mask=None):
    """Torch's result in float64 along one dim."""
    x = x if mask is None else torch.where(mask, x, IDENTITIES[name])
    wide = x.double()
    if name in REDUCTIONS:
        return getattr(torch, name)(wide, dim)
    wide = wide.flip(dim) if reverse else wide
    if exclusive:
        ones = torch.ones_like(wide.narrow(dim, 0, 1))
        wide = torch.cat([ones, wide.narrow(dim, 0, wide.shape[dim] - 1)], dim)
    made = getattr(torch, name)(wide, dim)
    made = made if isinstance(made, torch.Tensor) else made.values
    return made.flip(dim) if reverse else made


def values(shape, dtype=torch.float32):
    """Their products are exact, and their extremes have ties."""
    powers = torch.tensor([-1, 1, 0.5, -2, 2, -0.5], device=DEVICE)
    return powers[torch.randint(6, shape, device=DEVICE)].to(dtype)


def close(got, wanted):
    wanted = wanted if wanted.dtype == torch.int64 else wanted.to(got.dtype)
    slack = 0 if wanted.dtype == torch.int64 else 8 * torch.finfo(got.dtype).eps
    torch.testing.assert_close(got, wanted, rtol=slack, atol=slack, equal_nan=True)


near = torch.testing.assert_close  # for results of several roundings


class Operations(unittest.TestCase):
    def test_scans(self):
        for name in SCANS:
            for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
                x = values((3, 40), dtype)
                x[1, 30] = torch.nan
                mask = torch.rand(x.shape, device=DEVICE) < 0.5
                for words in (dict(), dict(reverse=True), dict(exclusive=True),
                              dict(reverse=True, exclusive=True)):
                    if "exclusive" not in words or name == "cumprod":
                        for m in (None, mask):
                            got = getattr(scanbench, name)(x, 1, mask=m, **words)
                            close(got, theirs(name, x, 1, mask=m, **words))

    def test_reductions(self):
        for name in REDUCTIONS:
            for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
                x = values((3, 4, 5), dtype)
                x[1, 2, 3] = torch.nan
                mask = torch.rand(x.shape, device=DEVICE) < 0.5
                for dim in (0, 1, -1, (1, 0), [1, -1], None):
                    if name not in INDICES or not isinstance(dim, (tuple, list)):
                        self.one_reduction(name, x, dim, None)
                        if name not in UNMASKED:
                            self.one_reduction(name, x, dim, mask)

    def one_reduction(self, name, x, dim, mask):
        dims = sorted(k % 3 for k in ((0, 1, 2) if dim is None else
                                      [dim] if isinstance(dim, int) else dim))
        wanted = theirs(name, x.flatten(dims[0], dims[-1]), dims[0],
                        mask=mask if mask is None else mask.flatten(dims[0], dims[-1]))
        words = {} if mask is None else dict(mask=mask)
        for watched in (x, x.clone().requires_grad_()):  # directly, and as an operator
            got = getattr(scanbench, name)(watched, dim, **words)
            close(got.detach(), wanted)
            kept = getattr(scanbench, name)(watched, dim, True, **words)
            self.assertEqual(kept.shape, x.sum(dim, keepdim=True).shape)
            close(kept.detach().reshape(got.shape), wanted)

    def test_scalars_and_nothing(self):
        dot = torch.tensor(2.0, device=DEVICE)
        for name in REDUCTIONS:
            close(getattr(scanbench, name)(dot), theirs(name, dot, 0))
        nothing = torch.empty(3, 0, device=DEVICE)
        for name in ("amax", "amin", *INDICES):
            self.refuse_nothing(name, nothing)
        for name in ("sum", "prod", "mean", "logsumexp"):
            close(getattr(scanbench, name)(nothing, 1), theirs(name, nothing, 1))

    def refuse_nothing(self, name, nothing):
        for dim in (None, 1, -1) + (() if name in INDICES else ((0, 1), (-1, -2))):
            with self.assertRaises((IndexError, RuntimeError)) as theirs_:
                getattr(torch, name)(nothing, *([] if dim is None else [dim]))
            for x in nothing, nothing.clone().requires_grad_():
                with self.assertRaises(type(theirs_.exception)) as ours:
                    getattr(scanbench, name)(x, dim)
                self.assertEqual(str(ours.exception), str(theirs_.exception))
            with self.assertRaises((IndexError, RuntimeError)):
                getattr(scanbench, name)(nothing.to("meta"), dim)
        self.assertEqual(getattr(scanbench, name)(nothing.to("meta"), 0).shape, (0,))

    def test_out(self):
        x = values((3, 5))
        out = torch.empty(3, dtype=torch.int64, device=DEVICE)
        self.assertIs(scanbench.argmax(x, 1, out=out), out)
        close(out, x.argmax(1))
        with self.assertRaisesRegex(ValueError, "torch.int64"):
            scanbench.argmax(x, 1, out=torch.empty(3, device=DEVICE))


def calls():
    """Operations with derivatives, and torch's own."""
    mask = torch.tensor([True, False, True, True], device=DEVICE)
    for name in SCANS:
        for words in (dict(), dict(reverse=True), dict(mask=mask)):
            yield (name, lambda x, n=name, w=words: getattr(scanbench, n)(x, 1, **w),
                   lambda x, n=name, w=words: theirs(n, x, 1, **w))
    for words in (dict(exclusive=True), dict(reverse=True, exclusive=True, mask=mask)):
        yield ("cumprod", lambda x, w=words: scanbench.cumprod(x, 1, **w),
               lambda x, w=words: theirs("cumprod", x, 1, **w))
    for name in REDUCTIONS[:-2]:
        for words in (dict(), dict(mask=mask))[:1 if name in UNMASKED else 2]:
            yield (name, lambda x, n=name, w=words: getattr(scanbench, n)(x, 1, True, **w),
                   lambda x, n=name, w=words: theirs(n, x, 1, **w).unsqueeze(1))
            yield (name, lambda x, n=name, w=words: getattr(scanbench, n)(x, **w),
                   lambda x, n=name, w=words: theirs(n, x.flatten(), 0, **(
                       dict(mask=mask.expand(x.shape).flatten()) if w else w)))


class Derivatives(unittest.TestCase):
    def test_gradients(self):
        """First and second ones with zeros and ties, which differences cannot see."""
        for x in (torch.randn(3, 4, device=DEVICE).double(),
                  torch.randint(-1, 2, (3, 4), device=DEVICE).double(),
                  torch.tensor([[0, 2, 0, 3], [2, 0, 0, 1], [2, 2, 1, 0]],
                               device=DEVICE).double()):
            for name, ours, own in calls():
                with self.subTest(name):
                    weights, further = torch.randn_like(ours(x)), torch.randn_like(x)
                    made = []
                    for f in (ours, own):
                        leaf = x.clone().requires_grad_()
                        first, = torch.autograd.grad((f(leaf) * weights).sum(), leaf,
                                                     create_graph=True)
                        if first.requires_grad:
                            (first * further).sum().backward()
                        made.append((first.detach(), leaf.grad))
                    near(made[0][0], made[1][0])
                    if made[1][1] is not None:
                        near(made[0][1], made[1][1])

    def test_gradcheck(self):
        x = (torch.randn(3, 4, device=DEVICE).double() + 3).requires_grad_()
        for name, ours, _ in calls():
            with self.subTest(name):
                self.assertTrue(torch.autograd.gradcheck(ours, x, check_batched_grad=True))
                self.assertTrue(torch.autograd.gradgradcheck(ours, x))

    def test_transforms(self):
        x = torch.randn(3, 4, device=DEVICE).double()
        for name, ours, own in calls():
            with self.subTest(name):
                near(func.jacrev(ours)(x), func.jacrev(own)(x))
                batch = torch.stack([x, x + 1])
                near(torch.vmap(ours)(batch), torch.stack([ours(one) for one in batch]))
                if name not in ("sum", "mean"):
                    with self.assertRaises((NotImplementedError, RuntimeError)):
                        func.jvp(ours, (x,), (x,))

    def test_opcheck(self):
        x = torch.rand(3, 4, device=DEVICE, requires_grad=True)
        for name in (*SCANS, *REDUCTIONS):
            with self.subTest(name):
                torch.library.opcheck(getattr(torch.ops.scanbench, name).default, (x, 1))

    def test_compile(self):
        def work(x):
            return (scanbench.prod(x, (0, 1)) + scanbench.cumprod(x, 1).amax()
                    + scanbench.logsumexp(x) + x.gather(1, scanbench.argmax(x, 1, True)).sum())

        x = torch.rand(3, 4, device=DEVICE)
        leaves = [x.clone().requires_grad_() for _ in range(2)]
        torch._dynamo.reset()
        compiled = torch.compile(work, fullgraph=True, backend="aot_eager")
        for f, leaf in zip((work, compiled), leaves):
            f(leaf).backward()
        near(leaves[0].grad, leaves[1].grad)


if __name__ == "__main__":
    torch.manual_seed(1)
    unittest.main()
