# SPDX-License-Identifier: MIT
"""The operators' arguments, gradients along ctx.dim, and the rule of vmap. A gradient is
made of the output's, grad: `call` runs an operation, x and y are None for linear ones,
masked-off elements of x are the identity, and grad and y have x's number of dims."""
import math

import torch

from ._dims import normal_dim
from ._ops import REDUCTIONS, SCANS, UNARY
from ._torch_operator import leading

# The arguments behind (Tensor x, int dim) with their defaults: flags, and three of all
# that have any. `contracts` are those of enum scanbench_op.
OF_ALL = {"Tensor? mask": None, "int contracts": 0, "float? max_error": None}
OF_SCANS = {"bool reverse": False, "bool exclusive": False, **OF_ALL}
OF_REDUCTIONS = {"bool keepdim": False, **OF_ALL}
OTHERS = {name: OF_SCANS if name in SCANS else OF_REDUCTIONS if name in REDUCTIONS else {}
          for name in (*UNARY, "cumsum_narrow")}
IDENTITIES = {"prod": 1, "cumprod": 1, "amax": -math.inf, "cummax": -math.inf,
              "amin": math.inf, "cummin": math.inf, "logsumexp": -math.inf,
              "logcumsumexp": -math.inf}


def of_cumsum(call, ctx, grad, x, y):
    reverse, exclusive = ctx.flags
    return call("cumsum", grad, ctx.dim, not reverse, exclusive, None)


def of_mean(call, ctx, grad, x, y):
    return (grad / (ctx.shape[ctx.dim] if len(ctx.shape) else 1)).expand(ctx.shape)


def of_prod(call, ctx, grad, x, y):
    """Multiplies the products before and behind an element, which may be 0."""
    return (grad * call("cumprod", x, ctx.dim, False, True, None)
            * call("cumprod", x, ctx.dim, True, True, None))


def of_cumprod(call, ctx, grad, x, y):
    """Sums outputs over the element up to the first 0, and at it the outputs with a 1 in
    its place. Behind it the gradient is 0, but not its derivative."""
    reverse, exclusive = ctx.flags

    def later_sums(outputs):
        return call("cumsum", grad * outputs, ctx.dim, not reverse, exclusive, None)

    def gradient(x, y, differentiable):
        zero, behind = x == 0, 0
        zeros = call("cumsum", zero.to(x.dtype), ctx.dim, reverse, False, None)
        first = zero & (zeros == 1)
        filled = torch.where(first, 1, x)
        without = call("cumprod", filled, ctx.dim, reverse, exclusive, None)
        if differentiable:
            value = call("cumsum", torch.where(first, x, 0), ctx.dim, reverse, False, None)
            behind = value * gradient(filled, without, False)
        before = later_sums(y) / torch.where(zero, 1, x)
        return torch.where(first, later_sums(without),
                           torch.where(zeros == 0, before, behind))
    return gradient(x, y, torch.is_grad_enabled())


def of_extreme(call, ctx, grad, x, y):
    """Spreads evenly over ties, as torch does."""
    wins = x == y
    return grad * wins / wins.sum(ctx.dim, keepdim=True)


def of_cumulative_extreme(pick):
    def gradient(call, ctx, grad, x, y):
        """Gives all to the last equal, as torch does."""
        reversed_dims = (ctx.dim,) if ctx.flags[0] else ()
        places = pick(x.flip(reversed_dims), ctx.dim).indices
        gradient = torch.zeros_like(x).scatter_add(ctx.dim, places, grad.flip(reversed_dims))
        return gradient.flip(reversed_dims)
    return gradient


def of_logcumsumexp(call, ctx, grad, x, y):
    """In logarithms, positive and negative gradients apart, as torch does."""
    def part(grad):
        some = grad > 0
        logs = torch.where(some, torch.where(some, grad, 1).log(), torch.finfo(x.dtype).min)
        return (call("logcumsumexp", logs - y, ctx.dim, not ctx.flags[0], False, None)
                + x).exp()
    return part(grad) - part(-grad)


GRADIENTS = {"cumsum": of_cumsum, "mean": of_mean, "prod": of_prod, "cumprod": of_cumprod,
             "amax": of_extreme, "cummax": of_cumulative_extreme(torch.cummax),
             "amin": of_extreme, "cummin": of_cumulative_extreme(torch.cummin),
             "sum": lambda call, ctx, grad, x, y: grad.expand(ctx.shape),
             "flip": lambda call, ctx, grad, x, y: call("flip", grad, ctx.dim),
             "logsumexp": lambda call, ctx, grad, x, y: grad * (x - y).exp(),
             "logcumsumexp": of_logcumsumexp}


def batched_recurrence(op):
    def rule(info, in_dims, a, b, dim, reverse=False, initial=None, *kept):
        a, b = leading(a, in_dims[0], info.batch_size), leading(b, in_dims[1], info.batch_size)
        if initial is not None:  # an example's broadcasts from the right
            initial = leading(initial, in_dims[4], info.batch_size)
            ones = (1,) * (a.dim() - 1 - initial.dim())
            initial = initial.reshape(initial.shape[:1] + ones + initial.shape[1:])
        return op(a, b, normal_dim(dim, a.dim() - 1) + 1, reverse, initial, *kept), 0
    return rule


def batched(op, others):
    """The mask is the last but two of the arguments other than x and dim, if there are any."""
    mask_at = others - 1 if others else None

    def rule(info, in_dims, *arguments):
        arguments = list(arguments)
        x = leading(arguments[0], in_dims[0], info.batch_size)
        lonely = x.dim() == 1  # a batch of scalars
        if lonely:
            x = x.unsqueeze(1)
        arguments[0] = x
        arguments[1] = normal_dim(arguments[1], x.dim() - 1) + 1
        # A mask without a batch broadcasts.
        if mask_at and len(arguments) > mask_at and in_dims[mask_at] is not None:
            mask = arguments[mask_at].movedim(in_dims[mask_at], 0)
            while mask.dim() < x.dim():
                mask = mask.unsqueeze(1)
            arguments[mask_at] = mask
        result = op(*arguments)
        if lonely and result.dim() > 1:
            result = result.squeeze(1)
        return result, 0
    return rule
