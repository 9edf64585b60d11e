# SPDX-License-Identifier: MIT
"""SOURCE: the Triton kernels by Triton's interpreter, on the host. Exit status 77:
no torch, no Triton, or one whose interpreter does not work with this NumPy."""
import contextlib
import os
import sys
import unittest

os.environ['TRITON_INTERPRET'] = '1'
try:
    import numpy
    import torch
    import triton
    from triton.runtime import interpreter
except ImportError as why:
    print('skipped: %s' % why)
    sys.exit(77)
ROOT = sys.argv.pop(1)
sys.path[0] = ROOT  # not this folder, whose frameworks.py it would be
from frameworks import frameworks  # noqa: E402
from frameworks.common import SCANS, SCANS_OF, Problem  # noqa: E402
from frameworks.with_torch import torch_function  # noqa: E402

OPS = ['cumsum_exclusive', 'cumsum_reverse', 'masked_cumsum', 'cumprod_exclusive',
       'cummin_reverse', *SCANS, *SCANS_OF]
TUNED = triton.autotune
POINT = 0


def load(name):
    """As frameworks.c does; the interpreter wants annotations, not their texts."""
    with open('%s/frameworks/%s.py' % (ROOT, name)) as file:
        text = file.read().replace("'tl.constexpr'", 'tl.constexpr')
    frameworks.load(name + '\nimport triton.language as tl\n' + text)
    return sys.modules['frameworks.' + name]


def tuned(configs, keys):
    """One point, since the interpreter is not to be timed."""
    return TUNED([configs[POINT % len(configs)]], keys)


def scan(self, inputs):
    """On whole arrays: the interpreter would call Python for every element."""
    dtype, xs = inputs[0].dtype, [x.handle.data for x in inputs]
    place = numpy.indices(xs[0].shape)[self.axis]
    for before in (1 << k for k in range(xs[0].shape[self.axis].bit_length() - 1)):
        both = [numpy.roll(x, before, self.axis) for x in xs] + xs
        found = self.combine_fn.fn(*(self.to_tensor(x, dtype) for x in both))
        found = found if isinstance(found, tuple) else (found,)
        xs = [numpy.where(place < before, x, y.handle.data) for x, y in zip(xs, found)]
    return [self.to_tensor(x, dtype) for x in xs]


def reduce(self, inputs):
    last = scan(self, inputs)[0].handle.data.take(-1, self.axis)
    return [self.to_tensor(last, inputs[0].dtype)]


interpreter.ScanOps.generic_scan = scan
interpreter.ReduceOps.generic_reduce = reduce
triton.autotune = tuned
load('triton_operators')
with_triton = load('with_triton')
with_triton_packed = load('with_triton_packed')
with_triton_split = load('with_triton_split')
with_recurrence = load('with_recurrence')


def steps(extents, mask):
    """Steps of a walk between -10 and 10: half types hold its sums and powers of two
    exactly, which the interpreter would round in its own way."""
    drawn = torch.randint(-1, 2, extents)
    at = ((drawn if mask is None else drawn * mask).cumsum(1) + 10) % 40
    return torch.where(at < 20, at - 10, 30 - at).diff(
        dim=1, prepend=torch.zeros(extents[0], 1, extents[2], dtype=torch.int64))


def run(module, name, p):
    mask = torch.rand(p.extents) < 0.5 if p.masked else None
    x = steps(p.extents, mask).to(getattr(torch, p.dtype))
    if p.scan == 'cumprod':
        x = x.exp2()
    if p.scan in ('cummax', 'cummin'):
        x = x.cumsum(1)
        x[0, p.extents[1] * 2 // 3:] = torch.nan
    wanted = torch_function(p)(x.double(), mask).to(x.dtype)
    if mask is not None:
        x = torch.where(mask, x, torch.nan).to(x.dtype)
    y = torch.full(p.out_extents, torch.nan, dtype=x.dtype)
    module.torch_stream = lambda p: contextlib.nullcontext()
    module.inputs = lambda *_: (x, mask)
    module.view = lambda *_: y
    module.FRAMEWORKS[name][1](name, p)
    rounds = p.scan == 'logcumsumexp' or p.plain == 'mean'
    torch.testing.assert_close(y, wanted, equal_nan=True,
                               **{} if rounds else {'rtol': 0, 'atol': 0})


def interpreter_works():
    """NumPy 2.4 refuses the arrays of one element that Triton's interpreter takes for
    scalars. Other errors are left to the tests."""
    try:
        run(with_triton, 'triton_rows', Problem('cumsum', 0, 1, 1, 1))
    except Exception as why:  # Triton wraps NumPy's
        return '0-dimensional arrays' not in str(why)
    return True


class Kernels(unittest.TestCase):
    def all_points(self, module, name, shapes, kernels, points=3):
        global POINT
        for POINT in range(points):
            kernels.cache_clear()
            for place, op in enumerate(OPS):
                for shape in shapes:
                    p = Problem(op, (POINT + place) % 4, *shape)  # floats
                    self.assertIsNone(module.FRAMEWORKS[name][2](p))
                    with self.subTest(op=p.op, dtype=p.dtype, shape=shape):
                        run(module, name, p)

    def test_rows(self):
        self.all_points(with_triton, 'triton_rows',
                        ((3, 1, 1), (2, 5000, 1)), with_triton.triton_kernels, 1)

    def test_columns(self):
        self.all_points(with_triton, 'triton_columns',
                        ((2, 33, 70), (1, 1, 2)), with_triton.triton_kernels, 1)

    def test_packed(self):
        self.all_points(with_triton_packed, 'triton_packed',
                        ((5, 1, 1), (9, 257, 1), (3, 2048, 1), (2049, 3, 1)),
                        with_triton_packed.packed_kernel)

    def test_split(self):
        self.all_points(with_triton_split, 'triton_split',
                        ((1, 8193, 1), (2, 20000, 1)),
                        with_triton_split.split_kernels)

    def test_recurrence(self):
        for name, shape in (('triton_recurrence_rows', (3, 5000, 1)),
                            ('triton_recurrence_columns', (2, 33, 70))):
            for op in ('recurrence', 'recurrence_reverse'):
                a, b = torch.rand(2, *shape)
                y, order = torch.empty(shape), -1 if 'reverse' in op else 1
                with_recurrence.torch_stream = lambda p: contextlib.nullcontext()
                with_recurrence.inputs = lambda _: [a, b]
                with_recurrence.view = lambda *_: y
                with_recurrence.FRAMEWORKS[name][1](name, Problem(op, 0, *shape))
                h = 0
                for t in range(shape[1])[::order]:
                    h = a[:, t] * h + b[:, t]
                    torch.testing.assert_close(y[:, t], h)

    def test_refused(self):
        for name, shape in (('triton_packed', (3, 2049, 1)),
                            ('triton_packed', (3, 20, 2)),
                            ('triton_split', (1, 8192, 1)),
                            ('triton_split', (513, 9000, 1)),
                            ('triton_split', (1, 9000, 2))):
            refusal = frameworks.FRAMEWORKS[name][2]
            self.assertIn('contiguous', refusal(Problem('cumsum', 0, *shape)))


if __name__ == '__main__':
    if not interpreter_works():
        print("skipped: Triton's interpreter does not work with this NumPy")
        sys.exit(77)
    unittest.main()
