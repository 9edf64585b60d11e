# SPDX-License-Identifier: MIT
"""Tensors of torch: at once where nobody looks on, or else by way of
torch.ops.scanbench (_torch_ops.py) and its derivatives (_torch_func.py)."""
import torch
from torch.autograd import forward_ad

if not hasattr(torch.library, "register_vmap"):
    raise ImportError("scanbench: torch %s is too old: 2.5 is the first that serves"
                      % torch.__version__)

from ._library import (BF16, CUMSUM, EXCLUSIVE, F16, F32, F64, FLIP,  # noqa: E402
                       MASKED, REVERSE, SUM, check, launch, one_dim, plan,
                       sum_shape)

_DTYPES = {torch.float32: F32, torch.float64: F64, torch.float16: F16,
           torch.bfloat16: BF16}
_PLAIN = (torch.Tensor, torch.nn.Parameter)
_compiling = torch.compiler.is_compiling
_transforms = torch._C._are_functorch_transforms_active
_modes = torch._C._len_torch_dispatch_stack
_grad = torch.is_grad_enabled
_current_device = getattr(torch._C, "_cuda_getDevice", None)
_raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)


def dtype_of(x):
    dtype = _DTYPES.get(x.dtype)
    if dtype is None:
        raise TypeError("scanbench: no kernels for %s: float32, float64, "
                        "float16 and bfloat16 there are" % x.dtype)
    return dtype


def _of_torch(what, it):
    if not isinstance(it, torch.Tensor):
        raise TypeError("scanbench: x is a tensor of torch, and its %s must be one, "
                        "too: it is %s" % (what, type(it).__name__))


def _ready_mask(mask, x):
    _of_torch("mask", mask)
    if mask.dtype is not torch.bool:
        mask = mask != 0
    if mask.device != x.device:
        raise ValueError("scanbench: the mask is on %s, x on %s"
                         % (mask.device, x.device))
    if mask.shape != x.shape:
        mask = mask.expand(x.shape)
    return mask.contiguous()


def _ready_out(out, x, shape):
    if out.dtype != x.dtype or out.device != x.device or out.shape != shape:
        raise ValueError("scanbench: out must be %s of %s on %s"
                         % (tuple(shape), x.dtype, x.device))
    if not out.is_contiguous():
        raise ValueError("scanbench: out must be contiguous")


def _no_derivatives(x, out):
    """As of torch's own functions with out=: they would be lost."""
    if ((_grad() and (x.requires_grad or out.requires_grad)) or _transforms()
            or (forward_ad._current_level >= 0
                and forward_ad.unpack_dual(x).tangent is not None)):
        raise RuntimeError("scanbench: out= has no derivatives: leave it away, or "
                           "x.detach() first")


def _overlap(x, out):
    first, second = x.data_ptr(), out.data_ptr()
    return (first < second + out.numel() * out.element_size()
            and second < first + x.numel() * x.element_size())


def run(op, x, dim, mask, out, shape=None):
    """shape: the output's where it is not x's."""
    dtype = _DTYPES.get(x.dtype)
    if dtype is None:
        dtype_of(x)
    if out is not None:
        _of_torch("out", out)
        _no_derivatives(x, out)
    if x.is_neg():  # a view that promises another sign than its memory has
        x = x.resolve_neg()
    if not x.is_contiguous():
        x = x.contiguous()
    if mask is not None:
        mask = _ready_mask(mask, x)
    device = x.get_device()
    if not (x.is_cpu if device < 0 else x.is_cuda):
        raise TypeError("scanbench: no kernels for %s: a tensor needs memory on "
                        "the host or on a GPU of CUDA" % x.device)
    address, bytes_, _ = plan(op, dtype, x.shape, dim, device)
    if out is not None:
        _ready_out(out, x, x.shape if shape is None else shape)
        if out.is_neg():
            return out.copy_(run(op, x, dim, mask, None, shape))
        x = x.clone() if _overlap(x, out) else x
        if mask is not None and _overlap(mask, out):
            mask = mask.clone()
    elif shape is None:
        out = torch.empty_like(x)
    else:
        out = x.new_empty(shape)
    if device >= 0 and _current_device() != device:
        with torch.cuda.device(device):
            _launch(address, bytes_, x, mask, out, device)
    else:
        _launch(address, bytes_, x, mask, out, device)
    return out


def _launch(address, bytes_, x, mask, out, device):
    workspace = None
    if bytes_:
        # On a GPU the allocator aligns so, and keeps to the order of streams.
        room = torch.empty(bytes_ + (256 if device < 0 else 0),
                           dtype=torch.uint8, device=x.device)
        workspace = (room.data_ptr() + 255) // 256 * 256
    error = launch(address, x.data_ptr(),
                   None if mask is None else mask.data_ptr(), out.data_ptr(),
                   workspace, _raw_stream(device) if device >= 0 else None)
    if error:
        check(error, device)


def op_of(reverse, exclusive, mask):
    return (CUMSUM | (REVERSE if reverse else 0)
            | (EXCLUSIVE if exclusive else 0)
            | (MASKED if mask is not None else 0))


def _watched(x, mask):
    """Somebody wants to see the operation."""
    return (type(x) not in _PLAIN or (x.requires_grad and _grad())
            or _transforms() or _modes()
            or forward_ad._current_level >= 0 or x.is_meta
            or (mask is not None and type(mask) is not torch.Tensor))


def shown(name, x, dim, *others):
    """To a compiler as one operator, to others with all of its derivatives."""
    if _compiling():
        return getattr(torch.ops.scanbench, name)(x, dim, *others)
    if others and others[-1] is not None:
        _of_torch("mask", others[-1])
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
