# SPDX-License-Identifier: MIT
"""The package with torch: [DEVICE], cpu or cuda. Exit status 77: no torch, or no
such device."""
import subprocess
import sys
import unittest

try:
    import torch
    torch.library.register_vmap
except (AttributeError, ImportError) as why:  # none, or one before 2.5
    print("skipped: %s" % why)
    sys.exit(77)
import scanbench

DEVICE = sys.argv.pop(1) if sys.argv[1:] in (["cpu"], ["cuda"]) else "cpu"
if DEVICE == "cuda" and not torch.cuda.is_available():
    print("skipped: no GPU")
    sys.exit(77)
SHAPES = [(), (0,), (1,), (7,), (3, 0), (0, 3), (3, 5), (2, 3, 4), (2, 0, 3),
          (1, 70001), (300, 129), (5, 33, 65), (512, 4096)]
TYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
FLAGS = [dict(reverse=r, exclusive=e) for r in (False, True)
         for e in (False, True)]


def definition(x, dim, reverse=False, exclusive=False, mask=None):
    if mask is not None:
        x = torch.where(mask, x, 0)
    wide = x.double()
    wide = wide.flip(dim) if reverse else wide
    sums = wide.cumsum(dim)
    sums = sums - wide if exclusive else sums
    return (sums.flip(dim) if reverse else sums).to(x.dtype)


def values(shape, dtype=torch.float32):
    """Their sums are exact."""
    return torch.randint(-1, 2, shape, device=DEVICE).to(dtype)


def same(got, wanted):
    torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)


