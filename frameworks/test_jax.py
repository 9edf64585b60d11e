# SPDX-License-Identifier: MIT
"""SOURCE: which device the variant of JAX uses, with four fake ones. Exit status
77: no JAX."""
import contextlib
import os
import sys
import types
import unittest

os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=4'
os.environ['JAX_PLATFORMS'] = 'cpu'
try:
    import jax
except ImportError as why:
    print('skipped: %s' % why)
    sys.exit(77)
sys.path[0] = sys.argv.pop(1)  # not this folder, whose frameworks.py it would be
from frameworks import with_jax  # noqa: E402
from frameworks.common import Problem  # noqa: E402

CURRENT = []  # device of CUDA


class Tensor:
    """A tensor on device 2, which torch exports only where that is current."""

    def __dlpack__(self, **words):
        assert CURRENT[-1] == 2, CURRENT
        return jax.numpy.ones((2, 3, 1)).__dlpack__()

    def __dlpack_device__(self):
        return 1, 0


class Devices(unittest.TestCase):
    def test_ordinals(self):
        """In whatever order JAX lists them, and where it sees only some."""
        devices = [types.SimpleNamespace(local_hardware_id=k) for k in (3, 0, 2)]
        for device in devices:
            self.assertIs(
                with_jax.device_of(devices, device.local_hardware_id), device)
        with self.assertRaisesRegex(RuntimeError, 'ordinal 1: it has 3, 0, 2'):
            with_jax.device_of(devices, 1)

    def test_launch(self):
        def started(backend):
            CURRENT.append(3)
            self.assertEqual(backend, 'gpu')
            return [types.SimpleNamespace(local_hardware_id=k) for k in range(4)]

        @contextlib.contextmanager
        def on_device(device):
            self.assertEqual(device.local_hardware_id, 2)
            yield
            CURRENT.append(3)

        cuda = types.SimpleNamespace(set_device=CURRENT.append,
                                     synchronize=lambda: None)
        sys.modules['torch'] = types.SimpleNamespace(cuda=cuda)
        jax.local_devices, jax.default_device = started, on_device
        with_jax.inputs = lambda *_: (Tensor(), None)
        self.assertNotEqual(
            with_jax.launch_jax('jax', Problem('cumsum', 0, 2, 3, 1, device=2)), 0)
        self.assertEqual(with_jax.KEPT['jax'].tolist(),
                         [[[1], [2], [3]]] * 2)
        self.assertEqual(CURRENT[-1], 2)


if __name__ == '__main__':
    unittest.main()
