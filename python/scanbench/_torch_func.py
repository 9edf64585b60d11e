# SPDX-License-Identifier: MIT
"""The operations with forward-mode derivatives and torch.func's transforms, which
torch.library has no place for: each is linear in x, so that its tangent is the
same operation on x's."""
import torch

from . import _torch_ops
from ._torch import cumsum, flip, shown, sum


class Cumsum(torch.autograd.Function):
    setup_context = staticmethod(_torch_ops.cumsum_context)
    backward = staticmethod(_torch_ops.cumsum_backward)
    vmap = staticmethod(_torch_ops.vmapped(cumsum, 4))

    @staticmethod
    def forward(x, dim, reverse, exclusive, mask):
        return torch.ops.scanbench.cumsum(x, dim, reverse, exclusive, mask)

    @staticmethod
    def jvp(ctx, tangent, *_):
        mask, = ctx.saved_tensors
        return shown("cumsum", tangent, ctx.dim, ctx.reverse, ctx.exclusive,
                     mask)


class Sum(torch.autograd.Function):
    setup_context = staticmethod(_torch_ops.sum_context)
    backward = staticmethod(_torch_ops.sum_backward)
    vmap = staticmethod(_torch_ops.vmapped(sum, 3))

    @staticmethod
    def forward(x, dim, keepdim, mask):
        return torch.ops.scanbench.sum(x, dim, keepdim, mask)

    @staticmethod
    def jvp(ctx, tangent, *_):
        mask, = ctx.saved_tensors
        return shown("sum", tangent, ctx.dim, ctx.keepdim, mask)


class Flip(torch.autograd.Function):
    setup_context = staticmethod(_torch_ops.flip_context)
    backward = staticmethod(_torch_ops.flip_backward)
    vmap = staticmethod(_torch_ops.vmapped(flip, None))

    @staticmethod
    def forward(x, dim):
        return torch.ops.scanbench.flip(x, dim)

    @staticmethod
    def jvp(ctx, tangent, _):
        return shown("flip", tangent, ctx.dim)


FUNCTIONS = {"cumsum": Cumsum, "sum": Sum, "flip": Flip}
