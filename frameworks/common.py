# SPDX-License-Identifier: MIT
"""The problem, views of the caller's memory, and helpers of all frameworks."""
from math import inf

DTYPES = {'float32': 'float32', 'float64': 'float64', 'float16': 'float32',
          'bfloat16': 'float32', 'int32': 'int64', 'int64': 'int64', 'uint8': 'int64',
          'bool': 'int64'}  # in the order of enum dtype, with the type of sums
SCANS = {'cumsum': 0, 'cumprod': 1, 'cummax': -inf, 'cummin': inf,
         'logcumsumexp': -inf}  # scan: identity
SCANS_OF = {'sum': 'cumsum', 'mean': 'cumsum', 'prod': 'cumprod', 'amax': 'cummax',
            'amin': 'cummin', 'logsumexp': 'logcumsumexp'}
NUMPY_TYPES = {'float32': '<f4', 'float64': '<f8', 'float16': '<f2', 'int32': '<i4',
               'int64': '<i8', 'uint8': '|u1', 'bool': '|b1', 'bfloat16': '<i2'}  # as bits
VIEWS = {}  # (framework, pointer, extents, type): view
VIEWS_MOST = 64
KEPT = {}  # framework: last output
COMPILED = {}  # framework and problem: function


class Memory:
    """The caller's memory, for frameworks to import."""

    def __init__(self, pointer, extents, dtype, read_only):
        self.__cuda_array_interface__ = {
            'shape': extents, 'typestr': NUMPY_TYPES[dtype], 'strides': None,
            'data': (pointer, read_only), 'version': 3}


class Problem:
    """`op` is [masked_]PLAIN[_exclusive][_reverse], a scan, or a reduction or flip; or
    cumsum_narrow, in the elements' type. A recurrence has a second input, x2, and initial
    elements, start, or 0; ragged lines have offsets, one more than segments."""

    def __init__(self, op, dtype, outer, axis, inner, x=0, mask=0, y=0,
                 device=0, stream=0, x2=0, start=0, offsets=0, segments=0, offset_bytes=0):
        self.op, (self.dtype, self.wide) = op, list(DTYPES.items())[dtype]
        self.wide = self.dtype if '_narrow' in op else self.wide
        self.masked = op.startswith('masked_')
        self.reverse = op.endswith('_reverse')
        self.exclusive = '_exclusive' in op
        self.plain = op
        for word in ('masked_', '_narrow', '_exclusive', '_reverse'):
            self.plain = self.plain.replace(word, '')
        self.scan = SCANS_OF.get(self.plain, self.plain)
        self.identity = SCANS.get(self.scan)
        self.extents = (outer, axis, inner)
        self.reduces = self.plain not in (*SCANS, 'flip', 'recurrence')
        self.out_extents = (outer, inner) if self.reduces else self.extents
        sums = self.wide == 'int64' and self.scan in ('cumsum', 'cumprod')
        self.out_dtype = 'int64' if sums or self.plain.startswith('arg') else self.dtype
        self.x, self.x2, self.start, self.mask, self.y = x, x2, start, mask, y
        self.device, self.stream = device, stream
        self.offsets, self.segments = offsets, segments
        self.offset_dtype = 'int32' if offset_bytes == 4 else 'int64'

    def key(self):
        return self.op, self.dtype, self.extents


def along(p, function, flip, where, pad, x, mask):
    """Applies the plain operation's function, masked, reversed or exclusive as p is."""
    if p.masked:
        x = where(mask, x, p.dtype != 'bool' and p.identity)
    if p.exclusive:
        return pad(function(x[:, :-1]), p.identity)
    return flip(function(flip(x))) if p.reverse else function(x)


def view(name, make, pointer, extents, dtype):
    """Returns a framework's view of memory, made once."""
    key = name, pointer, extents, dtype
    if key not in VIEWS:
        if len(VIEWS) == VIEWS_MOST:
            VIEWS.clear()
        VIEWS[key] = make(pointer, extents, dtype)
    return VIEWS[key]


def inputs(name, make, p):
    return (view(name, make, p.x, p.extents, p.dtype),
            view(name, make, p.mask, p.extents, 'bool') if p.masked else None)


def no_bools(*operations):
    """Returns the function that refuses bools in the plain operations."""
    return lambda p: (f'it has no {p.plain} of bools'
                      if p.dtype == 'bool' and p.plain in operations else None)


def not_bfloat16(p):
    return 'its public interface has no bfloat16' if p.dtype == 'bfloat16' else None
