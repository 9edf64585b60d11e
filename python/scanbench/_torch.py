# SPDX-License-Identifier: MIT
"""Tensors of torch: at once where nobody looks on (_torch_run.py), or else by way
of torch.ops.scanbench (_torch_ops.py) and its derivatives (_torch_func.py)."""
import torch
from torch.autograd import forward_ad

if not hasattr(torch.library, "register_vmap"):
    raise ImportError("scanbench: torch %s is too old: 2.5 is the first that serves"
                      % torch.__version__)

from ._library import FLIP, MASKED, SUM, one_dim, sum_shape  # noqa: E402
from ._torch_run import (grad_mode, of_torch, op_of, run,  # noqa: E402
                         transforms)

_PLAIN = (torch.Tensor, torch.nn.Parameter)
_compiling = torch.compiler.is_compiling
_modes = torch._C._len_torch_dispatch_stack


def _watched(x, mask):
    """Somebody wants to see the operation."""
    return (type(x) not in _PLAIN or (x.requires_grad and grad_mode())
            or transforms() or _modes()
            or forward_ad._current_level >= 0 or x.is_meta
            or (mask is not None and type(mask) is not torch.Tensor))


def shown(name, x, dim, *others):
    """To a compiler as one operator, to others with all of its derivatives."""
    if _compiling():
        return getattr(torch.ops.scanbench, name)(x, dim, *others)
    if others and others[-1] is not None:
        of_torch("mask", others[-1])
    return _torch_func.FUNCTIONS[name].apply(x, one_dim(dim), *others)


# --------------------------------------------------------------- public
def cumsum(x, dim, reverse=False, exclusive=False, mask=None, out=None):
    if out is None and (_compiling() or _watched(x, mask)):
        return shown("cumsum", x, dim, reverse, exclusive, mask)
    return run(op_of(reverse, exclusive, mask), x, dim, mask, out)


def sum(x, dim, keepdim=False, mask=None, out=None):
    if out is None and (_compiling() or _watched(x, mask)):
        return shown("sum", x, dim, keepdim, mask)
    return run(SUM | (MASKED if mask is not None else 0), x, dim, mask, out,
                sum_shape(tuple(x.shape), dim, keepdim))


def flip(x, dim, out=None):
    if out is None and (_compiling() or _watched(x, None)):
        return shown("flip", x, dim)
    return run(FLIP, x, dim, None, out)


from . import _torch_func  # noqa: E402: it registers torch.ops.scanbench, too
