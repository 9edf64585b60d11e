# SPDX-License-Identifier: MIT
"""Arrays of JAX, outside of jit: on the host through NumPy, on a GPU on a stream of JAX's."""
import ctypes

import jax
import numpy

from . import _numpy
from ._library import DTYPES, HOST, check, gives_long, launch, no_kernels, plan
from ._ops import MASKED


class _Written:
    """Hands a written array back to JAX as a new one, since its arrays are immutable."""

    def __init__(self, array, stream):
        self.array, self.stream = array, stream

    def __dlpack__(self, **_):
        return self.array.__dlpack__(stream=self.stream)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def seen(x):
    """Returns the type, shape and device of an array, for a plan."""
    dtype = DTYPES.get(x.dtype.name)
    if dtype is None:
        raise no_kernels(x.dtype)
    device, = x.devices()
    return dtype, x.shape, HOST if device.platform == "cpu" else device.local_hardware_id


def _on_gpu(op, x, dim, keepdim, mask, max_error):
    dtype, _, number = seen(x)
    device, = x.devices()
    if mask is not None:
        mask = jax.numpy.broadcast_to(jax.numpy.asarray(mask) != 0, x.shape)
    address, bytes_, shape, _, long, _ = plan(op, dtype, x.shape, dim, keepdim, number,
                                              max_error)
    with jax.default_device(device):
        # JAX has int64 by an option alone: two int32, the low one first.
        out = (jax.numpy.empty(shape + (2,), "int32") if long
               else jax.numpy.empty(shape, x.dtype))
        room = jax.numpy.empty(bytes_ + 256, "uint8") if bytes_ else None
    stream = device.get_stream_for_external_ready_events()
    # JAX does not order its work with that of others on its memory, so the host waits
    # for the inputs, the output and the workspace, and for the launch.
    jax.block_until_ready([x, mask, out, room])
    where = [None if a is None else a.unsafe_buffer_pointer() for a in (x, mask, out, room)]
    if room is not None:
        where[3] = (where[3] + 255) // 256 * 256
    check(launch(address, *where, stream), number)
    error = ctypes.CDLL("libcuda.so.1").cuStreamSynchronize(ctypes.c_void_p(stream))
    if error:
        raise RuntimeError(f"scanbench: cuStreamSynchronize: error {error}")
    out = jax.dlpack.from_dlpack(_Written(out, stream))
    if not gives_long(op, dtype):
        return out
    return (jax.lax.bitcast_convert_type(out, "int64") if jax.config.jax_enable_x64
            else out[..., 0])


def run(op, x, dim, keepdim, mask, out, max_error):
    if out is not None:
        raise ValueError("scanbench: arrays of JAX are immutable: no out=")
    if isinstance(x, jax.core.Tracer):
        raise TypeError("scanbench: not inside jit: call it on arrays")
    device, = x.devices()
    if device.platform == "cpu":
        mask = None if mask is None else numpy.asarray(mask)
        return jax.numpy.asarray(
            _numpy.run(op, numpy.asarray(x), dim, keepdim, mask, None, max_error))
    if mask is not None:
        op |= MASKED
    return _on_gpu(op, x, dim, keepdim, mask, max_error)
