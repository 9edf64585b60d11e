# SPDX-License-Identifier: MIT
"""Runs operations by frameworks on memory of the caller.

python.c runs this module and passes the others to load(); frameworks.c calls refuses() and
launch(). A tensor is a view of the given pointer, made once per buffer. A launch queues work on the
given stream and returns the address of its output, which the view or the module keeps alive."""
import functools
import importlib
import linecache
import os
import sys
import traceback
import types

# Frameworks start processes by sys.executable, which would be scanbench, JAX would
# take most of the device's memory at once, and torch's profiler would write to stderr.
sys.executable = os.environ.get('SCANBENCH_EXECUTABLE', sys.executable)
os.environ.update({'TORCHINDUCTOR_COMPILE_THREADS': '1', 'KINETO_LOG_LEVEL': '99',
                   'XLA_PYTHON_CLIENT_PREALLOCATE': 'false', **os.environ})

FRAMEWORKS = {}  # name: (packages, launch, the reason to refuse or None)


def load(text):
    """Runs a module from text, after a line with its name. Triton reads sources by linecache."""
    name, text = text.split('\n', 1)
    name = f'frameworks.{name}'
    file = f'<{name}>'
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, file, 'exec'), vars(module))
    FRAMEWORKS.update(getattr(module, 'FRAMEWORKS', {}))


def call(function, words, numbers):
    """For python.c: the function's result, or the text of its exception, which names no folders."""
    try:
        return globals()[function](words, *numbers)
    except BaseException as error:  # SystemExit, too
        hidden = '<frameworks', '<frozen', os.path.dirname(importlib.__file__)
        frames = [frame for frame in traceback.extract_tb(error.__traceback__)
                  if not frame.filename.startswith(hidden)]
        print(*traceback.format_list(frames), sep='', end='', file=sys.stderr)
        if isinstance(error, ModuleNotFoundError) and error.name:
            print(f'{sys.executable} has no {error.name}: name another Python by '
                  'SCANBENCH_PYTHON', file=sys.stderr)
        return f'{type(error).__name__}: {error}'.encode('ascii', 'replace').decode()


@functools.cache
def missing(package):
    """Returns the reason why it cannot be imported, or None."""
    try:
        return importlib.import_module(package) and None
    except Exception as error:  # imports may raise anything
        return f'no {package} to import ({error})'


def refuses(words, *numbers):
    """Returns the reason to refuse the problem, or None; words: "FRAMEWORK OPERATION"."""
    name, op = words.split()
    packages, _, refusal = FRAMEWORKS[name]
    p = sys.modules['frameworks.common'].Problem(op, *numbers)
    if p.extents[1] == 0 and p.plain not in ('sum', 'prod', 'mean'):
        return 'an axis of extent 0'
    return next(filter(None, map(missing, packages)), None) or refusal(p)


def judge(words, *numbers):
    return sys.modules['frameworks.with_function'].judge(words, *numbers)


def launch(words, *numbers):
    name, op = words.split()
    return FRAMEWORKS[name][1](name, sys.modules['frameworks.common'].Problem(op, *numbers))
