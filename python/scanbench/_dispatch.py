# SPDX-License-Identifier: MIT
"""Hands an array to the module for its kind."""
import importlib
import sys

from ._library import must_convert, plan
from ._ops import LOGSUMEXP, narrowed, native, refuse_beside_offsets

_torch = None


def _is_torch(x):
    """Imports the module for torch at the first tensor."""
    global _torch
    if not _torch and _is_a(x, "torch", "Tensor"):
        _torch = importlib.import_module("._torch", __package__)
    return _torch and isinstance(x, _torch.torch.Tensor)


def _is_a(x, module, *names):
    """Returns True if x is of one of these classes of a module, imported or not."""
    module = sys.modules.get(module)
    return any(isinstance(x, getattr(module, name, ())) for name in names)


if "torch" in sys.modules:
    _torch = importlib.import_module("._torch", __package__)


def _no_masked_arrays(*arrays):
    if any(_is_a(array, "numpy.ma", "MaskedArray") for array in arrays):
        raise TypeError("scanbench: a masked array's mask would be lost: pass "
                        "x.data and mask=~numpy.ma.getmaskarray(x)")


def _imported(x):
    """Returns x as an array of NumPy, torch or CuPy that shares its memory, or None."""
    if x is None or _is_a(x, "numpy", "ndarray", "generic"):
        return x
    if hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] == 1:
        import numpy
        return numpy.from_dlpack(x)
    for name in ("torch", "cupy"):
        framework = sys.modules.get(name)
        if framework is None:
            continue
        if hasattr(x, "__dlpack__"):
            return framework.from_dlpack(x)
        return (framework.as_tensor(x, device="cuda") if name == "torch"
                else framework.asarray(x))
    raise TypeError(f"scanbench: {type(x).__name__} on a GPU needs torch or CuPy imported")


def _known(x):
    """Returns the module for arrays like x, or None."""
    if _is_torch(x):
        return _torch
    if _is_a(x, "numpy", "ndarray", "generic") or _is_a(x, "cupy", "ndarray"):
        from . import _numpy
        return _numpy
    if _is_a(x, "jax", "Array"):
        from . import _jax
        return _jax
    if not (hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__")):
        raise TypeError(f"scanbench: {type(x).__name__} is no array: it has neither DLPack nor "
                        "__cuda_array_interface__")
    return None


def _for_results(op, x, dtype, out, offsets):
    """Returns the operation whose results are of dtype, and x, converted if they need it."""
    numpy = None if _is_torch(x) else importlib.import_module("numpy")
    x = native(numpy, x, dtype) if numpy else x
    have, wanted = (numpy.dtype(one).name if numpy else repr(one).replace("torch.", "")
                    for one in (x.dtype, dtype))
    op = op if offsets is not None else narrowed(op, have, wanted)
    convert = x.astype if numpy else x.to
    return op, convert(dtype) if must_convert(op, have, wanted, out) else x


def _promoted(x):
    """Returns x as torch's logsumexp() takes it: integers and bools as floats."""
    if str(x.dtype).replace("torch.", "") not in ("int32", "int64", "uint8", "bool"):
        return x
    return x.to(_torch.torch.get_default_dtype()) if _is_torch(x) else x.astype("float32")


def run(op, x, dim, axis, keepdim, mask, out, max_error, dtype=None, offsets=None):
    dim = dim if axis is None else _one_of(dim, axis)
    if op & 0xff == LOGSUMEXP and dtype is None and _known(x):
        x = _promoted(x)
    if dtype is not None and _known(x):
        result = run(*_for_results(op, x, dtype, out, offsets), dim, None, keepdim, mask, out,
                     max_error, None, offsets)
        convert = result.to if _is_torch(result) else result.astype
        return result if result.dtype == dtype else convert(dtype)
    if offsets is not None and _known(x):
        refuse_beside_offsets(op, dim, x.ndim,
                              keepdim or mask is not None or max_error is not None)
        return _with_others("ragged", op, (x, offsets), out)
    if _is_torch(x):  # the fastest call
        return _torch.run(op, x, dim, keepdim, mask, out, max_error)
    _no_masked_arrays(x, mask, out)
    module = _known(x)
    if module:
        return module.run(op, x, dim, keepdim, mask, out, max_error)
    result = run(op, _imported(x), dim, None, keepdim, _imported(mask), _imported(out),
                 max_error, dtype, _imported(offsets))
    return result if out is None else out


def recur(op, a, b, dim, axis, initial, out, max_error):
    dim = dim if axis is None else _one_of(dim, axis)
    return _with_others("recur", op, (a, b, initial), out, dim, max_error)


def _with_others(function, op, arrays, out, *words):
    """Hands several arrays to that function of the first array's module."""
    _no_masked_arrays(*arrays, out)
    module = _known(arrays[0])
    if hasattr(module, function):
        return getattr(module, function)(op, *arrays, out, *words)
    if module:
        raise TypeError("scanbench: recurrence() and offsets of JAX's arrays: pass NumPy's, "
                        "torch's or CuPy's")
    result = _with_others(function, op, [_imported(one) for one in arrays], _imported(out), *words)
    return result if out is None else out


def _one_of(dim, axis):
    if dim is not None:
        raise TypeError("scanbench: dim and axis are one argument: give one of them")
    return axis


def plan_of(op, x, dim, axis, max_error):
    """Returns the plan that the operation on x would follow."""
    x = x if _known(x) else _imported(x)
    x = _promoted(x) if op & 0xff == LOGSUMEXP else x
    dtype, shape, device = _known(x).seen(x)
    if _is_torch(x):
        op = _torch.demanded(op)
    return plan(op, dtype, shape, dim if axis is None else _one_of(dim, axis), False,
                device, max_error)[-1]
