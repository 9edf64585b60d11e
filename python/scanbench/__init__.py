# SPDX-License-Identifier: MIT
"""Scans, reductions and flips along one axis, by the fastest kernel measured.

For arrays of NumPy (on the host), torch, CuPy and JAX (on the current stream), and
others with DLPack or __cuda_array_interface__. docs/library.md lists what is accepted
and returned.
"""
import importlib as _importlib
import sys as _sys

from ._library import ScanbenchError, __version__, device_text
from ._ops import EXCLUSIVE as _EXCLUSIVE, NAMES as _NAMES, REVERSE as _REVERSE

__all__ = [*_NAMES, "device_text", "ScanbenchError"]

_FLIP = _NAMES.index("flip")
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


def _run(op, x, dim, keepdim, mask, out):
    if _is_torch(x):
        return _torch.run(op, x, dim, keepdim, mask, out)
    _no_masked_arrays(x, mask, out)
    if _is_numpy(x) or _is_a(x, "cupy", "ndarray"):
        from ._numpy import run
        return run(op, x, dim, keepdim, mask, out)
    if _is_a(x, "jax", "Array"):
        from ._jax import run
        return run(op, x, dim, keepdim, mask, out)
    if not (hasattr(x, "__dlpack__") or hasattr(x, "__cuda_array_interface__")):
        raise TypeError("scanbench: %s is no array: it has neither DLPack nor "
                        "__cuda_array_interface__" % type(x).__name__)
    result = _run(op, _imported(x), dim, keepdim,
                  None if mask is None else _imported(mask),
                  None if out is None else _imported(out))
    return result if out is None else out


def _named(function, name, words):
    function.__name__ = function.__qualname__ = name
    function.__doc__ = words
    return function


def _scan(name, words):
    op = _NAMES.index(name)

    def scan(x, dim, reverse=False, exclusive=False, mask=None, out=None):
        return _run(op | (_REVERSE if reverse else 0) | (_EXCLUSIVE if exclusive else 0),
                    x, dim, False, mask, out)
    return _named(scan, name, words + """ along dim. With `reverse` they run from the end.
    With `exclusive`, which only cumsum() and cumprod() take, each leaves out its own
    element. Where `mask`, which broadcasts to x's shape, is False, x counts as the
    identity, such as 0 in a sum, even if it is NaN.""")


def _reduction(name, words):
    op = _NAMES.index(name)

    def reduction(x, dim=None, keepdim=False, mask=None, out=None):
        return _run(op, x, dim, keepdim, mask, out)
    return _named(reduction, name, words + """ along dim: one dim, a tuple of adjacent
    ones, or None for all. `mask` is as in cumsum().""")


def _unmasked(name, words):
    op = _NAMES.index(name)

    def reduction(x, dim=None, keepdim=False, out=None):
        return _run(op, x, dim, keepdim, None, out)
    return _named(reduction, name, words)


cumsum = _scan("cumsum", "Cumulative sums")
cumprod = _scan("cumprod", "Cumulative products")
cummax = _scan("cummax", "Cumulative maxima, without indices; any NaN wins,")
cummin = _scan("cummin", "Cumulative minima, without indices; any NaN wins,")
logcumsumexp = _scan("logcumsumexp", "Logarithms of the cumulative sums of exponentials")
sum = _reduction("sum", "Sums")
prod = _reduction("prod", "Products")
amax = _reduction("amax", "Maxima; any NaN wins,")
amin = _reduction("amin", "Minima; any NaN wins,")
logsumexp = _reduction("logsumexp", "Logarithms of the sums of exponentials")
mean = _unmasked("mean", "Means along dim, which is as in sum().")
argmax = _unmasked("argmax", """Indices along dim, or in x as one line, of the first NaN or
    else of the first maximum, as int64.""")
argmin = _unmasked("argmin", "Indices of minima, as in argmax().")


def flip(x, dim, out=None):
    """x in reverse order along dim."""
    return _run(_FLIP, x, dim, False, None, out)
