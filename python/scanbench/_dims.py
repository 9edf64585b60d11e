# SPDX-License-Identifier: MIT
"""The dims that operations run along, and torch's errors for them."""
import operator

EXTREMES = "amax", "amin", "argmax", "argmin"  # of no elements there is none


def one_dim(dim):
    """Returns dim as an int, also for NumPy's integers."""
    try:
        return operator.index(dim)
    except TypeError:
        raise TypeError(f"scanbench: dim must be one int here, not {dim!r}") from None


def normal_dim(dim, dims):
    """Returns dim counted from the front. As in torch, a scalar has one dim."""
    dim = one_dim(dim)
    most = max(dims, 1)
    if not -most <= dim < most:
        raise IndexError("Dimension out of range (expected to be in range of "
                         f"[{-most}, {most - 1}], but got {dim})")
    return dim % most


def ends_of(dim, dims):
    """Returns the first and the last of adjacent dims, which serve as one axis."""
    if dim is None:
        return 0, max(dims, 1) - 1
    if type(dim) is not tuple:
        return (normal_dim(dim, dims),) * 2
    places = sorted(normal_dim(one, dims) for one in dim)
    if not places or places != list(range(places[0], places[-1] + 1)):
        raise ValueError(f"scanbench: dims must be adjacent, and each given once, not {dim!r}")
    return places[0], places[-1]


def reduced_shape(shape, first, last, keepdim):
    ones = (1,) * (last + 1 - first) if keepdim and shape else ()
    return shape[:first] + ones + shape[last + 1:]


def strides_of(shape):
    """Returns the strides of a contiguous array, in elements."""
    strides = [1]
    for extent in shape[:0:-1]:
        strides.append(strides[-1] * max(extent, 1))
    return tuple(strides[::-1]) if shape else ()


def without_dim(shape, dim):
    """Returns the shape of one element per line."""
    at = normal_dim(dim, len(shape))
    return reduced_shape(tuple(shape), at, at, False)


def no_elements(name, dim, dims):
    """Returns torch's error for an empty dim, which argmax and argmin count from the front."""
    at = normal_dim(dim, dims) if name.startswith("arg") else dim
    return f"{name}(): Expected reduction dim {at} to have non-zero size."


def refuse_empty(name, shape, dim):
    """Raises, as in torch, if an extreme would be that of no elements."""
    if name not in EXTREMES or 0 not in shape:
        return
    if dim is None:
        words = f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
        if name.startswith("arg"):
            raise IndexError(words)
        raise RuntimeError(words + " Specify the reduction dim with the 'dim' argument.")
    for one in dim if type(dim) is tuple else (dim,):
        if shape[one] == 0:
            raise IndexError(no_elements(name, one, len(shape)))
