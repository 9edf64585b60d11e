# SPDX-License-Identifier: MIT
"""Scans, reductions and flips along one axis, by the fastest kernel measured.

For arrays of NumPy (on the host), torch, CuPy and JAX (on the current stream), and others with
DLPack or __cuda_array_interface__. Semantics are torch's, except that cummax() and cummin() give no
indices: help(scanbench.cumsum) and so on.

torch's autograd, torch.compile and vmap use torch.ops.scanbench.cumsum and so on. Without
fullgraph=True, these functions also have torch.func's transforms, and cumsum, sum, mean and flip
have forward mode. Gradients are torch's, also at zeros and ties, but not those of products with NaN
or infinite elements: prod's is the product of the others, and cumprod's NaN. JAX arrays are
computed outside of jit, and on a GPU the host waits for each result."""
from typing import Any as _Any, Optional as _Optional

from . import _docs
from ._dispatch import plan_of as _plan_of, recur as _recur, run as _run
from ._library import ScanbenchError, __version__, device_text
from ._ops import NAMES as _NAMES, contracts as _contracts, flags as _flags

__all__ = [*_NAMES[:-1], "which", "device_text", "ScanbenchError"]


def _named(function, name, like, words):
    """Gives the function its public name, docstring and annotations."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = words
    function.__annotations__ = like.__call__.__annotations__
    return function


def _scan(name: str, *words: str) -> _docs.Scan:
    op = _NAMES.index(name)

    def scan(x, dim=None, *, axis=None, reverse=False, exclusive=False, mask=None, out=None,
             dtype=None, deterministic=False, monotone=False, max_error=None, offsets=None):
        asked = op
        if reverse or exclusive or deterministic or monotone:
            asked |= _flags(reverse, exclusive) | _contracts(deterministic, False, monotone)
        return _run(asked, x, dim, axis, False, mask, out, max_error, dtype, offsets)
    return _named(scan, name, _docs.Scan, _docs.scan_doc(name, *words))


def _reduction(name: str, *words: str) -> _docs.Reduction:
    op = _NAMES.index(name)

    def reduction(x, dim=None, *, axis=None, keepdim=False, keepdims=False, mask=None,
                  out=None, dtype=None, deterministic=False, portable_bits=False,
                  max_error=None, offsets=None):
        asked = op
        if deterministic or portable_bits:
            asked |= _contracts(deterministic, portable_bits)
        return _run(asked, x, dim, axis, keepdim or keepdims, mask, out, max_error, dtype,
                    offsets)
    return _named(reduction, name, _docs.Reduction, _docs.reduction_doc(name, *words))


def _unmasked(name: str, *words: str) -> _docs.Unmasked:
    op = _NAMES.index(name)

    def reduction(x, dim=None, *, axis=None, keepdim=False, keepdims=False, out=None,
                  deterministic=False, portable_bits=False, max_error=None, offsets=None):
        asked = op
        if deterministic or portable_bits:
            asked |= _contracts(deterministic, portable_bits)
        return _run(asked, x, dim, axis, keepdim or keepdims, None, out, max_error, None,
                    offsets)
    return _named(reduction, name, _docs.Unmasked,
                  _docs.reduction_doc(name, words[0], "", *words[1:]))


cumsum = _scan("cumsum", "Cumulative sums %s.", "sum", "0",
               "cumsum(x, 0, exclusive=True)", "array([0., 3., 4.], dtype=float32)")
cumprod = _scan("cumprod", "Cumulative products %s.", "product", "1",
                "cumprod(x, axis=0)", "array([ 3.,  3., 12.], dtype=float32)")
cummax = _scan("cummax", "Cumulative maxima %s, without indices. Any NaN wins.",
               "maximum", "-infinity", "cummax(x, 0)", "array([3., 3., 4.], dtype=float32)")
cummin = _scan("cummin", "Cumulative minima %s, without indices. Any NaN wins.",
               "minimum", "infinity", "cummin(x, 0)", "array([3., 1., 1.], dtype=float32)")
logcumsumexp = _scan("logcumsumexp", "Logarithms of cumulative sums of exponentials %s.",
                     "sum", "-infinity", "logcumsumexp(x[:2] * 0, 0)",
                     "array([0.       , 0.6931472], dtype=float32)")
sum = _reduction("sum", "Sums %s.", "0", "sum(x, 0, mask=x > 2)",
                 "array(7., dtype=float32)")
prod = _reduction("prod", "Products %s.", "1", "prod(x)", "array(12., dtype=float32)")
amax = _reduction("amax", "Maxima %s. Any NaN wins.", "-infinity",
                  "amax(x, axis=0, keepdims=True)", "array([4.], dtype=float32)")
amin = _reduction("amin", "Minima %s. Any NaN wins.", "infinity", "amin(x)",
                  "array(1., dtype=float32)")
logsumexp = _reduction("logsumexp", "Logarithms of sums of exponentials %s.", "-infinity",
                       "logsumexp(x[:2] * 0)", "array(0.6931472, dtype=float32)")
mean = _unmasked("mean", "Means %s; that of no elements is NaN.", "mean(x)",
                 "array(2.6666667, dtype=float32)")
argmax = _unmasked("argmax", "Indices %s of the first NaN, or else of the first maximum.",
                   "argmax(x, 0)", "array(2)", *_docs.INDEX)
argmin = _unmasked("argmin", "Indices %s of the first NaN, or else of the first minimum.",
                   "argmin(x, 0)", "array(1)", *_docs.INDEX)


def flip(x: _docs.A, dim: _Optional[int] = None, *, axis: _Optional[int] = None,
         out: _Optional[_docs.A] = None) -> _docs.A:
    return _run(_NAMES.index("flip"), x, dim, axis, False, None, out, None)


flip.__doc__ = _docs.doc(
    "x in reverse order %s.", [_docs.X, _docs.DIM, _docs.OUT], _docs.SAME, "flip(x, 0)",
    "array([4., 1., 3.], dtype=float32)")


def recurrence(a: _docs.A, b: _docs.A, dim: _Optional[int] = None, *,
               axis: _Optional[int] = None, reverse: bool = False,
               initial: _Optional[_docs.A] = None, out: _Optional[_docs.A] = None,
               deterministic: bool = False, max_error: _Optional[float] = None) -> _docs.A:
    op = _NAMES.index("recurrence") | _flags(reverse, False) | _contracts(deterministic)
    return _recur(op, a, b, dim, axis, initial, out, max_error)


recurrence.__doc__ = _docs.RECURRENCE


def which(x: _Any, op: str, dim: _docs.Dims = None, *, axis: _docs.Dims = None,
          reverse: bool = False, exclusive: bool = False, masked: bool = False,
          deterministic: bool = False, portable_bits: bool = False, monotone: bool = False,
          max_error: _Optional[float] = None) -> str:
    """The name of the kernel that an operation runs, as in `scanbench list`.

    Args:
        x: an array as for that operation; it is not read.
        op: the operation's name, such as "cumsum".
        dim, axis, and the others: as for that operation.
        masked: True for a call with a mask.

    Returns:
        The name; "" if there is nothing to compute.

    Raises:
        ValueError: there is no such operation.
        TypeError, IndexError, ScanbenchError: as by that operation.

    Example:
        >>> import numpy, scanbench
        >>> scanbench.which(numpy.ones((2, 3), "float32"), "flip", 1)
        'serial'
    """
    if not isinstance(op, str):
        raise TypeError("scanbench: which() takes the array, then the operation's name")
    if op not in _NAMES:
        raise ValueError(f"scanbench: {op!r} is no operation: there are {', '.join(_NAMES)}")
    asked = (_NAMES.index(op) | _flags(reverse, exclusive, masked)
             | _contracts(deterministic, portable_bits, monotone))
    return _plan_of(asked, x, dim, axis, max_error).variant.decode()
