# SPDX-License-Identifier: MIT
"""Tests of torch with ragged lines, on the host: SOURCE. Exit status 77: no torch."""
import itertools
import sys
import types
import unittest

try:
    import torch
except ImportError as why:
    print(f'skipped: {why}')
    sys.exit(77)
sys.path[0] = sys.argv.pop(1)  # not this folder, whose frameworks.py it would be
from frameworks.with_ragged import by_subtraction, segment_reduce  # noqa: E402

ENDS = [0, 0, 3, 3, 9]


def cumsum(x, reverse):
    return x.flip(0).cumsum(0).flip(0) if reverse else x.cumsum(0)


def amax(x):
    return x.amax(0) if len(x) else x.sum(0) - float('inf')


class Ragged(unittest.TestCase):
    def test_against_segments(self):
        for of, inner, half in itertools.product(
                (torch.int32, torch.int64), ((), (2,)), (torch.float32, torch.float16)):
            x, offsets = torch.randn(ENDS[-1], *inner), torch.tensor(ENDS, dtype=of)
            parts = [x[a:b] for a, b in zip(ENDS, ENDS[1:])]
            for reverse in (False, True):
                p = types.SimpleNamespace(reverse=reverse)
                got = by_subtraction(p, x.to(half), offsets)
                want = torch.cat([cumsum(part.to(half), reverse) for part in parts])
                torch.testing.assert_close(got, want)
            for plain, reduce in (('sum', lambda x: x.sum(0)), ('mean', lambda x: x.mean(0)),
                                  ('amax', amax)):
                got = segment_reduce(types.SimpleNamespace(plain=plain), x, offsets)
                want = torch.stack([reduce(part) for part in parts])
                torch.testing.assert_close(got, want, equal_nan=True)

    def test_digits(self):
        """A small segment behind a large one keeps its digits."""
        x = torch.tensor([2.0 ** 40, 0.1, 0.1])
        for reverse, x, ends, at in ((False, x, [0, 1, 3], 2), (True, x.flip(0), [0, 2, 3], 0)):
            got = by_subtraction(types.SimpleNamespace(reverse=reverse), x, torch.tensor(ends))
            self.assertAlmostEqual(got[at].item(), 0.2, 3)


if __name__ == '__main__':
    unittest.main()
