# SPDX-License-Identifier: MIT
"""Prefix sums, sums and flips along one axis, by the fastest kernel measured.

For arrays of NumPy (on the host), torch, CuPy and JAX (on the current stream),
and what else has DLPack or __cuda_array_interface__. docs/library.md says what is
taken and what comes back.
"""
import importlib as _importlib
import sys as _sys

from ._library import (CUMSUM as _CUMSUM, EXCLUSIVE as _EXCLUSIVE,
                       FLIP as _FLIP, REVERSE as _REVERSE, SUM as _SUM,
                       ScanbenchError, __version__, device_text)

__all__ = ["cumsum", "sum", "flip", "device_text", "ScanbenchError"]

_torch = None


def _is_torch(x):
    """Its part is loaded when torch is there."""
    return isinstance(x, _torch.torch.Tensor) if _torch else _finds_torch(x)


def _finds_torch(x):
    global _torch
    torch = _sys.modules.get("torch")
    if torch is None or not isinstance(x, torch.Tensor):
        return False
    _torch = _importlib.import_module("._torch", __name__)
    return True


if "torch" in _sys.modules:
    _torch = _importlib.import_module("._torch", __name__)


def _family(x):
    return type(x).__module__.partition(".")[0]


def _seen(x):
    """Another's memory, as an array that we know."""
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
    raise TypeError("scanbench: arrays of %s on a GPU need torch or CuPy "
                    "imported" % _family(x))


def _run(op, x, dim, mask=None, out=None, keepdim=False):
    family = _family(x)
    if family in ("numpy", "cupy", "ml_dtypes"):
        from ._numpy import run
        return run(op, x, dim, mask, out, keepdim)
    if family in ("jax", "jaxlib"):
        from ._jax import run
        return run(op, x, dim, mask, out, keepdim)
    if not (hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__")):
        raise TypeError("scanbench: %s is no array: it has neither DLPack nor "
                        "__cuda_array_interface__" % type(x).__name__)
    seen = None if out is None else _seen(out)
    given = _again(op, _seen(x), dim, None if mask is None else _seen(mask),
                   seen, keepdim)
    return given if out is None else out


def _again(op, x, dim, mask, out, keepdim):
    if op & 0xff == _SUM:
        return sum(x, dim, keepdim, mask, out)
    if op & 0xff == _FLIP:
        return flip(x, dim, out)
    return cumsum(x, dim, bool(op & _REVERSE), bool(op & _EXCLUSIVE), mask, out)


def cumsum(x, dim, reverse=False, exclusive=False, mask=None, out=None):
    """Sums along dim of all up to each place; `reverse`: from there to the end;
    `exclusive`: without the place itself; `mask`: where it is False, x is taken
    as 0, even if it is NaN. It broadcasts to x's shape."""
    if _is_torch(x):
        return _torch.cumsum(x, dim, reverse, exclusive, mask, out)
    op = (_CUMSUM | (_REVERSE if reverse else 0)
          | (_EXCLUSIVE if exclusive else 0))
    return _run(op, x, dim, mask, out)


def sum(x, dim, keepdim=False, mask=None, out=None):
    """Sums along dim; the mask as in cumsum."""
    if _is_torch(x):
        return _torch.sum(x, dim, keepdim, mask, out)
    return _run(_SUM, x, dim, mask, out, keepdim)


def flip(x, dim, out=None):
    """x with dim from its end to its beginning."""
    if _is_torch(x):
        return _torch.flip(x, dim, out)
    return _run(_FLIP, x, dim, None, out)
