# SPDX-License-Identifier: MIT
"""What each framework calls for an operation, on memory that is not its own.

python.c runs this module, and gives the others to load(); frameworks.c calls
refuses() and launch(). A tensor is a view of the given pointer, made once a
buffer. A launch queues work on the given stream and returns where the output
lies, which the view or its module keeps alive.
"""
import importlib
import linecache
import os
import sys
import traceback
import types

# What else would start processes by a name that is scanbench's, and take most
# of the device's memory at once.
sys.executable = os.environ.get('SCANBENCH_EXECUTABLE', sys.executable)
os.environ.setdefault('TORCHINDUCTOR_COMPILE_THREADS', '1')
os.environ.setdefault('XLA_PYTHON_CLIENT_PREALLOCATE', 'false')

# name: packages, launch, and why not this problem (None: it can)
FRAMEWORKS = {}
MISSING = {}  # package: why it cannot be imported, or None


def load(text):
    """A module: its name on a line, and what its file has. No file has it where
    this runs, but Triton reads its kernels' text."""
    name, text = text.split('\n', 1)
    name = f'frameworks.{name}'
    file = f'<{name}>'
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, file, 'exec'), vars(module))
    FRAMEWORKS.update(getattr(module, 'FRAMEWORKS', {}))


def missing(package):
    if package not in MISSING:
        try:
            importlib.import_module(package)
            MISSING[package] = None
        except Exception as error:  # whatever an import may do
            MISSING[package] = f'no {package} to import ({error})'
    return MISSING[package]


def problem(*numbers):
    return sys.modules['frameworks.common'].Problem(*numbers)


def refuses(name, *numbers):
    packages, _, refusal = FRAMEWORKS[name]
    for package in packages:
        if missing(package):
            return missing(package)
    return refusal(problem(*numbers))


def launch(name, *numbers):
    try:
        return FRAMEWORKS[name][1](problem(*numbers))
    except Exception:
        traceback.print_exc(file=sys.stderr)
        raise
