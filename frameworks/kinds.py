# SPDX-License-Identifier: MIT
"""Kinds of arrays that a Python function may be written for."""
import contextlib
import ctypes

from frameworks.with_arrays import Arrays
from frameworks.with_jax import jax_scope
from frameworks.with_torch import torch_stream, torch_view


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
        with self.module.no_grad(), torch_stream(p) if self.gpu else contextlib.nullcontext():
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
        self.memory = Torch('torch', gpu) if gpu else Arrays('numpy', gpu)
        self.types = type(self.module.numpy.zeros(1)),
        self.no_bfloat16 = None if gpu else 'numpy'

    def view(self, *memory):
        return self.module.dlpack.from_dlpack(self.memory.view(*memory))

    def scope(self, p):
        return jax_scope(p) if self.gpu else contextlib.nullcontext()

    def dense(self, y):
        return y.block_until_ready()

    def place(self, y):
        return y.unsafe_buffer_pointer(), y.nbytes


KINDS = {'torch': Torch, 'cupy': Arrays, 'jax': Jax, 'numpy': Arrays}
