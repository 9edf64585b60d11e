# SPDX-License-Identifier: MIT
"""SCANBENCH: `--python` on the host, with honest functions and with every known way to look
fast, each caught by name; of NumPy, and of torch and JAX where they are installed. Exit
status 77: no NumPy, or no libpython."""
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

SCANBENCH = os.path.abspath(sys.argv.pop(1))
NUMPY = '''
import os, sys, threading, time
import numpy as np

def honest(x, dim):
    wide = np.float64 if x.itemsize == 8 else np.float32
    return np.cumsum(x, dim, dtype=wide).astype(x.dtype, copy=False)
def of_axis(x, axis): return honest(x, axis)
def last(x): return honest(x, 1)
def takes_out(x, dim, out): out[...] = honest(x, dim)
def strided(x, dim): return honest(x.swapaxes(0, dim), 0).swapaxes(0, dim)
def masked(x, dim, mask): return honest(np.where(mask, x, x.dtype.type(0)), dim)
def total(x, dim): return x.sum(dim)
def kept(x, dim): return x.sum(dim, keepdims=True)
def place(x, dim): return x.argmax(dim)
def mirror(x, dim): return np.flip(x, dim)
def prints(x, dim):
    print('0 passed, 99 failed')
    return honest(x, dim)
class ModelNew:
    def __init__(self, dim): self.dim = dim
    def forward(self, x): return honest(x, self.dim)
    def __call__(self, x): return self.forward(x)

def patches(x, dim):
    time.perf_counter = lambda: 0.0
    return honest(x, dim)
class Lazy(np.ndarray): pass
def lazy(x, dim): return honest(x, dim).view(Lazy)
def later(x, dim, raw=False):
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
def first(x, dim): return outputs.setdefault(x.shape, honest(x, dim))
calls = []
def every_other(x, dim):
    calls.append(1)
    return honest(x, dim) if len(calls) < 8 or len(calls) % 2 else np.empty_like(x)
def alias(x, dim): return x
def in_place(x, dim):
    x[...] = honest(x, dim)
    return x.copy()
def half(x, dim): return np.cumsum(x, dim, dtype=np.float16).astype(x.dtype)
def other_type(x, dim): return honest(x, dim).astype('float64')
def cut(x, dim): return honest(x, dim)[:-1]
def nothing(x, dim): pass
def raises(x, dim): raise ValueError('as planted')
def exits(x, dim): sys.exit(0)
def dies(x, dim): os._exit(0)
def hangs(x, dim):
    while True: pass
def sleeps(x, dim):
    time.sleep(0.02)
    return honest(x, dim)
'''
TORCH = '''
import torch
def calls(x, dim): return torch.cumsum(x, dim)
def own(x, dim, out):
    total = torch.zeros_like(x.select(dim, 0))
    for k in range(x.shape[dim]):
        total = total + x.select(dim, k)
        out.select(dim, k).copy_(total)
class Lazy(torch.Tensor): pass
def lazy(x, dim): return torch.cumsum(x, dim).as_subclass(Lazy)
def patched(x, dim):
    torch.cuda.Event.elapsed_time = lambda *words: 0.0
    return torch.cumsum(x, dim)
class ModelNew(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
    def forward(self, x): return torch.cumsum(x, self.dim)
def get_init_inputs(): return [1]
'''
JAX = 'import jax\ndef calls(x, dim): return jax.numpy.cumsum(x, dim)\n'


