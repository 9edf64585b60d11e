# SPDX-License-Identifier: MIT
"""Recurrences of torch's tensors: launches, the operator, gradients and vmap."""
import torch

from ._dims import normal_dim, one_dim, without_dim
from ._library import plan, recur as launch_recurrence
from ._ops import (CONTRACTS, DETERMINISTIC, RECURRENCE, REVERSE, demanding, of_shape,
                   refuse_integers)
from ._torch_operator import no_tangents, operator
from ._torch_rules import batched_recurrence
from ._torch_run import demanded, dtype_of, no_derivatives, of_torch, run_into, seen


def _seen(what, it, x, shape):
    """Returns b or initial, expanded to the shape."""
    of_torch(what, it)
    if it.dtype != x.dtype or it.device != x.device:
        raise TypeError(f"scanbench: {what} must be a tensor of {x.dtype} on {x.device}, like a")
    return of_shape(torch.Tensor.expand, what, it, shape)


def recur(op, a, b, initial, out, dim, max_error):
    """Runs the recurrence on checked or copied inputs."""
    dtype, shape, device = seen(a)
    b = _seen("b", b, a, shape).resolve_neg().contiguous()
    if initial is not None:
        initial = _seen("initial", initial, a, without_dim(shape, dim))
        initial = initial.resolve_neg().contiguous()
    if out is not None:
        no_derivatives(out, *(it for it in (a, b, initial) if it is not None))
    a = a.resolve_neg().contiguous()
    planned = plan(demanded(op), dtype, shape, dim, False, device, max_error)
    return run_into(launch_recurrence, planned, (a, b, initial), a.dtype, out)


def _backward(ctx, grad):
    """The gradient of b is the opposite recurrence of the output's, with a shifted by one."""
    a, h, initial = ctx.saved_tensors
    most = a.shape[ctx.dim] - 1
    if most < 0:
        none = None if initial is None else torch.zeros_like(initial)
        return a, grad, None, None, none, None, None
    # In order, the line's first and last; where all but the last, and but the first, begin.
    first, last, early, late = (most, 0, 1, 0) if ctx.reverse else (0, most, 0, 1)
    end = grad.narrow(ctx.dim, last, 1)
    of_b = call_recurrence(a.narrow(ctx.dim, late, most), grad.narrow(ctx.dim, early, most),
                           ctx.dim, not ctx.reverse, end.squeeze(ctx.dim),
                           DETERMINISTIC if ctx.asked else 0, None)
    of_b = torch.cat((end, of_b) if ctx.reverse else (of_b, end), ctx.dim)
    start = (torch.zeros_like(end) if initial is None
             else initial.expand(end.squeeze(ctx.dim).shape).unsqueeze(ctx.dim))
    before = h.narrow(ctx.dim, early, most)
    before = torch.cat((before, start) if ctx.reverse else (start, before), ctx.dim)
    of_initial = None
    if initial is not None:
        of_initial = (a.select(ctx.dim, first) * of_b.select(ctx.dim, first)
                      ).sum_to_size(initial.shape)
    return of_b * before, of_b, None, None, of_initial, None, None


def shown_recurrence(op, a, b, dim, initial, max_error):
    dim = one_dim(dim)
    others = bool(op & REVERSE), initial, demanded(op) & CONTRACTS, max_error
    for what, it in (("b", b), ("initial", initial)):
        if it is not None:
            of_torch(what, it)
    if a.dim():
        return call_recurrence(a, b, dim, *others)
    normal_dim(dim, 0)
    return call_recurrence(a[None], b[None], 0, *others)[0]


def _context(ctx, inputs, output):
    a, _, dim = inputs[:3]
    ctx.reverse, initial, ctx.asked, _ = inputs[3:] + (False, None, 0, None)[len(inputs) - 3:]
    ctx.dim = normal_dim(dim, a.dim())
    ctx.save_for_backward(a, output, initial)


def _recurrence(a, b, dim, reverse=False, initial=None, contracts=0, max_error=None):
    no_tangents()
    op = demanding(RECURRENCE | (REVERSE if reverse else 0), contracts)
    return recur(op, a, b, initial, None, dim, max_error)


def _fake_recurrence(a, b, dim, reverse=False, initial=None, *_):
    no_tangents()
    refuse_integers("recurrence", dtype_of(a))
    normal_dim(dim, a.dim())
    _seen("b", b, a, a.shape)
    if initial is not None:
        _seen("initial", initial, a, without_dim(a.shape, dim))
    return a.new_empty(a.shape)


call_recurrence = operator(
    "recurrence", "Tensor a, Tensor b, int dim, bool reverse=False, Tensor? initial=None, "
    "int contracts=0, float? max_error=None", _recurrence, _fake_recurrence, _context,
    _backward, batched_recurrence)
