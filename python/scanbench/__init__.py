# SPDX-License-Identifier: MIT
"""Prefix sums, sums and flips along one axis, by the fastest kernel measured.

For arrays of NumPy (on the host), torch, CuPy and JAX (on the current stream), and
others with DLPack or __cuda_array_interface__. docs/library.md lists what is accepted
and returned.
"""
import importlib as _importlib
import sys as _sys

from ._library import (EXCLUSIVE as _EXCLUSIVE, FLIP as _FLIP, REVERSE as _REVERSE,
                       SUM as _SUM, ScanbenchError, __version__, device_text,
                       op_of as _op_of)

__all__ = ["cumsum", "sum", "flip", "device_text", "ScanbenchError"]

_torch = None


def _is_torch(x):
    """Imports the module for torch at the first tensor."""
    return isinstance(x, _torch.torch.Tensor) if _torch else _finds_torch(x)


def _finds_torch(x):
    global _torch
    if not _is_a(x, "torch", "Tensor"):
        return False
    _torch = _importlib.import_module("._torch", __name__)
    return True


def _is_a(x, module, *names):
    """Returns True if x is an instance of one of the classes of a module, which need
    not be imported."""
    module = _sys.modules.get(module)
    return any(isinstance(x, getattr(module, name, ())) for name in names)


if "torch" in _sys.modules:
    _torch = _importlib.import_module("._torch", __name__)


def _no_masked_arrays(*arrays):
    if any(_is_a(array, "numpy.ma", "MaskedArray") for array in arrays):
        raise TypeError("scanbench: a masked array's mask would be lost: pass "
                        "x.data and mask=~numpy.ma.getmaskarray(x)")


def _is_numpy(x):
    return _is_a(x, "numpy", "ndarray", "generic")


def _imported(x):
    """Returns x as an array of NumPy, torch or CuPy that shares its memory."""
    if _is_numpy(x):
        return x
    if hasattr(x, "__dlpack_device__") and x.__dlpack_device__()[0] == 1:
        import numpy
        return numpy.from_dlpack(x)
    for name in ("torch", "cupy"):
        framework = _sys.modules.get(name)
        if framework is None:
            continue
        if hasattr(x, "__dlpack__"):
            return framework.from_dlpack(x)
        return (framework.as_tensor(x, device="cuda") if name == "torch"
                else framework.asarray(x))
    raise TypeError("scanbench: %s on a GPU needs torch or CuPy imported"
                    % type(x).__name__)


def _run(op, x, dim, mask=None, out=None, keepdim=False):
    _no_masked_arrays(x, mask, out)
    if _is_numpy(x) or _is_a(x, "cupy", "ndarray"):
        from ._numpy import run
        return run(op, x, dim, mask, out, keepdim)
    if _is_a(x, "jax", "Array"):
        from ._jax import run
        return run(op, x, dim, mask, out, keepdim)
    if not (hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__")):
        raise TypeError("scanbench: %s is no array: it has neither DLPack nor "
                        "__cuda_array_interface__" % type(x).__name__)
    result = _again(op, _imported(x), dim,
                    None if mask is None else _imported(mask),
                    None if out is None else _imported(out), keepdim)
    return result if out is None else out


def _again(op, x, dim, mask, out, keepdim):
    if op & 0xff == _SUM:
        return sum(x, dim, keepdim, mask, out)
    if op & 0xff == _FLIP:
        return flip(x, dim, out)
    return cumsum(x, dim, bool(op & _REVERSE), bool(op & _EXCLUSIVE), mask, out)


def cumsum(x, dim, reverse=False, exclusive=False, mask=None, out=None):
    """Cumulative sums along dim. With `reverse` they run from the end. With
    `exclusive` each leaves out its own element. Where `mask`, which broadcasts to
    x's shape, is False, x counts as 0, even if it is NaN."""
    if _is_torch(x):
        return _torch.cumsum(x, dim, reverse, exclusive, mask, out)
    return _run(_op_of(reverse, exclusive), x, dim, mask, out)


def sum(x, dim, keepdim=False, mask=None, out=None):
    """Sums along dim; `mask` is as in cumsum()."""
    if _is_torch(x):
        return _torch.sum(x, dim, keepdim, mask, out)
    return _run(_SUM, x, dim, mask, out, keepdim)


def flip(x, dim, out=None):
    """x in reverse order along dim."""
    if _is_torch(x):
        return _torch.flip(x, dim, out)
    return _run(_FLIP, x, dim, None, out)
