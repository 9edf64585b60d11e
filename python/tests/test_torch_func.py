# SPDX-License-Identifier: MIT
"""Derivatives in forward mode, and torch.func's transforms: [DEVICE], cpu or cuda.
Exit status 77: no torch, or no such device."""
import sys
import unittest

try:
    import torch
    from torch import func
    from torch.autograd import forward_ad
    torch.library.register_vmap
except (AttributeError, ImportError) as why:  # none, or one before 2.5
    print("skipped: %s" % why)
    sys.exit(77)
import scanbench

DEVICE = sys.argv.pop(1) if sys.argv[1:] in (["cpu"], ["cuda"]) else "cpu"
if DEVICE == "cuda" and not torch.cuda.is_available():
    print("skipped: no GPU")
    sys.exit(77)
TRANSFORMS = {
    "jacfwd": func.jacfwd,
    "jacrev": func.jacrev,
    "grad": lambda f: func.grad(lambda x: f(x).sum()),
    "hessian": lambda f: func.hessian(lambda x: f(x).sum()),
    "twice forward": lambda f: func.jacfwd(func.jacfwd(f)),
    "twice backward": lambda f: func.jacrev(func.jacrev(f)),
    "a batch of jacfwd": lambda f: func.vmap(func.jacfwd(f)),
    "jacfwd of a batch": lambda f: func.jacfwd(func.vmap(f)),
}


def values(shape):
    """Their sums and products are exact."""
    return torch.randint(-2, 3, shape, device=DEVICE).double()


def same(got, wanted):
    torch.testing.assert_close(got, wanted, rtol=0, atol=0)


def pairs(x, mask):
    """Ours and torch's own."""
    yield (lambda x: scanbench.cumsum(x, -1) ** 2,
           lambda x: x.cumsum(-1) ** 2)
    yield (lambda x: scanbench.cumsum(x, -1, True, True) ** 2,
           lambda x: (x.flip(-1).cumsum(-1).flip(-1) - x) ** 2)
    yield (lambda x: scanbench.cumsum(x, -1, mask=mask) ** 2,
           lambda x: torch.where(mask, x, 0).cumsum(-1) ** 2)
    yield (lambda x: scanbench.sum(x, -1, mask=mask) ** 2,
           lambda x: torch.where(mask, x, 0).sum(-1) ** 2)
    yield (lambda x: scanbench.sum(x, -1, keepdim=True) ** 2,
           lambda x: x.sum(-1, keepdim=True) ** 2)
    yield (lambda x: scanbench.flip(x, -1) ** 2 * mask,
           lambda x: x.flip(-1) ** 2 * mask)


class Derivatives(unittest.TestCase):
    def test_transforms(self):
        x = values((3, 4))
        mask = torch.tensor([True, False, True, True], device=DEVICE)
        for ours, theirs in pairs(x, mask):
            for name, transform in TRANSFORMS.items():
                with self.subTest(name):
                    same(transform(ours)(x), transform(theirs)(x))

    def test_tangents(self):
        x, tangent = values((3, 4)), values((3, 4))
        mask = x > 0
        for ours, theirs in pairs(x, mask):
            same(func.jvp(ours, (x,), (tangent,)),
                 func.jvp(theirs, (x,), (tangent,)))
            with forward_ad.dual_level():
                dual = forward_ad.make_dual(x, tangent)
                same(forward_ad.unpack_dual(ours(dual)).tangent,
                     forward_ad.unpack_dual(theirs(dual)).tangent)
        dots = torch.tensor(2.0, device=DEVICE)
        same(func.jvp(lambda x: scanbench.cumsum(x, 0), (dots,), (dots,)),
             (dots, dots))

    def test_masked_tangents_are_selected_away(self):
        x = values((5,))
        mask = torch.tensor([1, 0, 1, 1, 0], device=DEVICE)
        tangent = torch.where(mask != 0, 1.0, torch.nan).double()
        got = func.jvp(lambda x: scanbench.cumsum(x, 0, mask=mask), (x,),
                       (tangent,))[1]
        same(got, mask.double().cumsum(0))

    def test_gradcheck(self):
        x = torch.randn(3, 4, dtype=torch.float64, device=DEVICE,
                        requires_grad=True)
        mask = x.detach() > 0
        for ours, _ in pairs(x, mask):
            self.assertTrue(torch.autograd.gradcheck(
                ours, x, check_forward_ad=True, check_batched_grad=True,
                check_batched_forward_grad=True))
            self.assertTrue(torch.autograd.gradgradcheck(
                ours, x, check_fwd_over_rev=True, check_batched_grad=True))

    # ---- where no tangent can be had, nothing is lost in silence
    def test_operators(self):
        x = values((3, 4))
        for call in (lambda x: torch.ops.scanbench.cumsum(x, 0),
                     lambda x: torch.ops.scanbench.sum(x, 0),
                     lambda x: torch.ops.scanbench.flip(x, 0)):
            with self.assertRaisesRegex(NotImplementedError, "no forward-mode"):
                func.jvp(call, (x,), (x,))

    def test_out(self):
        x = values((3, 4))
        out = torch.empty_like(x)

        def call(x):
            return scanbench.cumsum(x, 1, out=out)

        watched = x.clone().requires_grad_()
        for lost in (lambda: call(watched), lambda: func.vmap(call)(x),
                     lambda: func.jvp(call, (x,), (x,)),
                     lambda: scanbench.cumsum(x, 1, out=watched)):
            with self.assertRaisesRegex(RuntimeError, "out= has no derivatives"):
                lost()
        with forward_ad.dual_level():
            same(call(x), x.cumsum(1))  # no tangent
            with self.assertRaisesRegex(RuntimeError, "no derivatives"):
                call(forward_ad.make_dual(x, x))
        with torch.no_grad():
            same(call(watched), x.cumsum(1))
        same(torch.compile(call, backend="aot_eager")(x), x.cumsum(1))

    def test_compiled(self):
        def tangent(x):
            return func.jvp(lambda x: scanbench.cumsum(x, 0), (x,), (x,))[1]

        x = values((3, 4))
        torch._dynamo.reset()
        same(torch.compile(tangent, backend="aot_eager")(x), x.cumsum(0))
        torch._dynamo.reset()
        with self.assertRaisesRegex(Exception, "no forward-mode"):
            torch.compile(tangent, backend="aot_eager", fullgraph=True)(x)
        compiled = torch.compile(lambda x: scanbench.cumsum(x, 0),
                                 backend="aot_eager")
        same(func.jvp(compiled, (x,), (x,))[1], x.cumsum(0))


if __name__ == "__main__":
    unittest.main()
