# SPDX-License-Identifier: MIT
"""Ragged lines of torch's tensors: launches, the operator, gradients and vmap."""
import torch

from ._library import gives_long, launch_ragged, plan
from ._ops import (CONTRACTS, DETERMINISTIC, REDUCTIONS, REVERSE, demanding, name_of, no_offsets,
                   other_device, ragged_op, refuse_integers, refuse_offsets)
from ._torch_operator import no_tangents, operator
from ._torch_run import demanded, dtype_of, no_derivatives, run_into, seen


def _checked(offsets, x):
    if not (isinstance(offsets, torch.Tensor) and offsets.dtype in (torch.int32, torch.int64)
            and offsets.dim() == 1 and offsets.shape[0] > 0):
        raise no_offsets(offsets, "a tensor")
    if offsets.device != x.device:
        raise other_device("offsets are", offsets, x)


def _out_dtype(op, x):
    return torch.int64 if gives_long(op, dtype_of(x)) else x.dtype


def ragged(op, x, offsets, out):
    """Runs on checked or copied inputs."""
    _checked(offsets, x)
    if out is not None:
        no_derivatives(out, x)
    if offsets.is_cpu:
        refuse_offsets(offsets, x.shape[0])
    dtype, shape, device = seen(x)
    planned = plan(demanded(op), dtype, shape, 0, False, device, None,
                   (offsets.shape[0] - 1, offsets.element_size()))
    inputs = x.resolve_neg().contiguous(), offsets.resolve_neg().contiguous()
    return run_into(launch_ragged, planned, inputs, _out_dtype(op, x), out)


def _per_row(results, offsets, rows):
    """Repeats each segment's results along its rows."""
    return results.repeat_interleave(offsets.diff(), 0, output_size=rows)


def _of_cumsum(ctx, grad, offsets):
    return call_ragged(grad, offsets, "cumsum", not ctx.reverse, ctx.kept)


def _of_mean(ctx, grad, offsets):
    lengths = offsets.diff().clamp(min=1).view(-1, *(1,) * (grad.dim() - 1))
    return _per_row(grad / lengths, offsets, ctx.rows)


def _of_amax(ctx, grad, offsets, x, y):
    """Spreads evenly over ties, as torch does."""
    wins = x == _per_row(y, offsets, ctx.rows)
    upto = torch.cat((wins.new_zeros(1, *x.shape[1:]), wins)).cumsum(0)  # of no float: exact
    ties = upto[offsets].diff(dim=0).to(torch.promote_types(x.dtype, torch.float32))
    return (_per_row(grad, offsets, ctx.rows) * wins
            / _per_row(ties, offsets, ctx.rows)).to(x.dtype)


def _of_cummax(ctx, grad, offsets, x, y):
    """Gives all to the last equal, as torch does. A segment's first row is a new maximum, so
    maxima's places ascend over all rows."""
    flipped = (0,) if ctx.reverse else ()
    x, y, grad = (it.flip(flipped) for it in (x, y, grad))
    rows = torch.arange(ctx.rows, device=x.device).view(-1, *(1,) * (x.dim() - 1))
    places = torch.where((x == y) | x.isnan(), rows, 0).cummax(0).values
    return torch.zeros_like(x).scatter_add(0, places, grad).flip(flipped)


_GRADIENTS = {"cumsum": _of_cumsum, "mean": _of_mean, "amax": _of_amax, "cummax": _of_cummax,
              "sum": lambda ctx, grad, offsets: _per_row(grad, offsets, ctx.rows)}


def shown_ragged(op, x, offsets):
    _checked(offsets, x)
    return call_ragged(x, offsets, name_of(op), bool(op & REVERSE), demanded(op) & CONTRACTS)


def _batched(op):
    """The rule of vmap: the batch becomes the first dim behind the offsets' one."""
    def rule(info, in_dims, x, offsets, *others):
        if in_dims[1] is not None:
            raise NotImplementedError("scanbench: no vmap over offsets: one vmap has the same "
                                      "segments in every example")
        return op(x.movedim(in_dims[0], 1), offsets, *others), 1
    return rule


def _context(ctx, inputs, output):
    x, offsets, ctx.name, ctx.reverse, contracts = inputs + (False, 0)[len(inputs) - 3:]
    ctx.rows, ctx.kept = x.shape[0], DETERMINISTIC if contracts else 0
    ctx.save_for_backward(offsets, *((x, output) if "max" in ctx.name else ()))


def _backward(ctx, grad):
    return _GRADIENTS[ctx.name](ctx, grad, *ctx.saved_tensors), None, None, None, None


def _op_of(name, reverse, contracts):
    return demanding(ragged_op(name) | (REVERSE if reverse else 0), contracts)


def _ragged(x, offsets, name, reverse=False, contracts=0):
    no_tangents()
    return ragged(_op_of(name, reverse, contracts), x, offsets, None)


def _fake_ragged(x, offsets, name, reverse=False, contracts=0):
    no_tangents()
    op = _op_of(name, reverse, contracts)
    _checked(offsets, x)
    refuse_integers(name, dtype_of(x))
    rows = offsets.shape[0] - 1 if name in REDUCTIONS else x.shape[0]
    return x.new_empty((rows, *x.shape[1:]), dtype=_out_dtype(op, x))


call_ragged = operator(
    "ragged", "Tensor x, Tensor offsets, str name, bool reverse=False, int contracts=0",
    _ragged, _fake_ragged, _context, _backward, _batched)
