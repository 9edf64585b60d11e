# SPDX-License-Identifier: MIT
"""torch.ops.scanbench: the operations as autograd, torch.compile and vmap see
them."""
import torch
from torch.autograd import forward_ad

from ._library import FLIP, MASKED, SUM, normal_dim, sum_shape
from ._torch import shown
from ._torch_run import dtype_of, op_of, run

_lib = torch.library.Library("scanbench", "DEF")
_lib.define("cumsum(Tensor x, int dim, bool reverse=False, "
            "bool exclusive=False, Tensor? mask=None) -> Tensor")
_lib.define("sum(Tensor x, int dim, bool keepdim=False, Tensor? mask=None) "
            "-> Tensor")
_lib.define("flip(Tensor x, int dim) -> Tensor")


def _no_tangents():
    """Where _torch_func.py does not stand before this: they would be lost."""
    if forward_ad._current_level >= 0 and torch._C._is_fwd_grad_enabled():
        raise NotImplementedError(
            "scanbench: torch.ops.scanbench has no forward-mode derivatives: "
            "call scanbench.cumsum, sum or flip, without fullgraph=True")


def _cumsum_kernel(x, dim, reverse=False, exclusive=False, mask=None):
    _no_tangents()
    return run(op_of(reverse, exclusive, mask), x, dim, mask, None)


def _sum_kernel(x, dim, keepdim=False, mask=None):
    _no_tangents()
    return run(SUM | (MASKED if mask is not None else 0), x, dim, mask, None,
                sum_shape(tuple(x.shape), dim, keepdim))


def _flip_kernel(x, dim):
    _no_tangents()
    return run(FLIP, x, dim, None, None)


for _name in ("cumsum", "sum", "flip"):
    for _key in ("CPU", "CUDA"):
        _lib.impl(_name, globals()["_%s_kernel" % _name], _key)


# What a compiler is told: extents may be symbols.
@torch.library.register_fake("scanbench::cumsum")
def _cumsum_fake(x, dim, reverse=False, exclusive=False, mask=None):
    _no_tangents()
    dtype_of(x)
    normal_dim(dim, x.dim())
    return x.new_empty(x.shape)


@torch.library.register_fake("scanbench::sum")
def _sum_fake(x, dim, keepdim=False, mask=None):
    _no_tangents()
    dtype_of(x)
    return x.new_empty(sum_shape(tuple(x.shape), dim, keepdim))


@torch.library.register_fake("scanbench::flip")
def _flip_fake(x, dim):
    _no_tangents()
    dtype_of(x)
    normal_dim(dim, x.dim())
    return x.new_empty(x.shape)


# Gradients, by the same operations, so that they have gradients, too.
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


for _name in ("cumsum", "sum", "flip"):
    torch.library.register_autograd(
        "scanbench::" + _name, globals()[_name + "_backward"],
        setup_context=globals()[_name + "_context"], lib=_lib)


# A batch is one dim more in front.
def vmapped(op, mask_at):
    def rule(info, in_dims, *arguments):
        arguments = list(arguments)
        x, at = arguments[0], in_dims[0]
        x = (x.movedim(at, 0) if at is not None
             else x.expand((info.batch_size,) + tuple(x.shape)))
        lonely = x.dim() == 1  # a batch of tensors without dims
        if lonely:
            x = x.unsqueeze(1)
        arguments[0] = x
        arguments[1] = normal_dim(arguments[1], x.dim() - 1) + 1
        # What is as by default does not come. A mask without a batch broadcasts.
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


for _name, _mask_at in (("cumsum", 4), ("sum", 3), ("flip", None)):
    torch.library.register_vmap(
        "scanbench::" + _name,
        vmapped(getattr(torch.ops.scanbench, _name), _mask_at), lib=_lib)
