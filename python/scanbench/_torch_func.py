# SPDX-License-Identifier: MIT
"""Derivatives and torch.func's transforms. Each operation is linear in x, so its tangent
is the same operation on the tangent of x, which torch.library cannot register."""
from functools import partial

import torch

from ._library import normal_dim, one_dim
from ._torch_ops import library
from ._torch_run import of_torch


def shown(name, x, dim, *others):
    """Calls the operation, for a compiler without derivatives in forward mode."""
    if torch.compiler.is_compiling():
        return getattr(torch.ops.scanbench, name)(x, dim, *others)
    if others and others[-1] is not None:
        of_torch("mask", others[-1])
    return FUNCTIONS[name].apply(x, one_dim(dim), *others)


# Gradients use the same operations, so that they are differentiable, too.
def selected(grad, mask):
    return grad if mask is None else torch.where(mask != 0, grad, 0)


def cumsum_context(ctx, inputs, output):
    _, ctx.dim, ctx.reverse, ctx.exclusive, mask = inputs
    ctx.save_for_backward(mask)
    ctx.save_for_forward(mask)


def cumsum_backward(ctx, grad):
    mask, = ctx.saved_tensors
    grad = shown("cumsum", grad, ctx.dim, not ctx.reverse, ctx.exclusive, None)
    return selected(grad, mask), None, None, None, None


def sum_context(ctx, inputs, output):
    x, ctx.dim, ctx.keepdim, mask = inputs
    ctx.shape = x.shape
    ctx.save_for_backward(mask)
    ctx.save_for_forward(mask)


def sum_backward(ctx, grad):
    mask, = ctx.saved_tensors
    if len(ctx.shape) and not ctx.keepdim:
        grad = grad.unsqueeze(normal_dim(ctx.dim, len(ctx.shape)))
    return selected(grad.expand(ctx.shape), mask), None, None, None


def flip_context(ctx, inputs, output):
    _, ctx.dim = inputs


def flip_backward(ctx, grad):
    return shown("flip", grad, ctx.dim), None


# The batch becomes the first dim.
def vmapped(op, mask_at):
    def rule(info, in_dims, *arguments):
        arguments = list(arguments)
        x, at = arguments[0], in_dims[0]
        x = (x.movedim(at, 0) if at is not None
             else x.expand((info.batch_size,) + tuple(x.shape)))
        lonely = x.dim() == 1  # a batch of scalars
        if lonely:
            x = x.unsqueeze(1)
        arguments[0] = x
        arguments[1] = normal_dim(arguments[1], x.dim() - 1) + 1
        # torch does not pass arguments that have their defaults. A mask without a
        # batch broadcasts.
        if (mask_at and len(arguments) > mask_at
                and in_dims[mask_at] is not None):
            mask = arguments[mask_at].movedim(in_dims[mask_at], 0)
            while mask.dim() < x.dim():
                mask = mask.unsqueeze(1)
            arguments[mask_at] = mask
        result = op(*arguments)
        if lonely and result.dim() > 1:
            result = result.squeeze(1)
        return result, 0
    return rule


class Cumsum(torch.autograd.Function):
    setup_context = staticmethod(cumsum_context)
    backward = staticmethod(cumsum_backward)
    vmap = staticmethod(vmapped(partial(shown, "cumsum"), 4))

    @staticmethod
    def forward(x, dim, reverse, exclusive, mask):
        return torch.ops.scanbench.cumsum(x, dim, reverse, exclusive, mask)

    @staticmethod
    def jvp(ctx, tangent, *_):
        mask, = ctx.saved_tensors
        return shown("cumsum", tangent, ctx.dim, ctx.reverse, ctx.exclusive,
                     mask)


class Sum(torch.autograd.Function):
    setup_context = staticmethod(sum_context)
    backward = staticmethod(sum_backward)
    vmap = staticmethod(vmapped(partial(shown, "sum"), 3))

    @staticmethod
    def forward(x, dim, keepdim, mask):
        return torch.ops.scanbench.sum(x, dim, keepdim, mask)

    @staticmethod
    def jvp(ctx, tangent, *_):
        mask, = ctx.saved_tensors
        return shown("sum", tangent, ctx.dim, ctx.keepdim, mask)


class Flip(torch.autograd.Function):
    setup_context = staticmethod(flip_context)
    backward = staticmethod(flip_backward)
    vmap = staticmethod(vmapped(partial(shown, "flip"), None))

    @staticmethod
    def forward(x, dim):
        return torch.ops.scanbench.flip(x, dim)

    @staticmethod
    def jvp(ctx, tangent, _):
        return shown("flip", tangent, ctx.dim)


FUNCTIONS = {"cumsum": Cumsum, "sum": Sum, "flip": Flip}

for _name in ("cumsum", "sum", "flip"):
    torch.library.register_autograd(
        "scanbench::" + _name, globals()[_name + "_backward"],
        setup_context=globals()[_name + "_context"], lib=library)

for _name, _mask_at in (("cumsum", 4), ("sum", 3), ("flip", None)):
    torch.library.register_vmap(
        "scanbench::" + _name,
        vmapped(getattr(torch.ops.scanbench, _name), _mask_at), lib=library)
