# SPDX-License-Identifier: MIT
"""Arrays of NumPy on the host, and of CuPy on a GPU."""
import sys

import numpy

from ._library import DTYPES, HOST, check, gives_long, launch, no_kernels, plan
from ._ops import MASKED

# ml_dtypes has bfloat16, NumPy has not.
_DTYPES = {numpy.dtype(name): k for name, k in DTYPES.items() if name != "bfloat16"}


def _address(x):
    return x.__array_interface__["data"][0] if isinstance(x, numpy.ndarray) else x.data.ptr


def _usable(x):
    return x.flags.c_contiguous and getattr(x.flags, "aligned", True)


def _dtype_of(x):
    dtype = _DTYPES.get(x.dtype)
    if dtype is None:
        if x.dtype.name != "bfloat16":
            raise no_kernels(x.dtype)
        dtype = _DTYPES[x.dtype] = DTYPES["bfloat16"]
    return dtype


def seen(x):
    """Returns the type, shape and device of an array, for a plan."""
    x = numpy.asarray(x) if isinstance(x, numpy.generic) else x
    device = HOST if isinstance(x, numpy.ndarray) else x.device.id
    return _dtype_of(x), x.shape, device


def _ready_mask(xp, mask, x):
    mask = xp.broadcast_to(mask, x.shape)
    if mask.dtype != bool:
        mask = mask != 0
    return mask if mask.flags.c_contiguous else mask.copy(order="C")


def _run_there(xp, op, x, dim, keepdim, mask, out):
    dtype, _, device = seen(x)
    if not _usable(x):
        x = x.copy(order="C")
    if mask is not None:
        mask = _ready_mask(xp, mask, x)
    address, bytes_, shape, _ = plan(op, dtype, x.shape, dim, keepdim, device)
    out_dtype = numpy.dtype("int64") if gives_long(op, dtype) else x.dtype
    if out is None:
        out = xp.empty(shape, dtype=out_dtype)
    elif (not isinstance(out, xp.ndarray) or out.shape != shape or
          out.dtype != out_dtype or not _usable(out)
          or not getattr(out.flags, "writeable", True)):
        raise ValueError("scanbench: out must be an array of %s like x, %s of %s, "
                         "contiguous and writeable"
                         % (xp.__name__, shape, out_dtype))
    else:
        if xp.may_share_memory(x, out):
            x = x.copy(order="C")
        if mask is not None and xp.may_share_memory(mask, out):
            mask = mask.copy(order="C")
    workspace = None
    if bytes_:
        room = xp.empty(bytes_ + 256, dtype="uint8")
        workspace = (_address(room) + 255) // 256 * 256
    stream = None if xp is numpy else xp.cuda.get_current_stream().ptr
    error = launch(address, _address(x), None if mask is None else _address(mask),
                   _address(out), workspace, stream)
    if error:
        check(error, device)
    return out


def run(op, x, dim, keepdim, mask, out):
    if isinstance(x, numpy.generic):
        x = numpy.asarray(x)
    if mask is not None:
        op |= MASKED
    if isinstance(x, numpy.ndarray):
        return _run_there(numpy, op, x, dim, keepdim, mask, out)
    with x.device:
        return _run_there(sys.modules["cupy"], op, x, dim, keepdim, mask, out)
