# SPDX-License-Identifier: MIT
"""Kinds of arrays that a Python function may be written for."""
import contextlib
import ctypes
import importlib
import math

from frameworks.with_arrays import cupy_stream, cupy_view, numpy_view
from frameworks.with_jax import device_of
from frameworks.with_torch import torch_stream, torch_view


class Arrays:
    """NumPy on the host, CuPy on a GPU."""

    def __init__(self, name, gpu):
        self.name, self.gpu, self.module = name, gpu, importlib.import_module(name)
        self.types = getattr(self.module, 'ndarray', ()),

    def lacks(self, p):
        if self.gpu != (self.name == 'cupy'):
            return 'arrays of NumPy are on the host, those of CuPy on a GPU'
        return f'{self.name} has no bfloat16' if p.dtype == 'bfloat16' else None

    def view(self, *memory):
        return cupy_view(*memory) if self.gpu else numpy_view(*memory)

    def scope(self, p):
        return cupy_stream(p) if self.gpu else self.module.errstate(all='ignore')

    def dense(self, y):
        return self.module.ascontiguousarray(y)

    def dtype(self, y):
        return str(y.dtype)

    def place(self, y):
        """Returns the address and the number of bytes."""
        return y.data.ptr if self.gpu else y.ctypes.data, y.nbytes


class Torch(Arrays):
    def __init__(self, name, gpu):
        super().__init__(name, gpu)
        self.types = self.module.Tensor, self.module.nn.Parameter

    def lacks(self, p):
        return None

    def view(self, pointer, extents, dtype):
        if self.gpu:
            return torch_view(pointer, extents, dtype)
        of = getattr(self.module, 'bool' if dtype == 'mask' else dtype)
        empty = self.module.empty(extents, dtype=of, device='meta')
        if empty.numel() == 0:
            return self.module.empty(extents, dtype=of)
        memory = ctypes.c_char * (empty.numel() * empty.element_size())
        return self.module.frombuffer(memory.from_address(pointer), dtype=of).reshape(extents)

    def scope(self, p):
        stack = contextlib.ExitStack()
        stack.enter_context(self.module.no_grad())
        if self.gpu:
            stack.enter_context(torch_stream(p))
        return stack

    def dense(self, y):
        if y.layout is not self.module.strided or y.is_cuda != self.gpu:
            raise TypeError(f'the result is {y.layout} on {y.device}')
        return y.contiguous()

    def dtype(self, y):
        return str(y.dtype).rpartition('.')[2]

    def place(self, y):
        return y.data_ptr(), y.numel() * y.element_size()


class Jax(Arrays):
    """On a GPU through torch's views. JAX has its own streams, so the host waits."""

    def __init__(self, name, gpu):
        super().__init__(name, gpu)
        self.module.config.update('jax_enable_x64', True)
        self.torch = Torch('torch', gpu) if gpu else None
        self.types = type(self.module.numpy.zeros(1)),

    def lacks(self, p):
        return 'NumPy has no bfloat16' if p.dtype == 'bfloat16' and not self.gpu else None

    def view(self, *memory):
        return self.module.dlpack.from_dlpack((self.torch.view if self.gpu else numpy_view)(
            *memory))

    @contextlib.contextmanager
    def scope(self, p):
        if not self.gpu:
            yield
            return
        with torch_stream(p):
            self.torch.module.cuda.synchronize()
        with self.module.default_device(
                device_of(self.module.local_devices(backend='gpu'), p.device)):
            yield
        self.torch.module.cuda.set_device(p.device)  # JAX leaves its last one current

    def dense(self, y):
        return y.block_until_ready()

    def place(self, y):
        return y.unsafe_buffer_pointer(), y.nbytes


KINDS = {'numpy': Arrays, 'cupy': Arrays, 'torch': Torch, 'jax': Jax}
