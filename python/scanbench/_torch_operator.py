# SPDX-License-Identifier: MIT
"""torch.ops.scanbench for compilers, and its calls with torch.func's transforms."""
import torch
from torch.autograd import forward_ad

LIBRARY = torch.library.Library("scanbench", "DEF")


def operator(name, words, kernel, fake, context, backward, batched, tangent=None):
    """Defines the operator of torch.ops, and returns the function that calls it. Where no compiler
    runs, that is a torch.autograd.Function: it has torch.func's transforms and, by `tangent`,
    forward mode, which torch.library cannot register. batched(call) is the rule of vmap."""
    LIBRARY.define(f"{name}({words}) -> Tensor")
    for key in ("CPU", "CUDA"):
        LIBRARY.impl(name, kernel, key)
    own, whole = getattr(torch.ops.scanbench, name), "scanbench::" + name
    torch.library.register_fake(whole, fake, lib=LIBRARY)
    torch.library.register_autograd(whole, backward, setup_context=context, lib=LIBRARY)
    torch.library.register_vmap(whole, batched(own), lib=LIBRARY)

    def call(*arguments):
        return (own if torch.compiler.is_compiling() else Function.apply)(*arguments)

    class Function(torch.autograd.Function):
        setup_context = staticmethod(context)
        vmap = staticmethod(batched(call))

        @staticmethod
        def forward(*arguments):
            return own(*arguments)
    Function.backward = staticmethod(backward)
    if tangent:
        Function.jvp = staticmethod(tangent)
    return call


def leading(x, at, size):
    """Returns an argument of vmap with the batch as its first dim."""
    return x.movedim(at, 0) if at is not None else x.expand((size, *x.shape))


def no_tangents():
    """Raises if an operator of torch.ops would lose tangents."""
    if forward_ad._current_level >= 0 and torch._C._is_fwd_grad_enabled():
        raise NotImplementedError(
            "scanbench: torch.ops.scanbench has no forward-mode derivatives: call "
            "scanbench.cumsum, sum, mean or flip, without fullgraph=True")
