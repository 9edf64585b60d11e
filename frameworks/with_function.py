# SPDX-License-Identifier: MIT
"""One Python function, FILE.py:NAME: a callable on arrays of torch, CuPy, JAX or NumPy, a launcher
of Triton, or a class such as KernelBench's ModelNew.

x is (outer, axis), or (outer, axis, inner) unless inner is 1, so that dim is 1. By name it may take
dim or axis, mask and out. Its file can do all that this process can: cheats.py refuses known ways
to look fast, and the verifier finds wrong results."""
import ctypes
import importlib.util
import inspect
import os
import re
import sys

from frameworks import cheats
from frameworks.common import KEPT, view
from frameworks.kinds import KINDS

PROFILED = 2  # launches on a problem, from the first on; none of them is timed
FUNCTION = {}  # name, calls_torch, kind, judged; before: what cheats watch, as it was
TOLD = []  # empty until the message that torch does the work
LAUNCHES = {}  # by problem: their number, and True if one called torch for the work


def judge(words, calls_torch, gpu, device):
    """Runs the file of PATH:NAME; returns the reason if it has no such function, or one for the
    other device. The int at calls_torch is 1 if the last launch called torch for the work."""
    path, name = words.rsplit(':', 1)
    FUNCTION.update(name=name, calls_torch=ctypes.c_int.from_address(calls_torch))
    with open(path, encoding='utf-8', errors='replace') as file:
        lines = re.findall(r'^[ \t]*(?:import|from)[ \t](.*)', file.read(), re.M)
    words = re.findall(r'\w+', ' '.join(lines).replace('triton', 'torch'))
    kind = next((kind for kind in KINDS if kind in words), 'torch' if gpu else 'numpy')
    other = {'numpy': gpu and 'host', 'cupy': not gpu and 'GPU'}.get(kind)
    if other:
        return f'the function is for the {other}: see --device'
    FUNCTION['kind'] = KINDS[kind](kind, gpu)
    FUNCTION['before'] = cheats.watched()
    sys.path.append(os.path.dirname(path))  # behind all packages
    spec = importlib.util.spec_from_file_location('judged', path)
    module = sys.modules['judged'] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    it = getattr(module, name, None)
    if not callable(it):
        there = [name for name, other in vars(module).items()
                 if callable(other) and name[0] != '_']
        return (f'{os.path.basename(path)} has no function {name}; it has '
                + (', '.join(there) or 'none'))
    FUNCTION['judged'] = Judged(module, it, gpu and f'cuda:{device}')
    return None


def parameters(function):
    try:
        return set(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # built into C
        return {'dim'}


class Judged:
    def __init__(self, module, it, device):
        self.knows_dim = False
        if isinstance(it, type):  # a module of torch, as KernelBench makes it
            given = getattr(module, 'get_init_inputs', list)()
            named = {} if given else {n: 1 for n in parameters(it) & {'dim', 'axis'}}
            self.knows_dim, it = bool(given or named), it(*given, **named)
            it = it.to(device) if device and hasattr(it, 'to') else it
        self.function = it if callable(it) else it.forward
        self.takes = parameters(getattr(it, 'forward', it))
        self.named = {name: 1 for name in self.takes & {'dim', 'axis'}}

    def refuses(self, p):
        if p.extents[2] != 1 and not (self.knows_dim or self.named):
            return 'the function takes no dim, so only a last one (inner 1)'
        if p.masked and 'mask' not in self.takes:
            return 'the function takes no mask'
        if p.dtype == 'bfloat16' and FUNCTION['kind'].no_bfloat16:
            return f'{FUNCTION["kind"].no_bfloat16} has no bfloat16'
        return None

    def launch(self, name, p):
        kind, flat = FUNCTION['kind'], p.extents[2] == 1
        extents = p.extents[:2] if flat else p.extents
        outs = [p.out_extents[:1 if flat else 2], p.extents[:1] + (1,) + p.extents[2:3 - flat]
                ] if p.reduces else [extents]
        x = view(name, kind.view, p.x, extents, p.dtype)
        named = dict(self.named)
        if p.masked:
            named['mask'] = view(name, kind.view, p.mask, extents, 'bool')
        if 'out' in self.takes:
            named['out'] = view(name, kind.view, p.y, outs[0], p.out_dtype)
        known = LAUNCHES.setdefault(p.key(), [0, False])
        known[0] += 1
        with kind.scope(p):
            if known[0] <= PROFILED:
                y, work = cheats.profiled(self.function, x, named)
                known[1] = bool(work)
                if work and not TOLD:
                    TOLD.append(print(f'{FUNCTION["name"]} leaves the work to torch: '
                                      + ', '.join(sorted(work)), file=sys.stderr))
                cheats.refuse_patches(FUNCTION['before'])
            else:
                y = self.function(x, **named)
            y = named.get('out') if y is None else y
            cheats.refuse_unlike(kind, y, outs, p.out_dtype)
            y = KEPT[name] = kind.dense(y)
        FUNCTION['calls_torch'].value = known[1]
        cheats.refuse_threads(FUNCTION['before'])
        cheats.refuse_alias(kind, y, x)
        return kind.place(y)[0]


FRAMEWORKS = {f'function_{device}': ([], lambda name, p: FUNCTION['judged'].launch(name, p),
                                     lambda p: FUNCTION['judged'].refuses(p))
              for device in ('host', 'cuda')}
