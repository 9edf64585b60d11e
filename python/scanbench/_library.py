# SPDX-License-Identifier: MIT
"""libscanbench through ctypes, with a cache of plans."""
import ctypes
import ctypes.util
import math
import os
import sys

from ._ops import REDUCTIONS, ends_of, known_dim, name_of, reduced_shape, refuse_empty

F32, F64, F16, BF16 = 0, 1, 2, 3
HOST = -1
NAME = "libscanbench.so.0"


class Shape(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ("outer", "axis", "inner")]


class Plan(ctypes.Structure):
    """struct scanbench_plan, whose private fields are `rest`."""

    _fields_ = [
        ("variant", ctypes.c_char_p),
        ("workspace_bytes", ctypes.c_size_t),
        ("rest", ctypes.c_uint64 * 32),
    ]


def _places():
    """Returns SCANBENCH_LIBRARY alone if it is set, else all usual paths."""
    named = os.environ.get("SCANBENCH_LIBRARY")
    if named:
        return [named]
    here = os.path.dirname(os.path.abspath(__file__))
    return [
        os.path.join(here, NAME),
        os.path.join(sys.prefix, "lib", NAME),
        NAME,
        ctypes.util.find_library("scanbench") or NAME,
        os.path.join("/usr/local/lib", NAME),
    ]


def _open():
    whys = []
    for place in _places():
        try:
            return ctypes.CDLL(place)
        except OSError as why:
            whys.append(str(why))
    raise ImportError(
        "scanbench: no %s: install it (meson install -C build), or name it "
        "with SCANBENCH_LIBRARY; %s" % (NAME, whys[0])
    )


_lib = _open()
_plan = _lib.scanbench_plan
_plan.argtypes = [ctypes.c_int, ctypes.c_int, Shape, ctypes.c_int,
                  ctypes.POINTER(Plan)]
# plan, in, mask, out, workspace, stream
launch = _lib.scanbench_launch
launch.argtypes = [ctypes.c_void_p] * 6
for _name, _argument in (("error", ctypes.c_int), ("device", ctypes.c_int)):
    _text = getattr(_lib, "scanbench_%s_text" % _name)
    _text.argtypes = [_argument]
    _text.restype = ctypes.c_char_p
_lib.scanbench_version.restype = ctypes.c_char_p
__version__ = _lib.scanbench_version().decode()


class ScanbenchError(RuntimeError):
    pass


def device_text(device):
    """Returns the name of the device and of its rules, or the reason of an error."""
    return _lib.scanbench_device_text(device).decode()


def check(error, device=HOST):
    if error:
        text = _lib.scanbench_error_text(error).decode()
        if error == -6:  # SCANBENCH_BAD_RULES
            text = device_text(device)
        raise ScanbenchError("scanbench: " + text)


def no_kernels(dtype):
    return TypeError("scanbench: no kernels for %s, only for float32, float64, float16 "
                     "and bfloat16 in native byte order" % dtype)


_MOST_EXTENT = 2 ** 63 - 1
_MOST_PLANS = 4096
_plans = {}


def plan(op, dtype, shape, dim, keepdim, device):
    """Returns the address of a plan, the bytes of its workspace, the shape of the
    output, and the plan itself."""
    if type(dim) is not int:
        dim = known_dim(op, dim)
    key = (op, dtype, shape, dim, keepdim, device)
    found = _plans.get(key)
    if found is not None:
        return found
    made = Plan()
    first, last = ends_of(dim, len(shape))
    name = name_of(op)
    refuse_empty(name, shape, dim)
    # Empty tensors may have extents whose product needs more than 64 bits.
    seen = Shape(*(min(math.prod(extents), _MOST_EXTENT) for extents in (
        shape[:first], shape[first:last + 1], shape[last + 1:])))
    check(_plan(op, dtype, seen, device, ctypes.byref(made)), device)
    if name in REDUCTIONS:
        shape = reduced_shape(tuple(shape), first, last, keepdim)
    if len(_plans) >= _MOST_PLANS:
        _plans.clear()  # for programs whose shapes always change
    found = _plans[key] = (ctypes.addressof(made), made.workspace_bytes, shape, made)
    return found
