#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Host time per call in microseconds, scanbench beside torch, on a tensor so small that
the host never waits for the GPU.

    python3 bench_call.py [DEVICE]        cuda (default) or cpu

Exit status 77: no torch, or no such device.
"""
import statistics
import sys
import timeit

try:
    import torch
except ImportError as why:
    print("skipped: %s" % why)
    sys.exit(77)
import scanbench

CALLS, ROUNDS = 200, 15
DEVICE = sys.argv[1] if sys.argv[1:] else "cuda"
if DEVICE == "cuda" and not torch.cuda.is_available():
    print("skipped: no GPU")
    sys.exit(77)


def wait():
    if DEVICE == "cuda":
        torch.cuda.synchronize()


def cost_us(call):
    """Median over rounds; a round waits for the GPU only before it starts."""
    rounds = timeit.repeat(call, wait, repeat=ROUNDS + 2, number=CALLS)
    return statistics.median(rounds[2:]) / CALLS * 1e6


def main():
    x = torch.ones((4, 64), device=DEVICE)
    mask, out, line = x > 0, torch.empty_like(x), torch.empty_like(x[:, 0])
    pairs = (
        ("cumsum", lambda: scanbench.cumsum(x, 1), lambda: torch.cumsum(x, 1)),
        ("cumsum, out=", lambda: scanbench.cumsum(x, 1, out=out),
         lambda: torch.cumsum(x, 1, out=out)),
        ("cumsum, reverse=", lambda: scanbench.cumsum(x, 1, reverse=True),
         lambda: x.flip(1).cumsum(1).flip(1)),
        ("cumsum, mask=", lambda: scanbench.cumsum(x, 1, mask=mask),
         lambda: torch.where(mask, x, 0).cumsum(1)),
        ("sum", lambda: scanbench.sum(x, 1), lambda: torch.sum(x, 1)),
        ("sum, out=", lambda: scanbench.sum(x, 1, out=line),
         lambda: torch.sum(x, 1, out=line)),
        ("flip", lambda: scanbench.flip(x, 1), lambda: torch.flip(x, (1,))))
    print("%-18s %10s %10s" % ("us per call", "scanbench", "torch"))
    for name, ours, theirs in pairs:
        print("%-18s %10.2f %10.2f" % (name, cost_us(ours), cost_us(theirs)))


if __name__ == "__main__":
    main()
