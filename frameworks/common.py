# SPDX-License-Identifier: MIT
"""The problem, views of the caller's memory, and helpers of all frameworks."""
OPS = ('cumsum', 'cumsum_exclusive', 'cumsum_reverse', 'masked_cumsum', 'sum',
       'flip')
DTYPES = ('float32', 'float64', 'float16', 'bfloat16')
NUMPY_TYPES = {'float32': '<f4', 'float64': '<f8', 'float16': '<f2',
               'bfloat16': '<i2', 'mask': '|b1'}  # bfloat16 as its bits
VIEWS = {}  # by framework, pointer, extents and type
VIEWS_MOST = 64
KEPT = {}  # the last output of each framework
COMPILED = {}  # functions by framework and problem


class Memory:
    """The caller's memory, for frameworks to import."""

    def __init__(self, pointer, extents, dtype, read_only):
        self.__cuda_array_interface__ = {
            'shape': extents, 'typestr': NUMPY_TYPES[dtype], 'strides': None,
            'data': (pointer, read_only), 'version': 3}


class Problem:
    def __init__(self, op, dtype, outer, axis, inner, x=0, mask=0, y=0,
                 device=0, stream=0):
        self.op, self.dtype = OPS[op], DTYPES[dtype]
        self.extents = (outer, axis, inner)
        self.out_extents = (outer, inner) if self.op == 'sum' else self.extents
        self.x, self.mask, self.y = x, mask, y
        self.device, self.stream = device, stream

    def wide(self):
        """The accumulator type."""
        return 'float64' if self.dtype == 'float64' else 'float32'

    def key(self):
        return self.op, self.dtype, self.extents


def view(name, make, pointer, extents, dtype):
    """Returns a framework's view of memory, made once."""
    key = name, pointer, extents, dtype
    if key not in VIEWS:
        if len(VIEWS) == VIEWS_MOST:
            VIEWS.clear()
        VIEWS[key] = make(pointer, extents, dtype)
    return VIEWS[key]


def inputs(name, make, p):
    mask = p.op == 'masked_cumsum'
    return (view(name, make, p.x, p.extents, p.dtype),
            view(name, make, p.mask, p.extents, 'mask') if mask else None)


def never(p):
    return None


def not_bfloat16(p):
    return ('its public interface has no bfloat16' if p.dtype == 'bfloat16'
            else None)
