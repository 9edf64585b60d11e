# SPDX-License-Identifier: MIT
"""What each framework calls for an operation, on memory that is not its own.

frameworks.c calls refuses() and launch(). A tensor is a view of the given
pointer, made once a buffer. A launch queues work on the given stream and
returns where the output lies, which the view or this module keeps alive.
"""
import contextlib
import importlib
import linecache
import math
import os
import sys
import traceback

# What else would start processes by a name that is scanbench's, and take most
# of the device's memory at once.
sys.executable = os.environ.get('SCANBENCH_EXECUTABLE', sys.executable)
os.environ.setdefault('TORCHINDUCTOR_COMPILE_THREADS', '1')
os.environ.setdefault('XLA_PYTHON_CLIENT_PREALLOCATE', 'false')

OPS = ('cumsum', 'cumsum_exclusive', 'cumsum_reverse', 'masked_cumsum', 'sum',
       'flip')
DTYPES = ('float32', 'float64', 'float16', 'bfloat16')
NUMPY_TYPES = {'float32': '<f4', 'float64': '<f8', 'float16': '<f2',
               'bfloat16': '<i2', 'mask': '|b1'}  # bfloat16: its bits
VIEWS = {}  # (framework, pointer, extents, type): a view
VIEWS_MOST = 64
KEPT = {}  # of a framework, the last output
MISSING = {}  # package: why it cannot be imported, or None


class Memory:
    """Memory of the caller, as frameworks import it."""

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
        """The type that it is summed in."""
        return 'float64' if self.dtype == 'float64' else 'float32'

    def key(self):
        return self.op, self.dtype, self.extents


def view(name, make, pointer, extents, dtype):
    """A framework's view of memory; one that was made is used again."""
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


# ------------------------------------------------------------------ NumPy

def numpy_view(pointer, extents, dtype):
    import ctypes
    import numpy
    kind = numpy.dtype(NUMPY_TYPES[dtype])
    size = math.prod(extents) * kind.itemsize
    memory = (ctypes.c_char * size).from_address(pointer)
    return numpy.frombuffer(memory, kind).reshape(extents)


def by_arrays(module, x, mask, p):
    """NumPy and CuPy: the function of the operation, in the same words."""
    if p.op == 'flip':
        return module.flip(x, 1)
    if p.op == 'sum':
        return module.sum(x, axis=1, dtype=p.wide())
    if mask is not None:
        x = module.where(mask, x, x.dtype.type(0))
    if p.op == 'cumsum_reverse':
        return module.flip(module.cumsum(module.flip(x, 1), 1, p.wide()), 1)
    if p.op == 'cumsum_exclusive':
        y = module.zeros(x.shape, p.wide())
        y[:, 1:] = module.cumsum(x[:, :-1], 1, p.wide())
        return y
    return module.cumsum(x, 1, p.wide())


def launch_numpy(p):
    import numpy
    x, mask = inputs('numpy', numpy_view, p)
    y = by_arrays(numpy, x, mask, p).astype(p.dtype, copy=False)
    KEPT['numpy'] = numpy.ascontiguousarray(y)
    return KEPT['numpy'].ctypes.data


# ------------------------------------------------------------------ PyTorch

def torch_stream(p):
    import torch
    torch.cuda.set_device(p.device)
    if p.stream == 0:  # the one that it uses by itself
        return contextlib.nullcontext()
    return torch.cuda.stream(torch.cuda.ExternalStream(p.stream))


def torch_view(pointer, extents, dtype):
    import torch
    if math.prod(extents) == 0:
        return torch.empty(extents, dtype=getattr(torch, dtype), device='cuda')
    tensor = torch.as_tensor(Memory(pointer, extents, dtype, False),
                             device='cuda')
    return tensor.view(torch.bfloat16) if dtype == 'bfloat16' else tensor


