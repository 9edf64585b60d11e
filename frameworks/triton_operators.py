# SPDX-License-Identifier: MIT
"""Triton: operators, and kernels that are compiled for each of them."""
import types

from frameworks.common import SCANS


def add(a, b):
    return a + b


def multiply(a, b):
    return a * b


def larger(a, b):
    return tl.maximum(a, b, tl.PropagateNan.ALL)


def smaller(a, b):
    return tl.minimum(a, b, tl.PropagateNan.ALL)


def log_add(a, b):
    distance = tl.where(a == b, 0.0, tl.abs(a - b))  # of infinities, too
    return tl.maximum(a, b, tl.PropagateNan.ALL) + tl.log(1 + tl.exp(-distance))


def join(a, b, next_a, next_b):
    """Composes two maps h -> a h + b."""
    return a * next_a, next_a * b + next_b


COMBINES = {'recurrence': join, 'cumsum': add, 'cumprod': multiply, 'cummax': larger, 'cummin': smaller,
            'logcumsumexp': log_add}


def loaded(x, mask, at, keep, KIND: 'tl.constexpr', IDENTITY: 'tl.constexpr'):
    """Masked-off elements are the identity."""
    if KIND == 3:
        keep = tl.load(mask + at, keep, 0) & keep
    return tl.load(x + at, keep, IDENTITY)


def compiled(kernel, scan):
    """Returns a copy of the kernel with the language and the scan's operator as globals."""
    global tl  # the operators read it as a global of this module
    import triton
    import triton.language as tl
    own = dict(kernel.__globals__, tl=tl, combine=triton.jit(COMBINES[scan]),
               loaded=triton.jit(loaded), IDENTITY=tl.constexpr(SCANS.get(scan, 0)))
    copy = types.FunctionType(kernel.__code__, own, kernel.__name__)
    copy.__annotations__ = kernel.__annotations__
    return triton.jit(copy)


def tuned(kernel, scan, keys, names, *points):
    """Tunes a kernel for each value of the keys; points are values of the names, and warps."""
    import triton
    return triton.autotune(
        [triton.Config(dict(zip(names, values)), num_warps=warps)
         for *values, warps in points], keys)(compiled(kernel, scan))


def launch_lines(kernel, p, arrays, **words):
    """Runs a program per line or, of strided ones, per strip of columns."""
    import triton
    outer, axis, inner = p.extents
    if inner == 1:
        kernel[(outer,)](*arrays, axis, **words)
    else:
        kernel[lambda point: (outer * triton.cdiv(inner, point['WIDTH']),)](
            *arrays, axis, inner, **words)


def kind_of(p):
    """KIND of the kernels."""
    of_scan = 3 if p.masked else 2 if p.reverse else int(p.exclusive)
    return of_scan if not p.reduces else 5 if p.plain == 'mean' else 4


def rows_only(p):
    if p.extents[0] >= 1 << 31:
        return 'more lines than a grid has blocks'
    return None if p.extents[2] == 1 else 'contiguous lines only (inner > 1)'


def columns_only(p):
    return 'strided lines only (inner = 1)' if p.extents[2] == 1 else None
