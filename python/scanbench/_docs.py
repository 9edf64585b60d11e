# SPDX-License-Identifier: MIT
"""The signatures of the functions, for type checkers, and their docstrings."""
from typing import Any, Optional, Protocol, Sequence, TypeVar, Union

from ._ops import RAGGED

A = TypeVar("A")
Dims = Union[int, Sequence[int], None]


class Scan(Protocol):
    def __call__(self, x: A, dim: Optional[int] = None, *, axis: Optional[int] = None,
                 reverse: bool = False, exclusive: bool = False, mask: Any = None,
                 out: Optional[A] = None, dtype: Any = None, deterministic: bool = False,
                 monotone: bool = False, max_error: Optional[float] = None,
                 offsets: Any = None) -> A: ...


class Reduction(Protocol):
    def __call__(self, x: A, dim: Dims = None, *, axis: Dims = None, keepdim: bool = False,
                 keepdims: bool = False, mask: Any = None, out: Optional[A] = None,
                 dtype: Any = None, deterministic: bool = False, portable_bits: bool = False,
                 max_error: Optional[float] = None, offsets: Any = None) -> A: ...


class Unmasked(Protocol):
    def __call__(self, x: A, dim: Dims = None, *, axis: Dims = None, keepdim: bool = False,
                 keepdims: bool = False, out: Optional[A] = None, deterministic: bool = False,
                 portable_bits: bool = False, max_error: Optional[float] = None,
                 offsets: Any = None) -> A: ...


X = """x: an array of NumPy, torch (2.5 or newer), CuPy or JAX, of any shape; float32, float64,
        float16 or bfloat16 (half types are combined in float and rounded once), or, except for
        mean and logcumsumexp, int32, int64, uint8 or bool, whose sums and products are int64 (in
        JAX without x64, int32) and wrap, and whose logsumexp is that of float32 (of torch's
        default type). A copy is made of one that is not contiguous. Anything else with DLPack or
        __cuda_array_interface__ gives an array of NumPy or, on a GPU, of torch or CuPy."""
DIM = "dim, axis: the dimension to run along, from -x.ndim to x.ndim - 1"
DIMS = "dim, axis: an int, a tuple of adjacent ones, or None for all dimensions"
MASK = """mask: of a shape that broadcasts to x's. Where it is False, x counts as the
        identity, {identity}, even if it is NaN."""
OUT = "out: a contiguous array for the result, which has no derivatives. Not for JAX."
DTYPE = """dtype: a float type, to which x is converted first; or the result's without it; or
        int32 for sums and products of integers, modulo 2^32. cumsum() of int32 gives it at
        once, unless exclusive or of offsets; the int64 of others is converted, without out."""
KEEP = "keepdim, keepdims: keeps the reduced dimensions, with extent 1"
REVERSE = "reverse: runs from the end"
EXCLUSIVE = "exclusive: each {noun} leaves out its own element"
NO_EXCLUSIVE = "exclusive: refused here; only cumsum() and cumprod() take it"
DETERMINISTIC = """deterministic: gives the same bits in every call, of arrays that are
        aligned alike to 16 bytes; implied by torch.use_deterministic_algorithms(True) for
        tensors of torch. Gradients keep it, too."""
PORTABLE_BITS = """portable_bits: gives the same bits on every GPU of compute capability 8.0
        or newer, and on a host on any number of threads. logsumexp() refuses it."""
MONOTONE = """monotone: from one sum to the next, in their order, nothing falls where
        x >= 0, and nothing changes over zeros"""
NO_MONOTONE = "monotone: refused here; only cumsum() takes it"
MAX_ERROR = """max_error: the most roundings of a result's magnitude, such as the sum of |x|,
        that a kernel's bound may allow besides the final one: 2^-53 of it each for
        float64, else 2^-24. None for any number."""
