# SPDX-License-Identifier: MIT
"""torch.ops.scanbench for compilers, and derivatives and torch.func's transforms. Each
operation is linear in x, so its tangent is the same operation on the tangent of x,
which torch.library cannot register."""
import torch
from torch.autograd import forward_ad

from ._library import FLIP, MASKED, SUM, normal_dim, one_dim, op_of, sum_shape
from ._torch_run import dtype_of, of_torch, run

# The arguments behind (Tensor x, int dim) with their defaults; a mask is the last.
OTHERS = {"cumsum": {"bool reverse": False, "bool exclusive": False, "Tensor? mask": None},
          "sum": {"bool keepdim": False, "Tensor? mask": None},
          "flip": {}}


def shown(name, x, dim, *others):
    """Calls the operation, for a compiler without derivatives in forward mode."""
    if torch.compiler.is_compiling():
        return getattr(torch.ops.scanbench, name)(x, dim, *others)
    if others and others[-1] is not None:
        of_torch("mask", others[-1])
    return FUNCTIONS[name].apply(x, one_dim(dim), *others)


def no_tangents():
    """Raises if tangents would be lost, as outside of FUNCTIONS."""
    if forward_ad._current_level >= 0 and torch._C._is_fwd_grad_enabled():
        raise NotImplementedError(
            "scanbench: torch.ops.scanbench has no forward-mode derivatives: "
            "call scanbench.cumsum, sum or flip, without fullgraph=True")


def split(name, others):
    """Returns the flags and the mask; torch does not pass defaults."""
    others = others + tuple(OTHERS[name].values())[len(others):]
    return others[:-1], others[-1] if others else None


def kernel_of(name):
    def kernel(x, dim, *others):
        no_tangents()
        flags, mask = split(name, others)
        if name == "cumsum":
            return run(op_of(*flags, mask), x, dim, mask, None)
        if name == "flip":
            return run(FLIP, x, dim, None, None)
        return run(SUM | (MASKED if mask is not None else 0), x, dim, mask, None,
                   sum_shape(tuple(x.shape), dim, *flags))
    return kernel


def fake_of(name):
    """Makes empty results for compilers; extents may be symbolic."""
    def fake(x, dim, *others):
        no_tangents()
        dtype_of(x)
        flags, _ = split(name, others)
        normal_dim(dim, x.dim())
        return x.new_empty(sum_shape(tuple(x.shape), dim, *flags) if name == "sum"
                           else x.shape)
    return fake


def context_of(name):
    def context(ctx, inputs, output):
        x, ctx.dim, *others = inputs
        ctx.flags, mask = split(name, tuple(others))
        ctx.shape = x.shape
        ctx.save_for_backward(mask)
        ctx.save_for_forward(mask)
    return context


def backward_of(name):
    """Uses the same operations, so that gradients are differentiable, too."""
    def backward(ctx, grad):
        mask, = ctx.saved_tensors
        if name == "cumsum":
            reverse, exclusive = ctx.flags
            grad = shown(name, grad, ctx.dim, not reverse, exclusive, None)
        elif name == "flip":
            grad = shown(name, grad, ctx.dim)
        else:
            if len(ctx.shape) and not ctx.flags[0]:
                grad = grad.unsqueeze(normal_dim(ctx.dim, len(ctx.shape)))
            grad = grad.expand(ctx.shape)
        if mask is not None:
            grad = torch.where(mask != 0, grad, 0)
        return (grad, None) + (None,) * len(OTHERS[name])
    return backward


def vmap_of(name, op):
    """Makes the batch the first dim."""
    mask_at = 1 + len(OTHERS[name]) if OTHERS[name] else None

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


def function_of(name):
    class Linear(torch.autograd.Function):
        setup_context = staticmethod(context_of(name))
        backward = staticmethod(backward_of(name))
        vmap = staticmethod(vmap_of(name, lambda *arguments: shown(name, *arguments)))

        @staticmethod
        def forward(x, dim, *others):
            return getattr(torch.ops.scanbench, name)(x, dim, *others)

        @staticmethod
        def jvp(ctx, tangent, *_):
            others = ctx.flags + ctx.saved_tensors if OTHERS[name] else ()
            return shown(name, tangent, ctx.dim, *others)
    return Linear


FUNCTIONS = {name: function_of(name) for name in OTHERS}
library = torch.library.Library("scanbench", "DEF")
for _name, _others in OTHERS.items():
    _words = "".join(", %s=%s" % one for one in _others.items())
    library.define("%s(Tensor x, int dim%s) -> Tensor" % (_name, _words))
    for _key in ("CPU", "CUDA"):
        library.impl(_name, kernel_of(_name), _key)
    torch.library.register_fake("scanbench::" + _name, fake_of(_name), lib=library)
    torch.library.register_autograd("scanbench::" + _name, backward_of(_name),
                                    setup_context=context_of(_name), lib=library)
    torch.library.register_vmap(
        "scanbench::" + _name, vmap_of(_name, getattr(torch.ops.scanbench, _name)),
        lib=library)
