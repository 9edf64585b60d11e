# SPDX-License-Identifier: MIT
"""Contracts, of arrays of NumPy and tensors of torch: [DEVICE], cpu or cuda.
Exit status 77: no torch, or no such device."""
import contextlib
import hashlib
import os
import subprocess
import sys
import unittest
from unittest import mock

from test_torch import DEVICE, scanbench, torch
from scanbench import _library, _ops

FLOATS = {name: getattr(scanbench, name) for name in _ops.UNARY if name != "flip"}


def asked(call):
    """Returns the flags and error bounds of the plans that a call makes."""
    plans, plan = [], _library.plan

    def spy(op, dtype, shape, dim, keepdim, device, max_error=None, segments=None):
        plans.append((op & _ops.CONTRACTS, max_error))
        return plan(op, dtype, shape, dim, keepdim, device, max_error, segments)
    with contextlib.ExitStack() as patches:
        for module in "_numpy", "_torch_run", "_torch_recurrence", "_torch_ragged":
            patches.enter_context(mock.patch("scanbench.%s.plan" % module, spy))
        call()
    return plans


def tensor(*shape):
    return torch.rand(shape, device=DEVICE)


def made(name, x):
    return FLOATS[name](x, 1, deterministic=True)


def same_bits():
    """Returns a hash of each deterministic result, and checks that it is the same after
    another shape, and in a CUDA graph."""
    hashes = []
    for name in ("cumsum", "logcumsumexp", "sum", "prod"):
        for shape in ((1, 1 << 20), (3, 70001), (2, 4095, 33)):
            generator = torch.Generator().manual_seed(3)
            x = (torch.rand(shape, generator=generator) + 0.5).to(DEVICE)
            first = made(name, x)
            made(name, x[:, :1000].contiguous())
            again = [made(name, x)]
            if DEVICE == "cuda":
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    again.append(made(name, x))
                graph.replay()
            for one in again:
                assert torch.equal(one, first), (name, shape)
            hashes.append(hashlib.sha256(first.cpu().numpy().tobytes()).hexdigest())
    return hashes


class Contracts(unittest.TestCase):
    def setUp(self):
        self.addCleanup(torch.use_deterministic_algorithms, False)
        torch.compiler.reset()

    def test_flags(self):
        x = tensor(3, 8)
        for array in (x, x.cpu().numpy()):
            for name, function in FLOATS.items():
                portable = name in _ops.REDUCTIONS and name != "logsumexp"
                words = dict(deterministic=True, max_error=1e3)
                words.update(dict(portable_bits=True) if portable else {})
                words.update(dict(monotone=True) if name == "cumsum" else {})
                self.assertEqual(asked(lambda: function(array, 1, **words)), [
                    (_ops.contracts(True, portable, name == "cumsum"), 1e3)])
                torch.testing.assert_close(torch.as_tensor(function(array, 1, **words)),
                                           torch.as_tensor(function(array, 1)))
            self.assertEqual(asked(lambda: scanbench.recurrence(
                array, array, 1, deterministic=True, max_error=99)), [(_ops.DETERMINISTIC, 99)])

    def test_same_bits(self):
        """In another process, too."""
        code = ("import sys; sys.path.insert(0, %r); import test_contracts as tests; "
                "print(*tests.same_bits())" % os.path.dirname(os.path.abspath(__file__)))
        other = subprocess.run([sys.executable, "-c", code, DEVICE], check=True,
                               stdout=subprocess.PIPE, text=True)
        self.assertEqual(other.stdout.split(), same_bits())

    def test_refused(self):
        x = tensor(4)
        for call, words in ((scanbench.logsumexp, dict(portable_bits=True)),
                            (scanbench.cumprod, dict(monotone=True)),
                            (scanbench.sum, dict(max_error=0.5))):
            with self.assertRaisesRegex(scanbench.ScanbenchError, "contract"):
                call(x, 0, **words)
        for bad in (0, -1, float("nan"), "3", [3], 3j, 10 ** 400):
            with self.assertRaisesRegex(ValueError, "max_error is a number of roundings"):
                scanbench.sum(x, 0, max_error=bad)
        for bits in (1, _ops.REVERSE, 1 << 40, -1):
            with self.assertRaisesRegex(ValueError, "contracts are a sum of"):
                torch.ops.scanbench.cumsum(x, 0, contracts=bits)
        for words in (dict(portable_bits=True), dict(deterministic=True, max_error=1e9)):
            self.assertRegex(scanbench.which(x, "sum", 0, **words), "^[a-z]")

    def test_mode(self):
        """torch.use_deterministic_algorithms(), which operators of torch.ops see, too."""
        x = tensor(3, 8)
        torch.use_deterministic_algorithms(True)
        for call in (lambda: scanbench.cumsum(x, 1), lambda: scanbench.recurrence(x, x, 1),
                     lambda: torch.ops.scanbench.sum(x, 1),
                     lambda: torch.func.vmap(lambda row: scanbench.sum(row, 0))(x)):
            self.assertEqual(asked(call), [(_ops.DETERMINISTIC, None)])
        torch.use_deterministic_algorithms(False)
        self.assertEqual(asked(lambda: scanbench.cumsum(x, 1)), [(0, None)])

    def test_gradients(self):
        """A gradient is deterministic, but neither monotone nor within the bound."""
        x = tensor(3, 8).requires_grad_()
        for name, words in (("cumsum", dict(monotone=True, max_error=1e3)),
                            ("prod", dict(portable_bits=True)),
                            ("logcumsumexp", dict(deterministic=True)), ("cumsum", {})):
            total = FLOATS[name](x, 1, **words).sum()
            self.assertEqual(set(asked(total.backward)),
                             {(_ops.DETERMINISTIC if words else 0, None)})
        total = scanbench.recurrence(x, x, 1, deterministic=True).sum()
        self.assertEqual(asked(total.backward), [(_ops.DETERMINISTIC, None)])

    def test_compiled(self):
        """The graph has the contracts, and is traced again if the mode changes."""
        graphs = []

        def backend(graph, _):
            graphs.append([node.args for node in graph.graph.nodes
                           if "scanbench" in str(node.target)])
            return graph.forward

        x = tensor(3, 8)
        compiled = torch.compile(lambda x: scanbench.cumsum(x, 1, monotone=True, max_error=99),
                                 backend=backend, fullgraph=True)
        plans = asked(lambda: compiled(x))
        torch.use_deterministic_algorithms(True)
        plans += asked(lambda: compiled(x))
        kept = [(_ops.MONOTONE, 99), (_ops.MONOTONE | _ops.DETERMINISTIC, 99)]
        self.assertEqual(plans, kept)
        self.assertEqual([args[-2:] for args, in graphs], kept)


if __name__ == "__main__":
    unittest.main(argv=[__file__])
