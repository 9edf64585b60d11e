# SPDX-License-Identifier: MIT
"""Tensors of torch: at once where nobody looks on, as torch.ops.scanbench for
autograd, torch.compile, vmap and the rest."""
import torch

from ._library import (BF16, CUMSUM, EXCLUSIVE, F16, F32, F64, FLIP, HOST,
                       MASKED, REVERSE, SUM, check, launch, normal_dim, plan,
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


def _ready_mask(mask, x):
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
    if out.requires_grad and _grad():
        raise ValueError("scanbench: out= has no gradient")


def _overlap(x, out):
    first, second = x.data_ptr(), out.data_ptr()
    return (first < second + out.numel() * out.element_size()
            and second < first + x.numel() * x.element_size())


def _run(op, x, dim, mask, out, shape=None):
    """shape: the output's where it is not x's."""
    dtype = _DTYPES.get(x.dtype)
    if dtype is None:
        dtype_of(x)
    if not x.is_contiguous():
        x = x.contiguous()
    if mask is not None:
        mask = _ready_mask(mask, x)
    device = x.get_device()
    if device >= 0 and not x.is_cuda:
        raise TypeError("scanbench: no kernels for " + str(x.device))
    address, bytes_, _ = plan(op, dtype, x.shape, dim, device)
    if out is not None:
        _ready_out(out, x, x.shape if shape is None else shape)
        x = x.clone() if _overlap(x, out) else x
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


def _op_of(reverse, exclusive, mask):
    return (CUMSUM | (REVERSE if reverse else 0)
            | (EXCLUSIVE if exclusive else 0)
            | (MASKED if mask is not None else 0))


def _watched(x, mask):
    """Somebody wants to see the operation: it goes through the dispatcher."""
    return (type(x) not in _PLAIN or (x.requires_grad and _grad())
            or _transforms() or _modes() or x.is_meta
            or (mask is not None and type(mask) is not torch.Tensor))


# --------------------------------------------------------------- public
def cumsum(x, dim, reverse=False, exclusive=False, mask=None, out=None):
    if out is None and (_compiling() or _watched(x, mask)):
        return torch.ops.scanbench.cumsum(x, dim, reverse, exclusive, mask)
    return _run(_op_of(reverse, exclusive, mask), x, dim, mask, out)


def sum(x, dim, keepdim=False, mask=None, out=None):
    if out is None and (_compiling() or _watched(x, mask)):
        return torch.ops.scanbench.sum(x, dim, keepdim, mask)
    return _run(SUM | (MASKED if mask is not None else 0), x, dim, mask, out,
                sum_shape(tuple(x.shape), dim, keepdim))


def flip(x, dim, out=None):
    if out is None and (_compiling() or _watched(x, None)):
        return torch.ops.scanbench.flip(x, dim)
    return _run(FLIP, x, dim, None, out)


# ------------------------------------------------------- torch.ops.scanbench
_lib = torch.library.Library("scanbench", "DEF")
_lib.define("cumsum(Tensor x, int dim, bool reverse=False, "
            "bool exclusive=False, Tensor? mask=None) -> Tensor")
_lib.define("sum(Tensor x, int dim, bool keepdim=False, Tensor? mask=None) "
            "-> Tensor")
_lib.define("flip(Tensor x, int dim) -> Tensor")


def _cumsum_kernel(x, dim, reverse=False, exclusive=False, mask=None):
    return _run(_op_of(reverse, exclusive, mask), x, dim, mask, None)


def _sum_kernel(x, dim, keepdim=False, mask=None):
    return _run(SUM | (MASKED if mask is not None else 0), x, dim, mask, None,
                sum_shape(tuple(x.shape), dim, keepdim))


def _flip_kernel(x, dim):
    return _run(FLIP, x, dim, None, None)


for _name in ("cumsum", "sum", "flip"):
    for _key in ("CPU", "CUDA"):
        _lib.impl(_name, globals()["_%s_kernel" % _name], _key)


# What a compiler is told: extents may be symbols.
@torch.library.register_fake("scanbench::cumsum")
def _cumsum_fake(x, dim, reverse=False, exclusive=False, mask=None):
    dtype_of(x)
    normal_dim(dim, x.dim())
    return x.new_empty(x.shape)


@torch.library.register_fake("scanbench::sum")
def _sum_fake(x, dim, keepdim=False, mask=None):
    dtype_of(x)
    return x.new_empty(sum_shape(tuple(x.shape), dim, keepdim))


@torch.library.register_fake("scanbench::flip")
def _flip_fake(x, dim):
    dtype_of(x)
    normal_dim(dim, x.dim())
    return x.new_empty(x.shape)


# Gradients, by the same operations, so that they have gradients, too.
def _selected(grad, mask):
    return grad if mask is None else torch.where(mask != 0, grad, 0)


def _cumsum_context(ctx, inputs, output):
    _, ctx.dim, ctx.reverse, ctx.exclusive, mask = inputs
    ctx.save_for_backward(mask)


def _cumsum_backward(ctx, grad):
    mask, = ctx.saved_tensors
    grad = torch.ops.scanbench.cumsum(grad, ctx.dim, not ctx.reverse,
                                      ctx.exclusive, None)
    return _selected(grad, mask), None, None, None, None


def _sum_context(ctx, inputs, output):
    x, ctx.dim, ctx.keepdim, mask = inputs
    ctx.shape = x.shape
    ctx.save_for_backward(mask)


def _sum_backward(ctx, grad):
    mask, = ctx.saved_tensors
    if len(ctx.shape) and not ctx.keepdim:
        grad = grad.unsqueeze(normal_dim(ctx.dim, len(ctx.shape)))
    return _selected(grad.expand(ctx.shape), mask), None, None, None


def _flip_context(ctx, inputs, output):
    _, ctx.dim = inputs


def _flip_backward(ctx, grad):
    return torch.ops.scanbench.flip(grad, ctx.dim), None


for _name in ("cumsum", "sum", "flip"):
    torch.library.register_autograd(
        "scanbench::" + _name, globals()["_%s_backward" % _name],
        setup_context=globals()["_%s_context" % _name], lib=_lib)


# A batch is one dim more in front.
def _batched(info, at, x):
    """Of a tensor, batched or not, with the batch in front."""
    if x is None:
        return None
    if at is None:
        return x.unsqueeze(0).expand((info.batch_size,) + tuple(x.shape))
    return x.movedim(at, 0)


def _vmapped(op, mask_at):
    def rule(info, in_dims, *arguments):
        arguments = list(arguments)
        x = _batched(info, in_dims[0], arguments[0])
        lonely = x.dim() == 1  # a batch of tensors without dims
        if lonely:
            x = x.unsqueeze(1)
        arguments[0] = x
        arguments[1] = normal_dim(arguments[1], x.dim() - 1) + 1
        # What is as by default does not come.
        if (mask_at and len(arguments) > mask_at
                and arguments[mask_at] is not None):
            mask = _batched(info, in_dims[mask_at], arguments[mask_at])
            arguments[mask_at] = mask.unsqueeze(1) if lonely else mask
        result = op(*arguments)
        if lonely and result.dim() > 1:
            result = result.squeeze(1)
        return result, 0
    return rule


for _name, _mask_at in (("cumsum", 4), ("sum", 3), ("flip", None)):
    torch.library.register_vmap(
        "scanbench::" + _name,
        _vmapped(getattr(torch.ops.scanbench, _name), _mask_at), lib=_lib)
