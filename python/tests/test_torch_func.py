# SPDX-License-Identifier: MIT
"""Derivatives, torch.func's transforms and torch.compile: [DEVICE], cpu or cuda. Exit
status 77: no torch, or no such device."""
import unittest

from test_torch import (DEVICE, EXCLUSIVE, FLAGS, REDUCTIONS, SCANS, UNMASKED, same,
                        scanbench, theirs, torch)
from torch import func
from torch.autograd import forward_ad, gradcheck, gradgradcheck

FORWARD = ("cumsum", "sum", "flip")  # operations that have tangents
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
near = torch.testing.assert_close  # for results of several roundings


def values(shape):
    """Returns small whole numbers, whose sums and products are exact."""
    return torch.randint(-2, 3, shape, device=DEVICE).double()


def calls(names=(*SCANS, *REDUCTIONS[:-2], "flip")):
    """Yields differentiable operations beside torch's own, on the last dim or all."""
    mask = torch.tensor([True, False, True, True], device=DEVICE)
    for name in names:
        ours = getattr(scanbench, name)
        if name == "flip":
            yield name, lambda x, f=ours: f(x, -1) * mask, lambda x: x.flip(-1) * mask
            continue
        words = [dict(), dict(mask=mask)][:1 if name in UNMASKED else 2]
        words += [dict(reverse=True)] * (name in SCANS)
        words += [dict(exclusive=True), dict(reverse=True, exclusive=True, mask=mask)
                  ] * (name in EXCLUSIVE)
        for w in words:
            yield (name, lambda x, f=ours, w=w: f(x, -1, **w),
                   lambda x, n=name, w=w: theirs(n, x, -1, **w))
            if name in REDUCTIONS:
                yield (name, lambda x, f=ours, w=w: f(x, -1, keepdim=True, **w),
                       lambda x, n=name, w=w: theirs(n, x, -1, **w).unsqueeze(-1))
                yield (name, lambda x, f=ours, w=w: f(x, **w),
                       lambda x, n=name, w=w: theirs(n, x.flatten(), 0, **(
                           dict(mask=mask.expand(x.shape).flatten()) if w else w)))


