# SPDX-License-Identifier: MIT
"""JAX, by jax.jit."""
import contextlib

from frameworks.common import COMPILED, KEPT, inputs, no_bools
from frameworks.with_arrays import by_arrays
from frameworks.with_torch import torch_view


def device_of(devices, ordinal):
    """Returns the JAX device of a CUDA ordinal; JAX's own numbers may differ."""
    for device in devices:
        if device.local_hardware_id == ordinal:
            return device
    raise RuntimeError(f'JAX has no device of ordinal {ordinal}: it has '
                       + ', '.join(str(device.local_hardware_id)
                                   for device in devices))


def jax_own(p):
    import jax
    return {'cummax': lambda x: jax.lax.cummax(x, 1),
            'cummin': lambda x: jax.lax.cummin(x, 1),
            'logsumexp': lambda x: jax.nn.logsumexp(x.astype(p.wide), 1),
            'logcumsumexp': lambda x: jax.lax.cumlogsumexp(x.astype(p.wide), 1)}


@contextlib.contextmanager
def jax_scope(p):
    """JAX has its own streams, so the host waits before the call. JAX leaves its last
    device current, and torch exports only tensors of the current device."""
    import jax
    import torch
    device = device_of(jax.local_devices(backend='gpu'), p.device)
    torch.cuda.set_device(p.device)
    torch.cuda.synchronize()
    try:
        with jax.default_device(device):
            yield
    finally:
        torch.cuda.set_device(p.device)


def launch_jax(name, p):
    import jax
    jax.config.update('jax_enable_x64', True)
    key = name, p.device, p.key()
    with jax_scope(p):
        if key not in COMPILED:
            COMPILED[key] = jax.jit(lambda x, mask=None: by_arrays(
                jax.numpy, jax_own(p), x, mask, p))
        arrays = [jax.dlpack.from_dlpack(t) for t in inputs('torch', torch_view, p)
                  if t is not None]
        KEPT[name] = COMPILED[key](*arrays).block_until_ready()
    return KEPT[name].unsafe_buffer_pointer()


FRAMEWORKS = {'jax': (['jax', 'torch'], launch_jax, no_bools('cummax', 'cummin'))}
