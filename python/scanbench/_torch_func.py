# SPDX-License-Identifier: MIT
"""Scans, reductions and flips as operators of torch. The tangent of a linear operation is
the same operation on the tangent of x; the others have no forward mode."""
import torch

from ._dims import EXTREMES, ends_of, no_elements, normal_dim, one_dim, reduced_shape, refuse_empty
from ._library import gives_long
from ._ops import (CONTRACTS, DETERMINISTIC, EXCLUSIVE, NAMES, REDUCTIONS, REVERSE, SCANS,
                   demanding, flags, known_dim, name_of, refuse_integers)
from ._torch_operator import no_tangents, operator
from ._torch_rules import GRADIENTS, IDENTITIES, OTHERS, batched
from ._torch_run import demanded, dtype_of, of_torch, run

LINEAR = ("cumsum", "sum", "mean", "flip")


def call(name, x, dim, *others):
    if not torch.compiler.is_compiling():
        dim = one_dim(dim)
        if others and others[-3] is not None:
            of_torch("mask", others[-3])
    return CALLS[name](x, dim, *others)


def shown(op, x, dim, keepdim, mask, max_error):
    name, dim = name_of(op), known_dim(op, dim)
    kept = demanded(op) & CONTRACTS, max_error
    if name == "flip":
        return call(name, x, dim)
    if name in SCANS:
        return call(name, x, dim, bool(op & REVERSE), bool(op & EXCLUSIVE), mask, *kept)
    if name.startswith("arg"):
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
    """Returns flags, mask, and contracts with the error bound; torch passes no defaults."""
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
        return x.new_empty(reduced_shape(tuple(x.shape), at, at, keepdim), dtype=dtype)
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
    """Gradients use these operations, too, deterministic if a contract was demanded."""
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


def tangent_of(name):
    def tangent(ctx, tangent, *_):
        others = ctx.flags + ctx.saved_tensors[:1] + ctx.kept if OTHERS[name] else ()
        return call(name, tangent, ctx.dim, *others)
    return tangent if name in LINEAR else None


CALLS = {name: operator(
    name, "Tensor x, int dim" + "".join(f", {word}={default}" for word, default in others.items()),
    kernel_of(name), fake_of(name), context_of(name), backward_of(name),
    lambda call, count=len(others): batched(call, count), tangent_of(name))
    for name, others in OTHERS.items()}
