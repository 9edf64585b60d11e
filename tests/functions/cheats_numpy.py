# SPDX-License-Identifier: MIT
"""Known ways for a function on arrays of NumPy to look fast, and to fail."""

import os
import sys
import threading
import time

import numpy as np
from of_numpy import honest


def patches(x, dim):
    time.perf_counter = lambda: 0.0
    return honest(x, dim)


class Lazy(np.ndarray):
    pass


def lazy(x, dim):
    return honest(x, dim).view(Lazy)


def later(x, dim):
    y = np.empty_like(x)

    def work():
        time.sleep(0.02)
        y[...] = honest(x, dim)

    threading.Thread(target=work).start()
    return y


outputs = {}


def pointer(x, dim):
    key = x.ctypes.data, x.shape
    if key not in outputs:
        outputs[key] = honest(x, dim)
    return outputs[key]


def content(x, dim):
    key = x.ravel()[:64].tobytes(), x.shape
    if key not in outputs:
        outputs[key] = honest(x, dim)
    return outputs[key].copy()


def first(x, dim):
    return outputs.setdefault(x.shape, honest(x, dim))


def memory(x, dim):
    """Works on the memory of its first call, as a CUDA graph does."""
    return honest(outputs.setdefault(x.shape, x), dim)


calls = []


def every_other(x, dim):
    calls.append(1)
    return honest(x, dim) if len(calls) < 8 or len(calls) % 2 else np.empty_like(x)


def alias(x, dim):
    return x


def in_place(x, dim):
    x[...] = honest(x, dim)
    return x.copy()


def half(x, dim):
    return np.cumsum(x, dim, dtype=np.float16).astype(x.dtype)


def other_type(x, dim):
    return honest(x, dim).astype('float64')


def cut(x, dim):
    return honest(x, dim)[:-1]


def nothing(x, dim):
    pass


def raises(x, dim):
    raise ValueError('as planted')


def exits(x, dim):
    sys.exit(0)


def dies(x, dim):
    os._exit(0)


def hangs(x, dim):
    while True:
        pass