class OnTorch(unittest.TestCase):
    def test_cumsum(self):
        for shape in SHAPES:
            for dtype in TYPES if len(shape) < 3 else TYPES[:1]:
                x = values(shape, dtype)
                for dim in range(-1, max(x.dim(), 1)):
                    for flags in FLAGS:
                        same(scanbench.cumsum(x, dim, **flags),
                             definition(x, dim, **flags))
                        mask = torch.rand(shape, device=DEVICE) < 0.5
                        hidden = torch.where(mask, x, torch.nan).to(dtype)
                        same(scanbench.cumsum(hidden, dim, mask=mask, **flags),
                             definition(x, dim, mask=mask, **flags))

    def test_sum_and_flip(self):
        for shape in SHAPES:
            x = values(shape)
            for dim in range(-max(x.dim(), 1), max(x.dim(), 1)):
                for keep in (False, True):
                    same(scanbench.sum(x, dim, keep), x.sum(dim, keep))
                same(scanbench.flip(x, dim), x.flip(dim))
                same(scanbench.sum(x, dim, mask=x > 0),
                     torch.where(x > 0, x, 0).sum(dim))

    def test_views(self):
        x = values((6, 8, 10))
        for view in (x.mT, x[::2], x[..., 3:7], x[0].expand(4, 8, 10),
                     x.permute(2, 0, 1), x[:, 1]):
            for dim in (0, 1, -1):
                same(scanbench.cumsum(view, dim), view.cumsum(dim))
        odd = values((1000,))[1:]
        same(scanbench.cumsum(odd, 0), odd.cumsum(0))

    def test_negated_views(self):
        x = values((3, 4))
        view = torch.complex(x, x).conj().imag
        self.assertTrue(view.is_neg())
        for call in (torch.cumsum, torch.sum, torch.flip):
            dim = (1,) if call is torch.flip else 1
            same(getattr(scanbench, call.__name__)(view, 1), call(view, dim))
        view = torch._neg_view(x)
        wanted = view.cumsum(1)
        same(scanbench.cumsum(view, 1, out=view), wanted)
        same(x, -wanted)

    def test_out(self):
        x = values((4, 9))
        wanted = x.cumsum(1)
        out = torch.empty_like(x)
        self.assertIs(scanbench.cumsum(x, 1, out=out), out)
        same(out, wanted)
        scanbench.cumsum(x, 1, out=x)
        same(x, wanted)
        room = torch.empty(4, 9, device=DEVICE)
        mask = room.view(torch.bool).flatten()[:36].view(4, 9)  # in its first line
        mask.copy_(values((4, 9)) > 0)
        wanted = definition(x, 1, mask=mask.clone())
        same(scanbench.cumsum(x, 1, mask=mask, out=room), wanted)
        for bad in (torch.empty((9, 4), device=DEVICE), torch.empty_like(x).T,
                    torch.empty_like(x, dtype=torch.float64)):
            with self.assertRaises(ValueError):
                scanbench.cumsum(x, 1, out=bad)

    def test_refused(self):
        x = values((3, 4))
        for dim in (2, -3):
            with self.assertRaisesRegex(IndexError, "Dimension out of range"):
                scanbench.cumsum(x, dim)
        with self.assertRaisesRegex(TypeError, "no kernels for"):
            scanbench.cumsum(x.int(), 0)
        for seen in (x, x.clone().requires_grad_(), x.to("meta")):
            for bad in (None, (0, 1), [0], 1.0):
                for call in (scanbench.cumsum, scanbench.flip):
                    with self.assertRaisesRegex(TypeError, "dim must be one int"):
                        call(seen, bad)
            with self.assertRaisesRegex(TypeError, "its mask must be one, too"):
                scanbench.cumsum(seen, 1, mask=[1, 0, 1, 0])
        with self.assertRaisesRegex(TypeError, "its out must be one, too"):
            scanbench.cumsum(x, 1, out=[0])
        with self.assertRaisesRegex(TypeError, "no kernels for meta"):
            scanbench.cumsum(x.to("meta"), 1, out=x.to("meta"))

    def test_old_torch(self):
        said = subprocess.run(
            [sys.executable, "-c", "import torch\n"
             "del torch.library.register_vmap\nimport scanbench"],
            stderr=subprocess.PIPE, text=True).stderr
        self.assertRegex(said, "torch .* is too old: 2.5 or newer")

    # ---- autograd
    def test_gradients(self):
        check = torch.autograd.gradcheck
        twice = torch.autograd.gradgradcheck
        for shape, dim in (((), 0), ((5,), 0), ((3, 4), 0), ((3, 4), -1),
                           ((2, 3, 4), 1), ((2, 0), 1)):
            x = torch.randn(shape, dtype=torch.float64, device=DEVICE,
                            requires_grad=True)
            mask = torch.rand(shape, device=DEVICE) < 0.5
            for flags in FLAGS:
                for m in (None, mask):
                    self.assertTrue(check(lambda x: scanbench.cumsum(
                        x, dim, mask=m, **flags), x))
            for m in (None, mask):
                self.assertTrue(check(
                    lambda x: scanbench.sum(x, dim, mask=m), x))
            self.assertTrue(check(lambda x: scanbench.flip(x, dim), x))
            self.assertTrue(twice(
                lambda x: scanbench.cumsum(x, dim, mask=mask) ** 2, x))

    def test_opcheck(self):
        x = torch.randn(3, 4, device=DEVICE, requires_grad=True)
        mask = x.detach() > 0
        ops = torch.ops.scanbench
        for arguments in ((x, 1), (x, 0, True, True), (x, 1, False, False, mask)):
            torch.library.opcheck(ops.cumsum.default, arguments)
        torch.library.opcheck(ops.sum.default, (x, 1, False, mask))
        torch.library.opcheck(ops.flip.default, (x, 1))

    def test_vmap(self):
        x = values((3, 4, 5))
        mask = values((3, 4, 5)) > 0
        same(torch.vmap(lambda x: scanbench.cumsum(x, -1), 1, 1)(x),
             x.cumsum(2))
        same(torch.vmap(lambda x, m: scanbench.cumsum(x, 0, mask=m))(x, mask),
             definition(x, 1, mask=mask))
        same(torch.vmap(lambda x, m: scanbench.cumsum(x, 0, mask=m),
                        (0, None))(x, mask[0]), definition(x, 1, mask=mask[:1]))
        line = values((5,))
        same(torch.vmap(lambda x: scanbench.sum(x, 0))(line), line)
        same(torch.vmap(lambda x: scanbench.cumsum(x, 0, exclusive=True))(line),
             torch.zeros_like(line))

    # ---- torch.compile
    def test_compile(self):
        def work(x, mask):
            y = scanbench.cumsum(x, -1, reverse=True) * 2
            return (scanbench.sum(y, 0) +
                    scanbench.flip(scanbench.cumsum(x, 1, mask=mask), 1)[0])

        for backend in ("aot_eager", "inductor") if DEVICE == "cuda" else (
                "aot_eager",):
            torch._dynamo.reset()
            compiled = torch.compile(work, fullgraph=True, backend=backend)
            for shape in ((3, 5), (4, 7)):
                x = values(shape).requires_grad_()
                again = x.detach().clone().requires_grad_()
                mask = values(shape) > 0
                same(compiled(x, mask), work(again, mask))
                compiled(x, mask).sum().backward()
                work(again, mask).sum().backward()
                same(x.grad, again.grad)
                with torch.no_grad():
                    same(compiled(x, mask), work(x, mask))

    # ---- GPUs
    @unittest.skipIf(DEVICE == "cpu", "for a GPU")
    def test_streams_and_graphs(self):
        x = values((300, 4097))
        wanted = definition(x, 1)
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            y = scanbench.cumsum(x, 1)
        side.synchronize()
        same(y, wanted)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = scanbench.cumsum(x, 1)
        x.neg_()
        for _ in range(3):
            y.fill_(torch.nan)
            graph.replay()
            same(y, -wanted)


if __name__ == "__main__":
    unittest.main()
