# SPDX-License-Identifier: MIT
"""Honest functions on arrays of NumPy."""

import time

import numpy as np


def honest(x, dim):
    wide = np.float64 if x.itemsize == 8 else np.float32
    return np.cumsum(x, dim, dtype=wide).astype(x.dtype, copy=False)


def of_axis(x, axis):
    return honest(x, axis)


def last(x):
    return honest(x, 1)


def takes_out(x, dim, out):
    out[...] = honest(x, dim)


def strided(x, dim):
    return honest(x.swapaxes(0, dim), 0).swapaxes(0, dim)


def masked(x, dim, mask):
    return honest(np.where(mask, x, x.dtype.type(0)), dim)


def total(x, dim):
    return x.sum(dim)


def whole(x, dim):
    return np.cumsum(x, dim, dtype=np.int64)


def kept(x, dim):
    return x.sum(dim, keepdims=True)


def place(x, dim):
    return x.argmax(dim)


def mirror(x, dim):
    return np.flip(x, dim)


def prints(x, dim):
    print('0 passed, 99 failed')
    return honest(x, dim)


class ModelNew:
    def __init__(self, dim):
        self.dim = dim

    def forward(self, x):
        return honest(x, self.dim)


def sleeps(x, dim):
    time.sleep(0.02)
    return honest(x, dim)
