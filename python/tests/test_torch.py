# SPDX-License-Identifier: MIT
"""The package with torch, beside torch's own functions: [DEVICE], cpu or cuda. Exit
status 77: no torch, or no such device."""
import math
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
SCANS = ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp")
EXCLUSIVE = ("cumsum", "cumprod")
INDICES = ("argmax", "argmin")
UNMASKED = ("mean", *INDICES)
REDUCTIONS = ("sum", "prod", "mean", "amax", "amin", "logsumexp", *INDICES)
ROUNDED = ("mean", "logsumexp", "logcumsumexp")
IDENTITIES = {"cumsum": 0, "cumprod": 1, "prod": 1, "cummax": -math.inf, "cummin": math.inf,
              "amax": -math.inf, "amin": math.inf, "logsumexp": -math.inf,
              "logcumsumexp": -math.inf, "sum": 0}


def theirs(name, x, dim, reverse=False, exclusive=False, mask=None):
    """Torch's result in float64 along one dim."""
    x = x if mask is None else torch.where(mask, x, IDENTITIES[name])
    wide = x.double()
    if name in REDUCTIONS:
        return getattr(torch, name)(wide, dim)
    wide = wide.flip(dim) if reverse else wide
    if exclusive and name == "cumprod":
        ones = torch.ones_like(wide.narrow(dim, 0, 1))
        wide = torch.cat([ones, wide.narrow(dim, 0, wide.shape[dim] - 1)], dim)
    made = getattr(torch, name)(wide, dim)
    made = made if isinstance(made, torch.Tensor) else made.values
    made = made - wide if exclusive and name == "cumsum" else made
    return made.flip(dim) if reverse else made


def values(shape, dtype=torch.float32):
    """Their sums are exact."""
    return torch.randint(-1, 2, shape, device=DEVICE).to(dtype)


def powers(shape, dtype=torch.float32):
    """Their products are exact, and their extremes have ties."""
    some = torch.tensor([-1, 1, 0.5, -2, 2, -0.5], device=DEVICE)
    return some[torch.randint(6, shape, device=DEVICE)].to(dtype)


def same(got, wanted):
    torch.testing.assert_close(got, wanted, rtol=0, atol=0, equal_nan=True)


def close(name, got, wanted):
    wanted = wanted if name in INDICES else wanted.to(got.dtype)
    slack = 8 * torch.finfo(got.dtype).eps if name in ROUNDED else 0
    torch.testing.assert_close(got, wanted, rtol=slack, atol=slack, equal_nan=True)


class OnTorch(unittest.TestCase):
    def test_scans(self):
        for shape in SHAPES:
            for dtype in TYPES if len(shape) < 3 else TYPES[:1]:
                x = values(shape, dtype)
                self.one_scan("cumsum", x)
                for dim in range(-max(x.dim(), 1), max(x.dim(), 1)):
                    same(scanbench.flip(x, dim), x.flip(dim))
                    same(scanbench.sum(x, dim), x.double().sum(dim).to(dtype))
        for name in SCANS[1:]:
            for dtype in TYPES:
                x = powers((3, 40), dtype)
                x[1, 30] = torch.nan
                self.one_scan(name, x)

    def one_scan(self, name, x):
        call = getattr(scanbench, name)
        mask = torch.rand(x.shape, device=DEVICE) < 0.5
        hidden = torch.where(mask, x, torch.nan).to(x.dtype)
        for dim in range(-1, max(x.dim(), 1)):
            for flags in FLAGS if name in EXCLUSIVE else ({}, dict(reverse=True)):
                close(name, call(x, dim, **flags), theirs(name, x, dim, **flags))
                close(name, call(hidden, dim, mask=mask, **flags),
                      theirs(name, x, dim, mask=mask, **flags))

    def test_reductions(self):
        for name in REDUCTIONS:
            for dtype in TYPES:
                x = powers((3, 4, 5), dtype)
                x[1, 2, 3] = torch.nan
                mask = torch.rand(x.shape, device=DEVICE) < 0.5
                for dim in (0, 1, -1, (1, 0), [1, -1], None):
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
            close(name, got.detach(), wanted)
            kept = getattr(scanbench, name)(watched, dim, keepdim=True, **words)
            self.assertEqual(kept.shape, x.sum(dim, keepdim=True).shape)
            close(name, kept.detach().reshape(got.shape), wanted)

    def test_scalars_and_nothing(self):
        dot = torch.tensor(2.0, device=DEVICE)
        for name in REDUCTIONS:
            close(name, getattr(scanbench, name)(dot), theirs(name, dot, 0))
        nothing = torch.empty(3, 0, device=DEVICE)
        for name in ("amax", "amin", *INDICES):
            self.refuse_nothing(name, nothing)
        for name in ("sum", "prod", "mean", "logsumexp"):
            close(name, getattr(scanbench, name)(nothing, 1), theirs(name, nothing, 1))

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
        for call, out, right in (
                (scanbench.cumsum, torch.empty_like(x), wanted),
                (scanbench.argmax, torch.empty(4, dtype=torch.int64, device=DEVICE),
                 x.argmax(1)),
                (scanbench.cumsum, x, wanted)):
            self.assertIs(call(x, 1, out=out), out)
            same(out, right)
        room = torch.empty(4, 9, device=DEVICE)
        mask = room.view(torch.bool).flatten()[:36].view(4, 9)  # in its first line
        mask.copy_(values((4, 9)) > 0)
        wanted = theirs("cumsum", x, 1, mask=mask.clone()).float()
        same(scanbench.cumsum(x, 1, mask=mask, out=room), wanted)
        for bad in (torch.empty((9, 4), device=DEVICE), torch.empty_like(x).T,
                    torch.empty_like(x, dtype=torch.float64)):
            with self.assertRaises(ValueError):
                scanbench.cumsum(x, 1, out=bad)
        with self.assertRaisesRegex(ValueError, "torch.int64"):
            scanbench.argmax(x, 1, out=torch.empty(4, device=DEVICE))

    def test_refused(self):
        x = values((3, 4))
        for dim in (2, -3):
            with self.assertRaisesRegex(IndexError, "Dimension out of range"):
                scanbench.cumsum(x, dim)
        with self.assertRaisesRegex(TypeError, "no kernels for"):
            scanbench.cumsum(x.short(), 0)
        with self.assertRaisesRegex(TypeError, "not 'float64'"):
            scanbench.sum(x, dtype="float64")
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

    @unittest.skipIf(DEVICE == "cuda", "once is enough")
    def test_old_torch(self):
        done = subprocess.run(
            [sys.executable, "-c", "import torch\n"
             "del torch.library.register_vmap\nimport scanbench"],
            stderr=subprocess.PIPE, text=True)
        self.assertRegex(done.stderr, "torch .* is too old: 2.5 or newer")

    @unittest.skipIf(DEVICE == "cpu", "for a GPU")
    def test_streams_and_graphs(self):
        x = values((300, 4097))
        wanted = x.cumsum(1)
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