def torch_function(p):
    import torch
    wide, narrow = getattr(torch, p.wide()), getattr(torch, p.dtype)

    def scan(x):
        if wide == narrow:
            return torch.cumsum(x, 1)
        return torch.cumsum(x, 1, dtype=wide).to(narrow)

    return {
        'cumsum': lambda x, mask: scan(x),
        'cumsum_exclusive': lambda x, mask: torch.nn.functional.pad(
            scan(x[:, :-1]), (0, 0, 1, 0)),
        'cumsum_reverse': lambda x, mask: scan(x.flip(1)).flip(1),
        'masked_cumsum': lambda x, mask: scan(torch.where(mask, x, 0)),
        'sum': lambda x, mask: x.sum(1),
        'flip': lambda x, mask: x.flip(1),
    }[p.op]


COMPILED = {}  # (name, problem): a function
TRITON = {}


def launch_torch(name, p):
    import torch
    key = name, p.key()
    if key not in COMPILED:
        function = torch_function(p)
        if name == 'torch_compile':  # after a few shapes it would give up
            torch.compiler.reset()
            for other in [k for k in COMPILED if k[0] == name]:
                del COMPILED[other]
            function = torch.compile(function, dynamic=False)
        COMPILED[key] = function
    with torch_stream(p):
        x, mask = inputs('torch', torch_view, p)
        KEPT[name] = COMPILED[key](x, mask).contiguous()
    return KEPT[name].data_ptr()


# ------------------------------------------------------------------ Triton

def triton_kernels():
    """Defined where Triton is; it reads their text from this module's."""
    global tl  # the kernels look it up among the module's names
    import triton
    import triton.language as tl

    def points(*tiles):
        return [triton.Config({'TILE': tile}, num_warps=warps)
                for tile, warps in tiles]

    rows = triton.autotune(points((1024, 4), (2048, 4), (4096, 8), (8192, 16)),
                           ['axis', 'KIND'])(triton.jit(scan_rows))
    columns = triton.autotune(
        [triton.Config({'STEPS': steps, 'WIDTH': width}, num_warps=warps)
         for steps, width, warps in ((16, 64, 4), (32, 64, 4), (32, 128, 8),
                                     (64, 32, 4))],
        ['axis', 'inner', 'KIND'])(triton.jit(scan_columns))
    return {'triton_rows': rows, 'triton_columns': columns}


def scan_rows(x, mask, y, axis, KIND: 'tl.constexpr', TILE: 'tl.constexpr'):
    line = tl.program_id(0).to(tl.int64)
    zero = tl.full((), 0, tl.float32)
    if y.dtype.element_ty == tl.float64:
        zero = zero.to(tl.float64)
    carry = zero
    lane = tl.arange(0, TILE)
    for start in range(0, axis, TILE):
        step = start + lane
        keep = step < axis
        at = line * axis + (axis - 1 - step if KIND == 2 else step)
        if KIND == 3:
            value = tl.load(x + at, tl.load(mask + at, keep, 0) & keep, 0.0)
        else:
            value = tl.load(x + at, keep, 0.0)
        value = value.to(carry.dtype)
        if KIND == 4:
            carry += tl.sum(value, 0)
        else:
            sums = carry + tl.cumsum(value, 0)
            if KIND == 1:
                tl.store(y + at + 1, sums.to(y.dtype.element_ty),
                         step + 1 < axis)
            else:
                tl.store(y + at, sums.to(y.dtype.element_ty), keep)
            carry += tl.sum(value, 0)
    if KIND == 4:
        tl.store(y + line, carry.to(y.dtype.element_ty))
    if KIND == 1:
        tl.store(y + line * axis, zero.to(y.dtype.element_ty))


