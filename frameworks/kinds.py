# SPDX-License-Identifier: MIT
"""Kinds of arrays that a Python function may be written for."""
import contextlib
import ctypes
import importlib

from frameworks.with_arrays import cupy_stream, cupy_view, numpy_view
from frameworks.with_jax import jax_scope
from frameworks.with_torch import torch_stream, torch_view


class Arrays:
    """NumPy on the host, CuPy on a GPU."""

    def __init__(self, name, gpu):
        self.gpu, self.module = gpu, importlib.import_module(name)
        self.types = getattr(self.module, 'ndarray', None),
        self.no_bfloat16 = name

    def view(self, *memory):
        return cupy_view(*memory) if self.gpu else numpy_view(*memory)

    def scope(self, p):
        return cupy_stream(p) if self.gpu else self.module.errstate(all='ignore')

    def dense(self, y):
        return self.module.ascontiguousarray(y)

    def place(self, y):
        """Returns the address and the number of bytes."""
        return y.data.ptr if self.gpu else y.ctypes.data, y.nbytes


class Torch(Arrays):
    def __init__(self, name, gpu):
        super().__init__(name, gpu)
        self.types = self.module.Tensor, self.module.nn.Parameter
        self.no_bfloat16 = None

    def view(self, pointer, extents, dtype):
        if self.gpu:
            return torch_view(pointer, extents, dtype)
        of = getattr(self.module, dtype)
        like = self.module.empty(extents, dtype=of, device='meta')
        if like.numel() == 0:
            return self.module.empty(extents, dtype=of)
        memory = ctypes.c_char * (like.numel() * like.element_size())
        return self.module.frombuffer(memory.from_address(pointer), dtype=of).reshape(extents)

    @contextlib.contextmanager
    def scope(self, p):
        with self.module.no_grad(), (torch_stream(p) if self.gpu
                                     else contextlib.nullcontext()):
            yield

    def dense(self, y):
        if y.layout is not self.module.strided or y.is_cuda != self.gpu:
            raise TypeError(f'the result is {y.layout} on {y.device}')
        return y.contiguous()

    def place(self, y):
        return y.data_ptr(), y.numel() * y.element_size()


class Jax(Arrays):
    """On a GPU through torch's views. JAX has its own streams, so the host waits."""

    def __init__(self, name, gpu):
        super().__init__(name, gpu)
        self.module.config.update('jax_enable_x64', True)
        self.torch = Torch('torch', gpu) if gpu else None
        self.types = type(self.module.numpy.zeros(1)),
        self.no_bfloat16 = None if gpu else 'numpy'

    def view(self, *memory):
        of = self.torch.view if self.gpu else numpy_view
        return self.module.dlpack.from_dlpack(of(*memory))

    def scope(self, p):
        return jax_scope(p) if self.gpu else contextlib.nullcontext()

    def dense(self, y):
        return y.block_until_ready()

    def place(self, y):
        return y.unsafe_buffer_pointer(), y.nbytes


KINDS = {'torch': Torch, 'cupy': Arrays, 'jax': Jax, 'numpy': Arrays}