OFFSETS = """offsets: int32 or int64, ascending from 0 to x.shape[0]: segment g is
        x[offsets[g]:offsets[g + 1]], along dim 0{rows}. They
        are checked on a host, and not on a GPU, where others read and write other memory.
        Not with mask, exclusive, keepdim or max_error, nor for JAX. A jagged nested
        tensor t of torch has them: x is t.values(), and offsets t.offsets()."""
ROWS = ", and has a row of the result, {empty} if it is empty"
NO_OFFSETS = "offsets: refused here; only cumsum, cummax, sum, mean and amax take them"
RAISES = """Raises:
    TypeError: an array is none, or of another type, or a masked array; or `dim` is
        missing or no int; or `offsets` are no such array.
    IndexError: `dim` is out of range, or an extreme of no elements is asked for.
    ValueError: a shape, `mask`{or_dims}, `offsets` or `out` does not fit, or `max_error` is
        not positive.
    ScanbenchError: the library has no such kernel, or none that keeps what is demanded, or
        a launch failed."""
SAME = "An array like x, with its shape and type (see there)."
REDUCED = "An array like x, of its type (see there) and shape without `dim`."
INDEX = DIMS, """An array of int64 (in JAX without x64, int32), of x's shape without `dim`:
    indices along it, or into several dimensions flattened in x's order."""


def doc(words, arguments, returns, call, result, or_dims="", **fields):
    """Returns a docstring whose example is that call on x."""
    return "\n\n".join([
        words % "along `dim` or `axis`",
        "Args:\n    " + "\n    ".join(arguments), "Returns:\n    " + returns, RAISES,
        "Example:\n    >>> import numpy, scanbench\n"
        "    >>> x = numpy.array([3, 1, 4], \"float32\")\n    >>> scanbench."
        + call + "\n    " + result]).format(or_dims=or_dims, **fields) + "\n"


def offsets_of(name):
    empty = {"sum": "0", "mean": "NaN", "amax": "the identity"}.get(name)
    rows = ROWS.replace("{empty}", empty) if empty else ""
    return OFFSETS.replace("{rows}", rows) if name in RAGGED else NO_OFFSETS


def scan_doc(name, words, noun, identity, *example):
    flag = EXCLUSIVE if name in ("cumsum", "cumprod") else NO_EXCLUSIVE
    more = [DETERMINISTIC, MONOTONE if name == "cumsum" else NO_MONOTONE, MAX_ERROR,
            offsets_of(name)]
    return doc(words, [X, DIM, REVERSE, flag, MASK, OUT, DTYPE, *more], SAME, *example,
               noun=noun, identity=identity)


def reduction_doc(name, words, identity, call, result, dims=DIMS, returns=REDUCED):
    more = [MASK, OUT, DTYPE] if identity else [OUT]
    more += [DETERMINISTIC, PORTABLE_BITS, MAX_ERROR, offsets_of(name)]
    return doc(words, [X, dims, KEEP, *more], returns, call, result, ", `dim`",
               identity=identity)


RECURRENCE = doc(
    "h[t] = a[t] h[t-1] + b[t] %s.", [
        """a, b: arrays of NumPy, torch (2.5 or newer) or CuPy, of one shape and one of
        float32, float64, float16 and bfloat16 (half types are combined in float and
        rounded once). A copy is made of one that is not contiguous.""",
        "dim, axis: the dimension to run along, from -a.ndim to a.ndim - 1",
        "reverse: runs from the end: h[t] = a[t] h[t+1] + b[t]",
        """initial: h before the first element, 0 if None: of a's type, and of a shape that
        broadcasts to a's without `dim`""",
        "out: a contiguous array for the result, which has no derivatives",
        "deterministic, max_error: as for cumsum(), with the magnitude of the terms"],
    """An array like a, with its shape and type. It is within the rounding of its terms
    as long as no product of neighbours in a leaves the range of its type.""",
    "recurrence(x * 0 + 0.5, x, 0, initial=numpy.float32(8))",
    "array([7.  , 4.5 , 6.25], dtype=float32)")
