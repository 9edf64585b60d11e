# SPDX-License-Identifier: MIT
"""libscanbench through ctypes, with a cache of plans."""
import ctypes
import math
import re
from typing import Union

from ._dims import ends_of, reduced_shape, refuse_empty, strides_of
from ._find import open_library, version_of
from ._ops import (FLOATS, INDICES, NAMES, OF_FLOATS, REDUCTIONS, SUMS, known_dim,
                   known_error, name_of, refuse_integers)

# enum scanbench_dtype, by the names that the frameworks share
DTYPES = {name: k for k, name in enumerate((
    "float32", "float64", "float16", "bfloat16", "int32", "int64", "uint8", "bool"))}
_LONG = tuple(NAMES.index(name) for name in SUMS) + INDICES
HOST = -1


class Shape(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("outer", "axis", "inner")]


class Plan(ctypes.Structure):
    """struct scanbench_plan, whose private fields are `rest`."""

    _fields_ = [
        ("variant", ctypes.c_char_p),
        ("workspace_bytes", ctypes.c_size_t),
        ("rest", ctypes.c_uint64 * 32),
    ]


_lib, _place = open_library()
__version__ = version_of(_lib, _place)
_INT, _INT64, _PLAN = ctypes.c_int, ctypes.c_int64, ctypes.POINTER(Plan)


def _function(name, *arguments):
    function = getattr(_lib, "scanbench_" + name)
    function.argtypes = arguments
    return function


_plan = _function("plan_within", _INT, _INT, Shape, ctypes.c_double, _INT, _PLAN)
_plan_ragged = _function("plan_ragged", _INT, _INT, *[_INT64] * 3, _INT, _INT, _PLAN)
# plan, in, mask or b and initial or offsets, out, workspace, stream
launch, recur, launch_ragged = (
    _function(name, *[ctypes.c_void_p] * arguments)
    for name, arguments in (("launch", 6), ("recur", 7), ("launch_ragged", 6)))
for _name in ("error_text", "device_text"):
    _function(_name, _INT).restype = ctypes.c_char_p


class ScanbenchError(RuntimeError):
    """The library has no kernel, no such device or no memory, or a launch failed."""


def device_text(device: Union[int, str] = HOST) -> str:
    """The name of a device and of its rules, or the reason why it cannot be used.

    Args:
        device: a GPU's number, "cuda:0", "cuda" (which is 0), "cpu" or "host" (which is
            -1), or a device of torch.

    Raises:
        ValueError: it is none of these.

    Example:
        >>> import scanbench
        >>> scanbench.device_text("cuda:99")
        'there is no such GPU here, or no CUDA in this library'
    """
    word = re.fullmatch(r"(?:cuda:)?(-1|\d{1,9})|(cuda)|cpu|host", str(device))
    if not word:
        raise ValueError(f"scanbench: {device!r} is no device: give host, cuda:0 or a GPU's number")
    number = int(word[1]) if word[1] else 0 if word[2] else HOST
    return _lib.scanbench_device_text(number).decode()


def check(error, device=HOST):
    if error:
        text = _lib.scanbench_error_text(error).decode()
        if error == -6:  # SCANBENCH_BAD_RULES
            text = device_text(device)
        raise ScanbenchError("scanbench: " + text)


def no_kernels(dtype):
    return TypeError(f"scanbench: no kernels for {dtype}, only for {', '.join(DTYPES)} in native "
                     "byte order")


def gives_long(op, dtype):
    """Returns True if the result is of int64 whatever x is."""
    return op & 0xff in (_LONG if dtype >= FLOATS else INDICES)


def must_convert(op, have, wanted, out):
    """Returns True if elements must be converted to give results of the wanted type."""
    kind, given = DTYPES.get(have), [have]
    if kind is None or kind >= FLOATS and name_of(op) in OF_FLOATS:
        given = ["int64"] * (have in ("int8", "int16", "uint16", "uint32"))
    elif gives_long(op, kind):
        given = ["int64"] + ["int32"] * (out is None)
    if wanted not in given and DTYPES.get(wanted, FLOATS) >= FLOATS or have.startswith("complex"):
        raise TypeError(f"scanbench: {name_of(op)}() of {have} gives "
                        f"{' or '.join(given + ['floats'])}, not {wanted}: convert the result")
    return kind is None or wanted not in given


_MOST_EXTENT, _MOST_PLANS = 2 ** 63 - 1, 4096
_plans = {}


def plan(op, dtype, shape, dim, keepdim, device, max_error=None, segments=None):
    """Returns the address of a plan, the bytes of its workspace, the output's shape, its
    strides in elements, whether it is int64 whatever x is, and the plan itself. If
    offsets cut dim 0, `segments` has their number and the bytes of an offset."""
    if type(dim) is not int:
        dim = known_dim(op, dim)
    if max_error is not None:
        max_error = known_error(max_error)
    key = (op, dtype, shape, dim, keepdim, device, max_error, segments)
    found = _plans.get(key)
    if found is not None:
        return found
    made = Plan()
    first, last = ends_of(dim, len(shape))
    name = name_of(op)
    refuse_integers(name, dtype)
    if not segments:
        refuse_empty(name, shape, dim)
    # Empty tensors may have extents whose product needs more than 64 bits.
    seen = Shape(*(min(math.prod(extents), _MOST_EXTENT) for extents in (
        shape[:first], shape[first:last + 1], shape[last + 1:])))
    words = (seen.axis, seen.inner, *segments) if segments else (seen, max_error or 0)
    planned = _plan_ragged if segments else _plan
    check(planned(op, dtype, *words, device, ctypes.byref(made)), device)
    if name in REDUCTIONS:
        shape = (segments or ())[:1] + reduced_shape(tuple(shape), first, last, keepdim)
    if len(_plans) >= _MOST_PLANS:
        _plans.clear()  # for programs whose shapes always change
    found = _plans[key] = (ctypes.addressof(made), made.workspace_bytes, shape,
                           strides_of(shape), gives_long(op, dtype), made)
    return found
