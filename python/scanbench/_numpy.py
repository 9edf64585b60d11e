# SPDX-License-Identifier: MIT
"""Arrays of NumPy on the host, and of CuPy on a GPU."""
import contextlib
import sys

import numpy

from ._dims import without_dim
from ._library import (DTYPES, HOST, check, launch, launch_ragged, no_kernels,
                       plan, recur as launch_recurrence)
from ._ops import MASKED, no_offsets, of_shape, other_device, refuse_offsets

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
    on_host = isinstance(x, (numpy.ndarray, numpy.generic))
    return _dtype_of(x), x.shape, HOST if on_host else x.device.id


def _ready_mask(xp, mask, x):
    mask = xp.broadcast_to(mask, x.shape)
    if mask.dtype != bool:
        mask = xp.asarray(mask != 0)
    return mask if mask.flags.c_contiguous else mask.copy(order="C")


def _run_there(xp, call, op, x, others, dim, keepdim, out, max_error, segments=None):
    """Runs call() with x and the other inputs, which are contiguous or None."""
    dtype, _, device = seen(x)
    if not _usable(x):
        x = x.copy(order="C")
    address, bytes_, shape, _, long, _ = plan(op, dtype, x.shape, dim, keepdim, device,
                                              max_error, segments)
    out_dtype = numpy.dtype("int64") if long else x.dtype
    if out is None:
        out = xp.empty(shape, dtype=out_dtype)
    elif (not isinstance(out, xp.ndarray) or out.shape != shape or
          out.dtype != out_dtype or not _usable(out)
          or not getattr(out.flags, "writeable", True)):
        raise ValueError(f"scanbench: out must be an array of {xp.__name__} like x, {shape} of "
                         f"{out_dtype}, contiguous and writeable")
    else:
        x, *others = (it.copy(order="C") if it is not None and xp.may_share_memory(it, out)
                      else it for it in (x, *others))
    workspace = None
    if bytes_:
        room = xp.empty(bytes_ + 256, dtype="uint8")
        workspace = (_address(room) + 255) // 256 * 256
    stream = None if xp is numpy else xp.cuda.get_current_stream().ptr
    places = (None if it is None else _address(it) for it in (x, *others, out))
    check(call(address, *places, workspace, stream), device)
    return out


def run(op, x, dim, keepdim, mask, out, max_error):
    if isinstance(x, numpy.generic):
        x = numpy.asarray(x)
    xp = numpy if isinstance(x, numpy.ndarray) else sys.modules["cupy"]
    with contextlib.nullcontext() if xp is numpy else x.device:
        if mask is not None:
            op |= MASKED
            mask = _ready_mask(xp, mask, x)
        return _run_there(xp, launch, op, x, [mask], dim, keepdim, out, max_error)


def _like(xp, what, it, x, shape):
    """Returns b or initial, contiguous."""
    if not isinstance(it, (xp.ndarray, xp.generic)) or it.dtype != x.dtype:
        raise TypeError(f"scanbench: {what} must be an array of {xp.__name__} and {x.dtype}, "
                        "like a")
    it = of_shape(xp.broadcast_to, what, it, shape)
    return it if _usable(it) else it.copy(order="C")


def recur(op, a, b, initial, out, dim, max_error):
    if isinstance(a, numpy.generic):
        a = numpy.asarray(a)
    xp = numpy if isinstance(a, numpy.ndarray) else sys.modules["cupy"]
    with contextlib.nullcontext() if xp is numpy else a.device:
        b = _like(xp, "b", b, a, a.shape)
        if initial is not None:
            initial = _like(xp, "initial", initial, a, without_dim(a.shape, dim))
        return _run_there(xp, launch_recurrence, op, a, [b, initial], dim, False, out,
                          max_error)


def ragged(op, x, offsets, out):
    xp = numpy if isinstance(x, numpy.ndarray) else sys.modules["cupy"]
    if not (isinstance(offsets, xp.ndarray) and offsets.dtype in ("int32", "int64")
            and offsets.ndim == 1 and offsets.size):
        raise no_offsets(offsets, "an array of " + xp.__name__)
    if xp is numpy:
        refuse_offsets(offsets, len(x))
    elif offsets.device != x.device:
        raise other_device("offsets are", offsets, x)
    offsets = offsets if _usable(offsets) else offsets.copy(order="C")
    with contextlib.nullcontext() if xp is numpy else x.device:
        return _run_there(xp, launch_ragged, op, x, [offsets], 0, False, out, None,
                          (offsets.size - 1, offsets.itemsize))
