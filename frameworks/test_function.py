# SPDX-License-Identifier: MIT
"""SCANBENCH [cuda]: `--python` with honest functions and with every known way to look fast,
each caught by name: on the host of NumPy, and of torch and JAX where they are installed; on
a GPU of torch. Exit status 77: no NumPy, no libpython, or no GPU of torch."""
import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCANBENCH = os.path.abspath(sys.argv.pop(1))
FUNCTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../tests/functions')
DEVICE = sys.argv.pop(1) if sys.argv[1:] == ['cuda'] else 'host'


def libraries():
    """Returns LD_LIBRARY_PATH with torch's NCCL first, which may be newer than scanbench's."""
    own = importlib.util.find_spec('nvidia')
    folders = [os.path.join(f, 'nccl/lib') for f in own.submodule_search_locations] if own else []
    return ':'.join(folders + [os.environ.get('LD_LIBRARY_PATH', '')]).strip(':')


class Function(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name in ('of_numpy', 'cheats_numpy', 'of_torch', 'of_jax', 'of_gpu'):
            shutil.copy(os.path.join(FUNCTIONS, name + '.py'), self.folder)
        with open(os.path.join(self.folder, 'bad.py'), 'w') as file:
            file.write('import numpy\n1 +')

    def says(self, status, words, command='check', function='of_numpy.py:honest'):
        """Returns stdout and stderr of a command whose last word is the function."""
        run = subprocess.run(
            [SCANBENCH, command, '--device', DEVICE, '--python', function, *words.split()],
            text=True, capture_output=True, cwd=self.folder,
            env={**os.environ, 'SCANBENCH_PYTHON': sys.executable,
                 'LD_LIBRARY_PATH': libraries()})
        if status is not None:
            self.assertEqual(run.returncode, status, (function, run.stdout, run.stderr))
        return run.stdout, run.stderr

    def checks(self, function, op='cumsum', status=0, dtype='f32', shape='40x1025:1,3x5x7:1',
               more='--timeout 60'):
        return self.says(status, f'-q --op {op} --dtype {dtype} --shape {shape} '
                         + more, function=function)

    def test_honest(self):
        for name in ('honest', 'of_axis', 'takes_out', 'strided', 'prints', 'ModelNew'):
            self.assertEqual(self.checks('of_numpy.py:' + name)[0],
                             '2 passed, 0 failed, 0 skipped\n')
        for name, op, dtype in (
                ('masked', 'masked_cumsum', 'f64'), ('total', 'sum', 'f64'), ('kept', 'sum', 'u8'),
                ('place', 'argmax', 'i64'), ('mirror', 'flip', 'bool'), ('whole', 'cumsum', 'i32')):
            self.assertEqual(self.checks('of_numpy.py:' + name, op, dtype=dtype)[0],
                             '2 passed, 0 failed, 0 skipped\n')
        out, _ = self.checks('of_numpy.py:honest', dtype='f32,f64,f16,bf16', more='--repeat 3')
        self.assertEqual(out, '6 passed, 0 failed, 2 skipped\n')
        self.assertEqual(self.checks('of_numpy.py:last')[0], '1 passed, 0 failed, 1 skipped\n')
        os.rename(self.folder + '/of_numpy.py', self.folder + '/gr\xf6\xdfe.py')
        self.checks('gr\xf6\xdfe.py:honest')

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
            _, err = self.checks('cheats_numpy.py:' + name, status=1, shape='40x1025:1')
            self.assertRegex(err, '(?m)' + text)
        self.assertIn('in raises\n', self.checks('cheats_numpy.py:raises', status=1)[1])
        _, err = self.checks('cheats_numpy.py:hangs', status=1, more='--timeout 1')
        self.assertRegex(err, '(?m)^timeout: .*not done after 1 s')

    def test_mistakes(self):
        for function, status, text in (
                ('of_numpy.py', 2, 'name a function: FILE.py:NAME'),
                ('of_numpy:honest', 2, '(a Python function is FILE.py:NAME)'),
                ('none.py:f', 2, 'function none.py:f: No such file'),
                ('of_numpy.py:onest', 2, 'start: of_numpy.py has no function onest; it has honest, '),
                ('bad.py:f', 2, 'start: SyntaxError'), ('of_numpy.py:masked', 1, 'TypeError')):
            self.assertIn(text, self.checks(function, status=status)[1])
        for text, status in (('import no_such.module', 2),
                             ('import numpy\ndef f(x):\n    import no_such.module', 1)):
            with open(os.path.join(self.folder, 'lacks.py'), 'w') as file:
                file.write(text)
            self.assertRegex(self.checks('lacks.py:f', status=status)[1],
                             f'(?m)^{sys.executable} has no no_such: name another Python by S')
        self.assertIn('--op cumsum', self.says(2, '')[1])
        self.assertIn('one Python function at a time', self.says(
            2, '--op cumsum --python of_numpy.py:last')[1])
        self.assertIn('a recurrence has two inputs', self.says(
            2, '--op cumsum,recurrence', 'list')[1])
        self.assertRegex(self.says(0, '--families', 'list')[0], '(?m)^python/honest')

    def test_run(self):
        """A run reports time, error and marks; the time includes what a launch sleeps."""
        words = '-q --op cumsum --dtype f32 --shape 64x64:1 --budget 20 -f honest|sleeps|/serial/'
        out, err = self.says(0, words + ' --format json', 'run', 'of_numpy.py:sleeps')
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
        self.assertNotIn('of_numpy', text)
        self.says(0, '-q --resume one', 'run')
        with open(os.path.join(self.folder, 'of_numpy.py'), 'a') as file:
            file.write('\n')
        self.assertIn('python', self.says(2, '-q --resume one', 'run')[1])
        _, err = self.says(1, words.replace('honest', 'memory'), 'run', 'cheats_numpy.py:memory')
        self.assertRegex(err, '(?m)^wrong: .*after timing')
        cells = json.loads(self.checks('cheats_numpy.py:content', status=1,
                                       more='--format json')[0])
        self.assertEqual([cell['status'] for cell in cells][:1], ['wrong'])

    def marks(self, name, marks):
        out, err = self.checks('of_torch.py:' + name, dtype='f32,f64,i32,bool',
                               shape='5x17:1,3x5x7:1', more='--format json')
        self.assertEqual({cell['marks'] for cell in json.loads(out)}, {marks}, name)
        self.assertEqual(err.splitlines()[:-1],  # but for the tally
                         [f'{name} leaves the work to torch: cumsum'] if marks else [])

    @unittest.skipUnless(importlib.util.find_spec('torch'), 'no torch')
    def test_torch(self):
        for name, marks in (('calls', 'calls_torch'), ('own', ''), ('ModelNew', 'calls_torch')):
            self.marks(name, marks)
        for name, text in (('lazy', 'which may be lazy'),
                           ('patched', 'patches torch.cuda.Event.elapsed_time')):
            self.assertIn(text, self.checks('of_torch.py:' + name, status=1)[1])

    @unittest.skipUnless(importlib.util.find_spec('jax'), 'no JAX')
    def test_jax(self):
        self.checks('of_jax.py:calls', dtype='f32,f64,i64,bool')


class OnGpu(Function):
    def test_gpu(self):
        self.marks('own', '')
        self.marks('ModelNew', 'calls_torch')
        self.checks('of_gpu.py:stream', status=1, shape='4096x4096:1')
        _, err = self.says(1, '-q --op cumsum --dtype f32 --shape 64x1024:1 --budget 20 -f graph',
                           'run', 'of_gpu.py:graph')
        self.assertRegex(err, '(?m)^wrong: .*after timing')


if DEVICE == 'cuda':  # few commands, as each imports torch
    for name in [name for name in vars(Function) if name.startswith('test_')]:
        delattr(Function, name)
else:
    del OnGpu

if __name__ == '__main__':
    if DEVICE == 'cuda' and not (importlib.util.find_spec('torch')
                                 and importlib.import_module('torch').cuda.is_available()):
        print('skipped: no GPU of torch')
        sys.exit(77)
    probe = Function('checks')
    probe.setUp()
    why = probe.says(None, '-q --op cumsum --shape 3x5:1 --dtype f32')[1]
    probe.doCleanups()
    if not importlib.util.find_spec('numpy') or 'libpython' in why:
        print('skipped: no NumPy, or', why)
        sys.exit(77)
    unittest.main()
