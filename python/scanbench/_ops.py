# SPDX-License-Identifier: MIT
"""The operations with their flags, and what is refused of their other arguments."""
import math

from ._dims import normal_dim, one_dim

# In the order of enum scanbench_op.
NAMES = ("cumsum", "sum", "flip", "cumprod", "prod", "mean", "cummax", "amax", "cummin",
         "amin", "argmax", "argmin", "logcumsumexp", "logsumexp", "recurrence",
         "cumsum_narrow")
UNARY = NAMES[:-2]
SCANS = tuple(name for name in NAMES if "cum" in name)
REDUCTIONS = tuple(name for name in UNARY if name not in SCANS and name != "flip")
INDICES = NAMES.index("argmax"), NAMES.index("argmin")
SUMS = "cumsum", "sum", "cumprod", "prod"  # int64 for integers and bools
FLOATS = 4  # the first of enum scanbench_dtype
OF_FLOATS = "mean", "logsumexp", "logcumsumexp", "recurrence"
RAGGED = "cumsum", "cummax", "sum", "mean", "amax"  # that take offsets
REVERSE, EXCLUSIVE, MASKED = 0x100, 0x200, 0x400
DETERMINISTIC, PORTABLE_BITS, MONOTONE = 0x800, 0x1000, 0x2000
CONTRACTS = DETERMINISTIC | PORTABLE_BITS | MONOTONE
LOGSUMEXP, RECURRENCE, NARROW = map(NAMES.index, ("logsumexp", "recurrence", "cumsum_narrow"))


def flags(reverse, exclusive, masked=False):
    return ((REVERSE if reverse else 0) | (EXCLUSIVE if exclusive else 0)
            | (MASKED if masked else 0))


def contracts(deterministic, portable_bits=False, monotone=False):
    return ((DETERMINISTIC if deterministic else 0) | (PORTABLE_BITS if portable_bits else 0)
            | (MONOTONE if monotone else 0))


def demanding(op, asked):
    """Returns op with the contracts of an operator of torch.ops."""
    if asked & ~CONTRACTS:
        raise ValueError(f"scanbench: contracts are a sum of {DETERMINISTIC} (deterministic), "
                         f"{PORTABLE_BITS} (portable_bits) and {MONOTONE} (monotone), not {asked}")
    return op | asked


def name_of(op):
    return NAMES[op & 0xff]


def narrowed(op, have, wanted):
    """Returns cumsum_narrow in place of cumsum, if int32 results of int32 are wanted."""
    if name_of(op) != "cumsum" or op & EXCLUSIVE or not have == wanted == "int32":
        return op
    return NARROW | op & (REVERSE | DETERMINISTIC)


def known_dim(op, dim):
    """Returns dim as an int or, for reductions, as a tuple of ints or None."""
    if name_of(op) in REDUCTIONS:
        if dim is None:
            return None
        if isinstance(dim, (tuple, list)):
            return tuple(one_dim(one) for one in dim)
    return one_dim(dim)


def known_error(max_error):
    """Returns max_error as a float, also for numbers of NumPy and torch."""
    try:
        known = math.ldexp(max_error, 0)
    except (TypeError, ValueError, OverflowError):
        known = 0
    if not known > 0:
        raise ValueError("scanbench: max_error is a number of roundings above 0, or None, "
                         f"not {max_error!r}")
    return known


def refuse_integers(name, dtype):
    """Raises, for mean() in torch's words, if an operation of floats has no such type."""
    if dtype < FLOATS or name not in OF_FLOATS:
        return
    if name != "mean":
        raise TypeError(f"scanbench: {name}() of integers or bools: convert x to floats")
    raise TypeError("mean(): could not infer output dtype. Input dtype must be either a floating "
                    "point or complex dtype. Got: "
                    + ("Int", "Long", "Byte", "Bool")[dtype - FLOATS])


def ragged_op(name):
    """Returns the number of an operation that takes offsets."""
    if name not in RAGGED:
        raise TypeError(f"scanbench: {name}() takes no offsets: {', '.join(RAGGED)} do")
    return NAMES.index(name)


def refuse_beside_offsets(op, dim, dims, others):
    """Raises if offsets do not fit the operation or its other arguments."""
    ragged_op(name_of(op))
    if others or op & EXCLUSIVE or not dims or (dim is not None and normal_dim(dim, dims)):
        raise ValueError("scanbench: offsets cut dim 0 of an array, without mask, exclusive, "
                         "keepdim or max_error: leave these out")


def refuse_offsets(offsets, rows):
    """Raises if offsets on the host would lead a kernel outside of x."""
    if offsets[0] != 0 or offsets[-1] != rows or (offsets[1:] < offsets[:-1]).any():
        raise ValueError("scanbench: offsets must ascend from 0 to the number of rows of x, "
                         f"{rows}: they are those where segments start, and the last one's end")


def no_offsets(given, wanted):
    if hasattr(given, "shape") and hasattr(given, "dtype"):
        seen = f"{tuple(given.shape)} of {given.dtype}"
    else:
        seen = "of " + type(given).__name__
    return TypeError(f"scanbench: offsets must be {wanted} like x, of int32 or int64 and a shape "
                     f"(N,) with N > 0, not {seen}")


def of_shape(expand, what, it, shape):
    """Returns b, which has the shape of a, or initial, expanded to that without dim."""
    if what == "b" and it.shape != shape:
        raise ValueError(f"scanbench: b must have the shape of a, {tuple(shape)}, not "
                         f"{tuple(it.shape)}")
    try:
        return expand(it, shape)
    except (RuntimeError, ValueError):
        raise ValueError(f"scanbench: initial must broadcast to {tuple(shape)}, the shape of a "
                         f"without dim, not {tuple(it.shape)}") from None


def native(numpy, x, dtype):
    """Returns x in the byte order that results have."""
    if not numpy.dtype(dtype).isnative:
        raise TypeError(f"scanbench: dtype {dtype!r}: results are of native byte order")
    return x if x.dtype.isnative else x.astype(x.dtype.newbyteorder("="))


def other_device(what, it, x):
    return ValueError(f"scanbench: the {what} on {it.device}, x on {x.device}")