class Derivatives(unittest.TestCase):
    def test_gradients(self):
        """First and second derivatives, also at zeros and ties, where gradcheck cannot judge."""
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

    def test_masks(self):
        """A batch of masks, along another dim than that of x."""
        x = values((3, 4))
        for call in (lambda x, mask: scanbench.cumsum(x, 0, mask=mask),
                     lambda x, mask: torch.ops.scanbench.cumsum(x, 0, mask=mask)):
            near(func.vmap(call, (0, 1))(x, x.T > 0), scanbench.cumsum(x, 1, mask=x > 0))

    def test_gradcheck(self):
        x = (torch.randn(3, 4, device=DEVICE).double() + 3).requires_grad_()
        for name, ours, _ in calls():
            forward = name in FORWARD
            with self.subTest(name):
                self.assertTrue(gradcheck(
                    ours, x, check_batched_grad=True, check_forward_ad=forward,
                    check_batched_forward_grad=forward))
                self.assertTrue(gradgradcheck(
                    lambda x, f=ours: f(x) ** 2 if name in FORWARD else f(x), x,
                    check_fwd_over_rev=forward, check_batched_grad=forward))

    def test_shapes(self):
        for shape, dim in (((), 0), ((5,), 0), ((3, 4), 0), ((2, 3, 4), 1), ((2, 0), 1)):
            x = torch.randn(shape, device=DEVICE).double().requires_grad_()
            mask = torch.rand(shape, device=DEVICE) < 0.5
            for flags in FLAGS:
                self.assertTrue(gradcheck(
                    lambda x: scanbench.cumsum(x, dim, mask=mask, **flags), x))
            self.assertTrue(gradcheck(lambda x: scanbench.sum(x, dim, mask=mask), x))
            self.assertTrue(gradcheck(lambda x: scanbench.flip(x, dim), x))

    def test_transforms(self):
        x = values((3, 4))
        for name, ours, own in calls(FORWARD):
            for transform, of in TRANSFORMS.items():
                with self.subTest(name, transform=transform):
                    same(of(lambda x: ours(x) ** 2)(x), of(lambda x: own(x) ** 2)(x))
        x = torch.randn(3, 4, device=DEVICE).double()
        for name, ours, own in calls():
            with self.subTest(name):
                near(func.jacrev(ours)(x), func.jacrev(own)(x))
                batch = torch.stack([x, x + 1])
                near(torch.vmap(ours)(batch), torch.stack([ours(one) for one in batch]))
                if name not in (*FORWARD, "mean"):
                    with self.assertRaises((NotImplementedError, RuntimeError)):
                        func.jvp(ours, (x,), (x,))

    def test_vmap(self):
        x = values((3, 4, 5))
        mask = x > 0
        same(torch.vmap(lambda x: scanbench.cumsum(x, -1), 1, 1)(x), x.cumsum(2))
        for dims, m in ((0, mask), ((0, None), mask[0])):
            same(torch.vmap(lambda x, m: scanbench.cumsum(x, 0, mask=m), dims)(x, m),
                 theirs("cumsum", x, 1, mask=m.expand(x.shape)))
        line = values((5,))
        same(torch.vmap(lambda x: scanbench.sum(x, 0))(line), line)
        same(torch.vmap(lambda x: scanbench.cumsum(x, 0, exclusive=True))(line),
             torch.zeros_like(line))

    def test_opcheck(self):
        x = torch.rand(3, 4, device=DEVICE, requires_grad=True)
        mask = x.detach() > 0.5
        for name, *more in (*((name,) for name in (*SCANS, *REDUCTIONS, "flip")),
                            ("cumsum", True, True), ("cumsum", False, False, mask),
                            ("sum", False, mask)):
            with self.subTest(name):
                torch.library.opcheck(getattr(torch.ops.scanbench, name).default,
                                      (x, 1, *more))

    # ---- tangents
    def test_tangents(self):
        x, tangent = values((3, 4)), values((3, 4))
        for name, ours, own in calls(FORWARD):
            same(func.jvp(ours, (x,), (tangent,)), func.jvp(own, (x,), (tangent,)))
            with forward_ad.dual_level():
                dual = forward_ad.make_dual(x, tangent)
                same(forward_ad.unpack_dual(ours(dual)).tangent,
                     forward_ad.unpack_dual(own(dual)).tangent)
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

    # ---- a missing derivative is an error, never silent
    def test_operators(self):
        x = values((3, 4))
        for name in FORWARD:
            with self.assertRaisesRegex(NotImplementedError, "no forward-mode"):
                func.jvp(lambda x: getattr(torch.ops.scanbench, name)(x, 0), (x,), (x,))

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

    # ---- torch.compile
    def test_compile(self):
        def work(x, mask):
            y = scanbench.cumsum(x, -1, reverse=True) * 2
            z = scanbench.flip(scanbench.cumsum(x, 1, mask=mask), 1)[0]
            most = x.gather(1, scanbench.argmax(x, 1, keepdim=True)).sum()
            return scanbench.sum(y, 0) + z + most + scanbench.prod(
                x, (0, 1)) + scanbench.cumprod(x, 1).amax() + scanbench.logsumexp(x)

        for backend in ("aot_eager", "inductor")[:2 if DEVICE == "cuda" else 1]:
            torch._dynamo.reset()
            compiled = torch.compile(work, fullgraph=True, backend=backend)
            for shape in ((3, 5), (4, 7)):
                x = torch.rand(shape, device=DEVICE)
                leaves = [x.clone().requires_grad_() for _ in range(2)]
                mask = x > 0.5
                for f, leaf in zip((work, compiled), leaves):
                    f(leaf, mask).sum().backward()
                near(leaves[0].grad, leaves[1].grad)
                near(compiled(leaves[0], mask), work(leaves[1], mask))
                with torch.no_grad():
                    near(compiled(x, mask), work(x, mask))

    def test_trace(self):
        """torch.jit records operators, not the memory of one call."""
        for call in scanbench.cumsum, scanbench.sum:
            traced = torch.jit.trace(lambda x, call=call: call(x, 1) * 1, values((2, 3)))
            x = values((4, 5))
            same(traced(x), call(x, 1))

    def test_compiled_tangents(self):
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


if DEVICE == "cuda":  # the formulas are the same on every device
    del Derivatives.test_gradcheck, Derivatives.test_shapes, Derivatives.test_transforms
if __name__ == "__main__":
    torch.manual_seed(1)
    unittest.main()
