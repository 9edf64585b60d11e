# SPDX-License-Identifier: MIT
"""Known ways to look fast or right, which are refused by name, and leaving the work to torch."""
import sys

# Operations of torch that do the work instead of the function.
WORK = {'cumsum', 'cumprod', 'cummax', 'cummin', '_cummax_helper', '_cummin_helper',
        'logcumsumexp', '_logcumsumexp', 'logsumexp', 'sum', 'mean', 'prod', 'amax', 'amin',
        'max', 'min', 'argmax', 'argmin', 'flip', 'mm', 'bmm', 'addmm', 'convolution'}
WATCHED = ('time.time', 'time.perf_counter', 'time.perf_counter_ns', 'time.monotonic',
           'torch.cuda.Event', 'torch.cuda.Event.record', 'torch.cuda.Event.elapsed_time',
           'torch.cuda.synchronize', 'torch.equal', 'torch.allclose', 'numpy.array_equal',
           'numpy.allclose', 'sys._current_frames')
frames = sys._current_frames  # that of Python itself, before a file runs


def watched():
    """Returns the functions by name, None if not imported, and the threads of Python."""
    found = {}
    for name in WATCHED:
        module, *parts = name.split('.')
        found[name] = sys.modules.get(module)
        for part in parts:
            found[name] = getattr(found[name], part, None)
    return found, set(frames())


def refuse_patches(before):
    for name, now in watched()[0].items():
        if before[0][name] not in (None, now):
            raise RuntimeError(f'patches {name}; no time here is taken by Python')


def refuse_threads(before):
    """The clock stops when a launch on the host returns."""
    left = set(frames()) - before[1]
    if left:
        raise RuntimeError(f'its launch leaves {len(left)} thread(s) running')


def refuse_unlike(kind, y, shapes, dtype):
    if type(y) not in kind.types:
        raise TypeError(f'returned {type(y).__module__}.{type(y).__name__}, which may be lazy, '
                        f'and not {kind.types[0].__name__} itself')
    got = str(y.dtype).rpartition('.')[2].replace('uint64', 'int64')  # NumPy's sums of uint8
    if tuple(y.shape) not in shapes or got != dtype:
        raise TypeError(f'returned {got} of {tuple(y.shape)}, not {dtype} of {shapes[0]}')


def refuse_alias(kind, y, x):
    (at, size), (start, bytes_) = kind.place(y), kind.place(x)
    if at < start + bytes_ and start < at + size:
        raise RuntimeError('its output aliases its input')


def profiled(function, x, named):
    """Returns the result, and the operations of torch that did the work."""
    if 'torch' not in sys.modules:
        return function(x, **named), set()
    profiler = sys.modules['torch'].autograd.profiler
    with profiler.profile(use_kineto=profiler.kineto_available()) as seen:
        y = function(x, **named)
    return y, WORK & {event.name.rpartition('::')[2] for event in seen.function_events}
