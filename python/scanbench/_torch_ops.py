# SPDX-License-Identifier: MIT
"""torch.ops.scanbench: the kernels, and the shapes of their results for compilers."""
import torch
from torch.autograd import forward_ad

from ._library import FLIP, MASKED, SUM, normal_dim, op_of, sum_shape
from ._torch_run import dtype_of, run

library = torch.library.Library("scanbench", "DEF")
library.define("cumsum(Tensor x, int dim, bool reverse=False, "
               "bool exclusive=False, Tensor? mask=None) -> Tensor")
library.define("sum(Tensor x, int dim, bool keepdim=False, Tensor? mask=None) "
               "-> Tensor")
library.define("flip(Tensor x, int dim) -> Tensor")


def _no_tangents():
    """Raises if tangents would be lost, as outside of _torch_func.py."""
    if forward_ad._current_level >= 0 and torch._C._is_fwd_grad_enabled():
        raise NotImplementedError(
            "scanbench: torch.ops.scanbench has no forward-mode derivatives: "
            "call scanbench.cumsum, sum or flip, without fullgraph=True")


def _cumsum_kernel(x, dim, reverse=False, exclusive=False, mask=None):
    _no_tangents()
    return run(op_of(reverse, exclusive, mask), x, dim, mask, None)


def _sum_kernel(x, dim, keepdim=False, mask=None):
    _no_tangents()
    return run(SUM | (MASKED if mask is not None else 0), x, dim, mask, None,
                sum_shape(tuple(x.shape), dim, keepdim))


def _flip_kernel(x, dim):
    _no_tangents()
    return run(FLIP, x, dim, None, None)


for _name in ("cumsum", "sum", "flip"):
    for _key in ("CPU", "CUDA"):
        library.impl(_name, globals()["_%s_kernel" % _name], _key)


# For compilers; extents may be symbolic.
@torch.library.register_fake("scanbench::cumsum")
def _cumsum_fake(x, dim, reverse=False, exclusive=False, mask=None):
    _no_tangents()
    dtype_of(x)
    normal_dim(dim, x.dim())
    return x.new_empty(x.shape)


@torch.library.register_fake("scanbench::sum")
def _sum_fake(x, dim, keepdim=False, mask=None):
    _no_tangents()
    dtype_of(x)
    return x.new_empty(sum_shape(tuple(x.shape), dim, keepdim))


@torch.library.register_fake("scanbench::flip")
def _flip_fake(x, dim):
    _no_tangents()
    dtype_of(x)
    normal_dim(dim, x.dim())
    return x.new_empty(x.shape)
