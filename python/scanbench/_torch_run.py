# SPDX-License-Identifier: MIT
"""Checks tensors of torch, and launches on the current stream."""
import torch
from torch.autograd import forward_ad

from ._library import DTYPES, check, launch, no_kernels, plan
from ._ops import DETERMINISTIC, MASKED, other_device

_DTYPES = {getattr(torch, name): k for name, k in DTYPES.items()}
transforms = torch._C._are_functorch_transforms_active
grad_mode = torch.is_grad_enabled
_deterministic = torch._C._get_deterministic_algorithms
_current_device = getattr(torch._C, "_cuda_getDevice", None)
_raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)


def dtype_of(x):
    dtype = _DTYPES.get(x.dtype)
    if dtype is None:
        raise no_kernels(x.dtype)
    return dtype


def seen(x):
    """Returns the type, shape and device of a tensor, for a plan."""
    return dtype_of(x), x.shape, x.get_device()


def demanded(op):
    """Returns op with the contract that torch.use_deterministic_algorithms() demands."""
    return op | DETERMINISTIC if torch.are_deterministic_algorithms_enabled() else op


def of_torch(what, it):
    if not isinstance(it, torch.Tensor):
        raise TypeError(f"scanbench: x is a tensor of torch, so its {what} must be one, too, not "
                        + type(it).__name__)


def _ready_mask(mask, x):
    of_torch("mask", mask)
    if mask.dtype is not torch.bool:
        mask = mask != 0
    if mask.device != x.device:
        raise other_device("mask is", mask, x)
    if mask.shape != x.shape:
        mask = mask.expand(x.shape)
    return mask.contiguous()


def no_derivatives(out, *inputs):
    """Raises if out would lose derivatives, like torch's own functions with out=."""
    of_torch("out", out)
    if ((grad_mode() and any(it.requires_grad for it in (out, *inputs))) or transforms()
            or (forward_ad._current_level >= 0 and any(
                forward_ad.unpack_dual(it).tangent is not None for it in inputs))):
        raise RuntimeError("scanbench: out= has no derivatives: omit it, or use x.detach()")


def needs_memory(x, device):
    if not (x.is_cpu if device < 0 else x.is_cuda):
        raise TypeError(f"scanbench: no kernels for {x.device}: a tensor needs memory on the host "
                        "or on a GPU of CUDA")


def overlap(x, out):
    first, second = x.data_ptr(), out.data_ptr()
    return (first < second + out.numel() * out.element_size()
            and second < first + x.numel() * x.element_size())


def run_into(call, planned, inputs, dtype, out):
    """Launches with contiguous inputs, the first not None, into out or a new tensor."""
    address, bytes_, shape, strides, *_ = planned
    x, device = inputs[0], inputs[0].get_device()
    needs_memory(x, device)
    if out is None:
        out = x.new_empty_strided(shape, strides, dtype=dtype)
    else:
        if out.dtype != dtype or out.device != x.device or out.shape != shape:
            raise ValueError(f"scanbench: out must be {tuple(shape)} of {dtype} on {x.device}")
        if not out.is_contiguous():
            raise ValueError("scanbench: out must be contiguous")
        if out.is_neg():
            return out.copy_(run_into(call, planned, inputs, dtype, None))
        inputs = [it.clone() if it is not None and overlap(it, out) else it for it in inputs]
    others = (None if it is None else it.data_ptr() for it in inputs[1:])
    return launch_on(call, address, bytes_, inputs[0], others, out, device)


def run(op, x, dim, keepdim, mask, out, max_error):
    """Runs on checked or copied inputs. Calls are most of a small tensor's time."""
    if _deterministic():
        op |= DETERMINISTIC
    dtype = _DTYPES.get(x.dtype)
    if dtype is None:
        dtype_of(x)
    if out is not None:
        no_derivatives(out, x)
    if x.is_neg():  # a lazily negated view
        x = x.resolve_neg()
    if not x.is_contiguous():
        x = x.contiguous()
    if mask is not None:
        mask = _ready_mask(mask, x)
        op |= MASKED
    device = x.get_device()
    if not x.is_cuda:
        needs_memory(x, device)
    planned = plan(op, dtype, x.shape, dim, keepdim, device, max_error)
    address, bytes_, shape, strides, long, _ = planned
    if out is not None:
        return run_into(launch, planned, (x, mask), torch.int64 if long else x.dtype, out)
    # Faster than new_empty().
    out = (x.new_empty_strided(shape, strides, dtype=torch.int64) if long
           else x.new_empty_strided(shape, strides))
    mask_at = None if mask is None else mask.data_ptr()
    if bytes_ or (device >= 0 and _current_device() != device):
        return launch_on(launch, address, bytes_, x, (mask_at,), out, device)
    # launch_on() without a workspace, on the current device:
    error = launch(address, x.data_ptr(), mask_at, out.data_ptr(), None,
                   _raw_stream(device) if device >= 0 else None)
    if error:
        check(error, device)
    return out


def launch_on(call, address, bytes_, x, others, out, device):
    if device >= 0 and _current_device() != device:
        with torch.cuda.device(device):
            return launch_on(call, address, bytes_, x, others, out, device)
    workspace = None
    if bytes_:
        # On a GPU the allocator aligns to 256 bytes, and respects stream order.
        room = torch.empty(bytes_ + (256 if device < 0 else 0),
                           dtype=torch.uint8, device=x.device)
        workspace = (room.data_ptr() + 255) // 256 * 256
    error = call(address, x.data_ptr(), *others, out.data_ptr(), workspace,
                 _raw_stream(device) if device >= 0 else None)
    if error:
        check(error, device)
    return out
