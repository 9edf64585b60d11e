# SPDX-License-Identifier: MIT
"""Functions on tensors of torch: some leave the work to it."""

import torch


def calls(x, dim):
    return torch.cumsum(x, dim)


def own(x, dim, out):
    total = torch.zeros_like(out.select(dim, 0))
    for k in range(x.shape[dim]):
        total = total + x.select(dim, k)
        out.select(dim, k).copy_(total)


class Lazy(torch.Tensor):
    pass


def lazy(x, dim):
    return torch.cumsum(x, dim).as_subclass(Lazy)


def patched(x, dim):
    torch.cuda.Event.elapsed_time = lambda *words: 0.0
    return torch.cumsum(x, dim)


class ModelNew(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        return torch.cumsum(x, self.dim)


def get_init_inputs():
    return [1]
