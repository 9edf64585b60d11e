# SPDX-License-Identifier: MIT
"""The package with JAX: [DEVICE], cpu or cuda. Exit status 77: no JAX, or no such
device."""
import sys
import unittest

try:
    import jax
    import jax.numpy as jnp
    import numpy as np
except ImportError as why:
    print("skipped: %s" % why)
    sys.exit(77)
import scanbench

DEVICE = sys.argv.pop(1) if sys.argv[1:] in (["cpu"], ["cuda"]) else "cpu"
try:
    jax.config.update("jax_default_device", jax.devices(DEVICE)[0])
except RuntimeError as why:
    print("skipped: %s" % why)
    sys.exit(77)


def same(got, wanted):
    assert isinstance(got, jax.Array), type(got)
    assert got.dtype == wanted.dtype and got.devices() == jnp.zeros(1).devices()
    np.testing.assert_array_equal(np.asarray(got), np.asarray(wanted))


class OnJax(unittest.TestCase):
    def test_all(self):
        for shape in ((), (0,), (5,), (3, 4), (2, 3, 4), (300, 1025)):
            for dtype in ("float32", "float16", "bfloat16"):
                wide = np.random.default_rng(1).integers(-1, 2, shape).astype("float32")
                x = jnp.asarray(wide, dtype)
                of = x.dtype  # JAX would compile the wanted results, for each shape
                for dim in range(-x.ndim, x.ndim):
                    same(scanbench.cumsum(x, dim), wide.cumsum(dim).astype(of))
                    same(scanbench.cumsum(x, dim, mask=jnp.asarray(wide > 0)),
                         np.where(wide > 0, wide, 0).cumsum(dim).astype(of))
                    same(scanbench.sum(x, dim), wide.sum(dim).astype(of))
                    if x.shape[dim] and dtype == "float32":
                        same(scanbench.prod(x, dim, keepdim=True),
                             wide.prod(dim, keepdims=True))
                        same(scanbench.amax(x, dim), wide.max(dim))
                        same(scanbench.argmax(x, dim), jnp.argmax(x, dim))
                    same(scanbench.flip(x * 2, dim), np.flip(wide * 2, dim).astype(of))
                    same(scanbench.cumsum(scanbench.flip(x, dim), dim),
                         np.flip(wide, dim).cumsum(dim).astype(of))

    def test_integers(self):
        for dtype in ("int32", "uint8", "bool"):
            x = jnp.asarray(np.random.default_rng(2).integers(0, 200, (7, 65)) % 199, dtype)
            same(scanbench.cumsum(x, 1), jnp.cumsum(x.astype("int32"), 1))
            same(scanbench.sum(x, 0), x.astype("int32").sum(0))
            same(scanbench.amax(x, 0), x.max(0))
            same(scanbench.flip(x, 1), jnp.flip(x, 1))

    def test_refused(self):
        x = jnp.ones((3, 4))
        with self.assertRaisesRegex(TypeError, "not inside jit"):
            jax.jit(lambda x: scanbench.cumsum(x, 0))(x)
        with self.assertRaisesRegex(ValueError, "immutable"):
            scanbench.cumsum(x, 0, out=x)
        with self.assertRaisesRegex(TypeError, "mask would be lost"):
            scanbench.cumsum(x, 0, mask=np.ma.masked_array(np.ones((3, 4))))
        with self.assertRaisesRegex(TypeError, "no kernels for"):
            scanbench.cumsum(x.astype("int16"), 0)


if __name__ == "__main__":
    unittest.main()
