# SPDX-License-Identifier: MIT
"""PyTorch, call by call and compiled. Triton and JAX use its streams and views."""
import contextlib
import math

from frameworks.common import COMPILED, KEPT, Memory, along, inputs, no_bools, view


def torch_stream(p):
    import torch
    torch.cuda.set_device(p.device)
    if p.stream == 0:  # the default stream
        return contextlib.nullcontext()
    return torch.cuda.stream(torch.cuda.ExternalStream(p.stream))


def torch_view(pointer, extents, dtype):
    import torch
    if math.prod(extents) == 0:
        return torch.empty(extents, dtype=getattr(torch, dtype), device='cuda')
    tensor = torch.as_tensor(Memory(pointer, extents, dtype, False), device='cuda')
    return tensor.view(torch.bfloat16) if dtype == 'bfloat16' else tensor


def torch_arrays(p):
    """x, the mask or None, and y."""
    return (*inputs('torch', torch_view, p),
            view('torch', torch_view, p.y, p.out_extents, p.dtype))


def torch_function(p):
    """torch reduces half types in float itself, and scans them in the given type."""
    import torch
    wide, out = getattr(torch, p.wide), getattr(torch, p.out_dtype)
    functions = {
        'cumsum': lambda x: torch.cumsum(x, 1, dtype=wide),
        'cumprod': lambda x: torch.cumprod(x, 1, dtype=wide),
        'cummax': lambda x: torch.cummax(x, 1).values,
        'cummin': lambda x: torch.cummin(x, 1).values,
        'logcumsumexp': lambda x: torch.logcumsumexp(x.to(wide), 1),
        'logsumexp': lambda x: torch.logsumexp(x.to(wide), 1)}
    function = functions.get(p.plain) or (lambda x: getattr(x, p.plain)(1))
    return lambda x, mask: along(
        p, lambda x: function(x).to(out), lambda x: x.flip(1), torch.where,
        lambda y, value: torch.nn.functional.pad(y, (0, 0, 1, 0), value=value), x, mask)


def launch_torch(name, p):
    import torch
    key = name, p.key()
    if key not in COMPILED:
        function = torch_function(p)
        if name == 'torch_compile':  # or it gives up after a few shapes
            torch.compiler.reset()
            for other in [k for k in COMPILED if k[0] == name]:
                del COMPILED[other]
            function = torch.compile(function, dynamic=False)
        COMPILED[key] = function
    with torch_stream(p):
        x, mask = inputs('torch', torch_view, p)
        KEPT[name] = COMPILED[key](x, mask).contiguous()
    return KEPT[name].data_ptr()


no_places = no_bools('argmax', 'argmin')
FRAMEWORKS = {'torch_eager': (['torch'], launch_torch, no_places),
              'torch_compile': (['torch', 'triton'], launch_torch, no_places)}