def scan_columns(x, mask, y, axis, inner, KIND: 'tl.constexpr',
                 STEPS: 'tl.constexpr', WIDTH: 'tl.constexpr'):
    strips = tl.cdiv(inner, WIDTH)
    outer = tl.program_id(0).to(tl.int64) // strips
    lane = (tl.program_id(0) % strips) * WIDTH + tl.arange(0, WIDTH)
    first = outer * axis * inner
    carry = tl.zeros((WIDTH,), tl.float32)
    if y.dtype.element_ty == tl.float64:
        carry = carry.to(tl.float64)
    rows = tl.arange(0, STEPS)
    for start in range(0, axis, STEPS):
        step = start + rows
        keep = (step < axis)[:, None] & (lane < inner)[None, :]
        row = axis - 1 - step if KIND == 2 else step
        at = first + row.to(tl.int64)[:, None] * inner + lane[None, :]
        if KIND == 3:
            value = tl.load(x + at, tl.load(mask + at, keep, 0) & keep, 0.0)
        else:
            value = tl.load(x + at, keep, 0.0)
        value = value.to(carry.dtype)
        if KIND != 4:
            sums = carry[None, :] + tl.cumsum(value, 0)
            if KIND == 1:
                tl.store(y + at + inner, sums.to(y.dtype.element_ty),
                         keep & (step + 1 < axis)[:, None])
            else:
                tl.store(y + at, sums.to(y.dtype.element_ty), keep)
        carry += tl.sum(value, 0)
    if KIND == 4:
        tl.store(y + outer * inner + lane, carry.to(y.dtype.element_ty),
                 lane < inner)
    if KIND == 1:
        tl.store(y + first + lane, tl.zeros((WIDTH,), y.dtype.element_ty),
                 lane < inner)


def launch_triton(name, p):
    import triton
    if not TRITON:
        TRITON.update(triton_kernels())
    kernel = TRITON[name]
    outer, axis, inner = p.extents
    with torch_stream(p):
        x, mask = inputs('torch', torch_view, p)
        y = view('torch', torch_view, p.y, p.out_extents, p.dtype)
        if name == 'triton_rows':
            kernel[(outer,)](x, mask, y, axis, KIND=OPS.index(p.op))
        else:
            kernel[lambda point: (outer * triton.cdiv(inner, point['WIDTH']),)](
                x, mask, y, axis, inner, KIND=OPS.index(p.op))
    return p.y


# ------------------------------------------------------------------ CuPy, JAX

def cupy_view(pointer, extents, dtype):
    import cupy
    return cupy.asarray(Memory(pointer, extents, dtype, False))


def launch_cupy(p):
    import cupy
    x, mask = inputs('cupy', cupy_view, p)
    stream = (cupy.cuda.ExternalStream(p.stream) if p.stream
              else cupy.cuda.Stream.null)
    with stream:
        y = by_arrays(cupy, x, mask, p).astype(p.dtype, copy=False)
        KEPT['cupy'] = cupy.ascontiguousarray(y)
    return KEPT['cupy'].data.ptr


def jax_function(p):
    import jax
    import jax.numpy as jnp

    def function(x, mask=None):
        return by_arrays_of_jax(jnp, x, mask, p).astype(p.dtype)

    return jax.jit(function)


def by_arrays_of_jax(jnp, x, mask, p):
    if p.op == 'flip':
        return jnp.flip(x, 1)
    if p.op == 'sum':
        return jnp.sum(x, 1, dtype=p.wide())
    if mask is not None:
        x = jnp.where(mask, x, 0)
    if p.op == 'cumsum_reverse':
        return jnp.flip(jnp.cumsum(jnp.flip(x, 1), 1, p.wide()), 1)
    if p.op == 'cumsum_exclusive':
        return jnp.pad(jnp.cumsum(x[:, :-1], 1, p.wide()),
                       ((0, 0), (1, 0), (0, 0)))
    return jnp.cumsum(x, 1, p.wide())


def launch_jax(p):
    """It has streams of its own, so the host waits before and behind it."""
    import jax
    import torch
    jax.config.update('jax_enable_x64', True)
    key = 'jax', p.key()
    if key not in COMPILED:
        COMPILED[key] = jax_function(p)
    tensors = [t for t in inputs('torch', torch_view, p) if t is not None]
    torch.cuda.synchronize()
    arrays = [jax.dlpack.from_dlpack(t) for t in tensors]
    KEPT['jax'] = COMPILED[key](*arrays).block_until_ready()
    return KEPT['jax'].unsafe_buffer_pointer()


# ------------------------------------------------------------------ CUB

