# SPDX-License-Identifier: MIT
"""PyTorch, call by call and compiled. Triton and JAX use its streams and views."""
import contextlib
import math

from frameworks.common import COMPILED, KEPT, Memory, inputs, never


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


FRAMEWORKS = {
    'torch_eager': (['torch'], launch_torch, never),
    'torch_compile': (['torch', 'triton'], launch_torch, never),
}
