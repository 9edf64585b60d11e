# SPDX-License-Identifier: MIT
"""Tensors of torch: launched directly (_torch_run.py), unless autograd, a transform or a
compiler must record the operation (_torch_func.py)."""
import torch
from torch.autograd import forward_ad

if not hasattr(torch.library, "register_vmap"):
    raise ImportError(f"scanbench: torch {torch.__version__} is too old: 2.5 or newer is needed")

from ._torch_func import shown  # noqa: E402
from ._torch_ragged import ragged as ragged_directly, shown_ragged  # noqa: E402
from ._torch_recurrence import recur as recur_directly, shown_recurrence  # noqa: E402
from ._torch_run import (demanded, grad_mode, run as run_directly,  # noqa: E402,F401
                         seen, transforms)

_PLAIN = (torch.Tensor, torch.nn.Parameter)
_compiling = torch.compiler.is_compiling
_modes = torch._C._len_torch_dispatch_stack
_traced = torch._C._get_tracing_state


def _watched(x, mask):
    """Returns True if autograd, a transform, a mode or torch.jit must record the operation."""
    return (type(x) not in _PLAIN or (x.requires_grad and grad_mode())
            or transforms() or _modes() or _traced()
            or forward_ad._current_level >= 0 or x.is_meta
            or (mask is not None and type(mask) is not torch.Tensor))


def recur(op, a, b, initial, out, dim, max_error):
    if out is None and (_compiling() or any(
            it is not None and _watched(it, None) for it in (a, b, initial))):
        return shown_recurrence(op, a, b, dim, initial, max_error)
    return recur_directly(op, a, b, initial, out, dim, max_error)


def ragged(op, x, offsets, out):
    if out is None and (_compiling() or _watched(x, offsets)):
        return shown_ragged(op, x, offsets)
    return ragged_directly(op, x, offsets, out)


def run(op, x, dim, keepdim, mask, out, max_error):
    if out is None and (_compiling() or _watched(x, mask)):
        return shown(op, x, dim, keepdim, mask, max_error)
    return run_directly(op, x, dim, keepdim, mask, out, max_error)