class Stream:
    def __init__(self, pointer):
        self.pointer = pointer

    def __cuda_stream__(self):
        return 0, self.pointer


def line_ends(pointer, extents, dtype):
    import torch
    outer, axis = extents
    return torch.arange(outer + 1, dtype=torch.int64, device='cuda') * axis


def launch_cuda_compute(p):
    import cuda.compute
    import numpy
    outer, axis, _ = p.extents
    common = {
        'd_in': Memory(p.x, (outer * axis,), p.dtype, False),
        'd_out': Memory(p.y, (math.prod(p.out_extents),), p.dtype, False),
        'op': cuda.compute.OpKind.PLUS, 'stream': Stream(p.stream)}
    zero = numpy.zeros(1, p.dtype)
    if p.op == 'cumsum':
        cuda.compute.inclusive_scan(init_value=zero, num_items=axis, **common)
    elif p.op == 'cumsum_exclusive':
        cuda.compute.exclusive_scan(init_value=zero, num_items=axis, **common)
    elif outer == 1:
        cuda.compute.reduce_into(h_init=zero, num_items=axis, **common)
    else:
        ends = view('cuda_compute', line_ends, 0, (outer, axis), 'int64')
        cuda.compute.segmented_reduce(
            h_init=zero, num_segments=outer, start_offsets_in=ends[:-1],
            end_offsets_in=ends[1:], **common)
    return p.y


def one_line(p):
    if p.dtype not in ('float32', 'float64'):
        return 'it would sum halves in halves'
    if p.extents[2] != 1:
        return 'contiguous lines only (inner > 1)'
    if p.op == 'sum':
        return None
    if p.op not in ('cumsum', 'cumsum_exclusive'):
        return 'it has no such operation'
    return None if p.extents[0] == 1 else 'its scans are of one line'


# ------------------------------------------------------------------ the plugin

# name: packages, launch, and why not this problem (None: it can)
def never(p):
    return None


def not_bfloat16(p):
    return ('no bfloat16 by its public interface' if p.dtype == 'bfloat16'
            else None)


def rows_only(p):
    if p.op == 'flip':
        return 'a flip is no scan'
    if p.extents[0] >= 1 << 31:
        return 'more lines than a grid has blocks'
    return None if p.extents[2] == 1 else 'contiguous lines only (inner > 1)'


def columns_only(p):
    if p.op == 'flip':
        return 'a flip is no scan'
    return 'strided lines only (inner = 1)' if p.extents[2] == 1 else None


FRAMEWORKS = {
    'numpy': (['numpy'], launch_numpy, not_bfloat16),
    'torch_eager': (['torch'], lambda p: launch_torch('torch_eager', p), never),
    'torch_compile': (['torch', 'triton'],
                      lambda p: launch_torch('torch_compile', p), never),
    'triton_rows': (['torch', 'triton'],
                    lambda p: launch_triton('triton_rows', p), rows_only),
    'triton_columns': (['torch', 'triton'],
                       lambda p: launch_triton('triton_columns', p),
                       columns_only),
    'cupy': (['cupy'], launch_cupy, not_bfloat16),
    'cuda_compute': (['cuda.compute', 'numpy', 'torch'], launch_cuda_compute,
                     one_line),
    'jax': (['jax', 'torch'], launch_jax, never),
}


def missing(package):
    if package not in MISSING:
        try:
            importlib.import_module(package)
            MISSING[package] = None
        except Exception as error:  # whatever an import may do
            MISSING[package] = f'no {package} to import ({error})'
    return MISSING[package]


def refuses(name, op, dtype, outer, axis, inner):
    packages, _, refusal = FRAMEWORKS[name]
    for package in packages:
        if missing(package):
            return missing(package)
    return refusal(Problem(op, dtype, outer, axis, inner))


def remember(text):
    """Triton reads its kernels' text; no file has it."""
    file = refuses.__code__.co_filename
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)


def launch(name, *numbers):
    try:
        return FRAMEWORKS[name][1](Problem(*numbers))
    except Exception:
        traceback.print_exc(file=sys.stderr)
        raise
