# SPDX-License-Identifier: MIT
"""torch.ops.scanbench for compilers, and derivatives and torch.func's transforms. The
tangent of a linear operation is the same operation on the tangent of x, which
torch.library cannot register; the others have no forward mode."""
import torch

from ._library import gives_long, refuse_integers
from ._ops import (CONTRACTS, DETERMINISTIC, EXCLUSIVE, EXTREMES, NAMES, REDUCTIONS, REVERSE,
                   SCANS, demanding, ends_of, flags, gives_index, known_dim, name_of,
                   no_elements, normal_dim, one_dim, reduced_shape, refuse_empty)
from ._torch_rules import GRADIENTS, IDENTITIES, OTHERS, batched
from ._torch_run import demanded, dtype_of, no_tangents, of_torch, run

LINEAR = ("cumsum", "sum", "mean", "flip")


def call(name, x, dim, *others):
    """Calls the operation, for a compiler without derivatives in forward mode."""
    if torch.compiler.is_compiling():
        return getattr(torch.ops.scanbench, name)(x, dim, *others)
    if others and others[-3] is not None:
        of_torch("mask", others[-3])
    return FUNCTIONS[name].apply(x, one_dim(dim), *others)


def shown(op, x, dim, keepdim, mask, max_error):
    name, dim = name_of(op), known_dim(op, dim)
    kept = demanded(op) & CONTRACTS, max_error
    if name == "flip":
        return call(name, x, dim)
    if name in SCANS:
        return call(name, x, dim, bool(op & REVERSE), bool(op & EXCLUSIVE), mask, *kept)
    if gives_index(op):
        x = x.detach()
    if type(dim) is int:
        return call(name, x, dim, keepdim, mask, *kept)
    first, last = ends_of(dim, x.dim())
    if not torch.compiler.is_compiling():  # extents may be symbols
        refuse_empty(name, tuple(x.shape), dim)
    if mask is not None:
        of_torch("mask", mask)
        mask = mask.expand(x.shape).flatten(first, last)
    reduced = call(name, x.flatten(first, last), first, False, mask, *kept)
    return reduced.reshape(reduced_shape(tuple(x.shape), first, last, keepdim))


def split(name, others):
    """Returns the flags, the mask, and the contracts with the error bound; torch does not
    pass defaults."""
    others = others + tuple(OTHERS[name].values())[len(others):]
    return (others[:-3], others[-3], others[-2:]) if others else ((), None, (0, None))


def kernel_of(name):
    def kernel(x, dim, *others):
        no_tangents()
        given, mask, (contracts, max_error) = split(name, others)
        op, keepdim = demanding(NAMES.index(name), contracts), False
        if name in REDUCTIONS:
            keepdim, = given
        elif name in SCANS:
            op |= flags(*given)
        return run(op, x, dim, keepdim, mask, None, max_error)
    return kernel


def fake_of(name):
    """Makes empty results for compilers; extents may be symbolic."""
    def fake(x, dim, *others):
        no_tangents()
        refuse_integers(name, dtype_of(x))
        dtype = torch.int64 if gives_long(NAMES.index(name), dtype_of(x)) else x.dtype
        at = normal_dim(dim, x.dim())
        if name not in REDUCTIONS:
            return x.new_empty(x.shape, dtype=dtype)
        if name in EXTREMES and x.dim():
            torch._check_index(x.shape[at] != 0, lambda: no_elements(name, dim, x.dim()))
        (keepdim,), *_ = split(name, others)
        return x.new_empty(reduced_shape(tuple(x.shape), at, at, keepdim),
                           dtype=dtype)
    return fake


def context_of(name):
    def context(ctx, inputs, output):
        x, ctx.dim, *others = inputs
        ctx.flags, mask, ctx.kept = split(name, tuple(others))
        ctx.shape = x.shape
        if name in LINEAR:
            ctx.save_for_backward(mask, None, None)
            ctx.save_for_forward(mask)
        else:
            ctx.save_for_backward(mask, x, output)
    return context


def backward_of(name):
    """Uses the same operations, so that gradients are differentiable, too; they are
    deterministic if a contract was demanded."""
    def backward(ctx, grad):
        mask, x, y = ctx.saved_tensors
        if name in REDUCTIONS and len(ctx.shape) and not ctx.flags[0]:
            at = normal_dim(ctx.dim, len(ctx.shape))
            grad = grad.unsqueeze(at)
            y = y if y is None else y.unsqueeze(at)
        if mask is not None and x is not None:
            x = torch.where(mask != 0, x, IDENTITIES[name])
        kept = DETERMINISTIC if ctx.kept[0] else 0, None

        def again(called, *arguments):
            return call(called, *arguments, *(kept if OTHERS[called] else ()))
        grad = GRADIENTS[name](again, ctx, grad, x, y)
        if mask is not None:
            grad = torch.where(mask != 0, grad, 0)
        return (grad, None) + (None,) * len(OTHERS[name])
    return backward


def function_of(name):
    class Function(torch.autograd.Function):
        setup_context = staticmethod(context_of(name))
        backward = staticmethod(backward_of(name))
        vmap = staticmethod(batched(lambda *arguments: call(name, *arguments),
                                    len(OTHERS[name])))

        @staticmethod
        def forward(x, dim, *others):
            return getattr(torch.ops.scanbench, name)(x, dim, *others)

    def tangent_of(ctx, tangent, *_):
        others = ctx.flags + ctx.saved_tensors[:1] + ctx.kept if OTHERS[name] else ()
        return call(name, tangent, ctx.dim, *others)
    if name in LINEAR:
        Function.jvp = staticmethod(tangent_of)
    return Function


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
        "scanbench::" + _name, batched(getattr(torch.ops.scanbench, _name), len(_others)),
        lib=library)