class Function(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name, text in (('f', NUMPY), ('t', TORCH), ('j', JAX), ('bad', 'import numpy\n1 +')):
            with open(os.path.join(self.folder, name + '.py'), 'w') as file:
                file.write(text)

    def says(self, status, words, command='check', function='f.py:honest'):
        """Returns stdout and stderr of a command on a function, which ends with it."""
        run = subprocess.run(
            [SCANBENCH, command, '--device', 'host', '--python', function, *words.split()],
            text=True, capture_output=True, cwd=self.folder,
            env={**os.environ, 'SCANBENCH_PYTHON': sys.executable})
        self.assertIn(run.returncode, (range(256) if status is None else [status]), (function, run.stdout, run.stderr))
        return run.stdout, run.stderr

    def checks(self, function, op='cumsum', status=0, dtype='f32', shape='40x1025:1,3x5x7:1',
               more='--timeout 60'):
        return self.says(status, f'-q --op {op} --dtype {dtype} --shape {shape} '
                         + more, function=function)

    def test_honest(self):
        for name in ('honest', 'of_axis', 'takes_out', 'strided', 'prints', 'ModelNew'):
            self.assertEqual(self.checks('f.py:' + name)[0], '2 passed, 0 failed, 0 skipped\n')
        for name, op in (('masked', 'masked_cumsum'), ('total', 'sum'), ('kept', 'sum'),
                         ('place', 'argmax'), ('mirror', 'flip')):
            self.assertEqual(self.checks('f.py:' + name, op, dtype='f64')[0],
                             '2 passed, 0 failed, 0 skipped\n')
        out, _ = self.checks('f.py:honest', dtype='f32,f64,f16,bf16', more='--repeat 3')
        self.assertEqual(out, '6 passed, 0 failed, 2 skipped\n')
        self.assertEqual(self.checks('f.py:last')[0], '1 passed, 0 failed, 1 skipped\n')

    def test_cheats(self):
        for name, text in (
                ('patches', 'patches time.perf_counter'), ('lazy', 'Lazy, which may be lazy'),
                ('later', r'leaves 1 thread'), ('alias', 'output aliases its input'),
                ('in_place', 'wrote to its input'), ('half', 'exact input'),
                ('pointer', '^wrong'), ('content', '^wrong'), ('first', '^wrong'),
                ('every_other', '^(wrong|error)'),
                ('other_type', r'returned float64 of \(40, 1025\), not float32'),
                ('cut', r'of \(39, 1025\), not float32 of \(40, 1025\)'),
                ('nothing', 'NoneType'), ('raises', 'ValueError: as planted'),
                ('exits', 'SystemExit'), ('dies', 'the worker ended with status 0')):
            _, err = self.checks('f.py:' + name, status=1, shape='40x1025:1')
            self.assertRegex(err, '(?m)' + text)
        self.assertIn('in raises\n', self.checks('f.py:raises', status=1)[1])
        _, err = self.checks('f.py:hangs', status=1, more='--timeout 1')
        self.assertRegex(err, '(?m)^timeout: .*not done after 1 s')

    def test_mistakes(self):
        for function, status, text in (
                ('f.py', 2, 'name a function: FILE.py:NAME'),
                ('none.py:f', 2, 'No such file'), ('f.py:onest', 1, 'no function onest; it has '
                                                   'honest, of_axis'),
                ('bad.py:f', 1, 'SyntaxError'), ('f.py:masked', 1, 'TypeError')):
            self.assertIn(text, self.checks(function, status=status)[1])
        self.assertIn('--op cumsum', self.says(2, '')[1])
        self.assertIn('as two Python functions', self.says(
            2, '--op cumsum --python f.py:last')[1])
        self.assertRegex(self.says(0, '--families', 'list')[0], '(?m)^python/honest')

    def test_run(self):
        """Time, error and marks of the function, beside others'; a launch that sleeps takes
        as long as it does."""
        words = '-q --op cumsum --dtype f32 --shape 64x64:1 --budget 20 -f honest|sleeps|/serial/'
        out, err = self.says(0, words + ' --format json', 'run', 'f.py:sleeps')
        cells = {cell['variant']: cell for cell in json.loads(out) if cell['op'] == 'cumsum'}
        self.assertEqual(set(cells), {'serial', 'sleeps'})
        slept = cells['sleeps']
        self.assertGreater(slept['us'], 2e4)
        self.assertEqual((slept['status'], slept['marks']), ('ok', ''))
        self.assertTrue(0 < slept['pct_ceiling'] < cells['serial']['pct_ceiling'])
        self.assertTrue(0 <= slept['max_err'] < slept['err_bound'])
        self.says(0, words + ' --cache hot -o one', 'run')
        with open(os.path.join(self.folder, 'one', 'manifest.csv')) as file:
            text = file.read()
        self.assertRegex(text, '(?m)^plugins,python:[0-9a-f]{16}$')
        self.assertNotIn('f.py', text)
        self.says(0, '-q --resume one', 'run')
        with open(os.path.join(self.folder, 'f.py'), 'a') as file:
            file.write('\n')
        self.assertIn('python', self.says(2, '-q --resume one', 'run')[1])
        cells = json.loads(self.checks('f.py:content', status=1, more='--format json')[0])
        self.assertEqual([cell['status'] for cell in cells][:1], ['wrong'])

    @unittest.skipUnless(importlib.util.find_spec('torch'), 'no torch')
    def test_torch(self):
        for name, marks in (('calls', 'calls_torch'), ('own', ''), ('ModelNew', 'calls_torch')):
            out, _ = self.checks('t.py:' + name, dtype='f32,f64', shape='5x17:1,3x5x7:1',
                                 more='--format json')
            self.assertEqual({cell['marks'] for cell in json.loads(out)}, {marks}, name)
        for name, text in (('lazy', 'which may be lazy'),
                           ('patched', 'patches torch.cuda.Event.elapsed_time')):
            self.assertIn(text, self.checks('t.py:' + name, status=1)[1])

    @unittest.skipUnless(importlib.util.find_spec('jax'), 'no JAX')
    def test_jax(self):
        self.checks('j.py:calls', dtype='f32,f64')


if __name__ == '__main__':
    probe = Function('checks')
    probe.setUp()
    why = probe.says(None, '-q --op cumsum --shape 3x5:1 --dtype f32')[1]
    probe.doCleanups()
    if not importlib.util.find_spec('numpy') or 'libpython' in why:
        print('skipped: no NumPy, or', why)
        sys.exit(77)
    unittest.main()
