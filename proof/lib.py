# SPDX-License-Identifier: MIT
"""Functions of the proofs. A proof measures into its own folder under RESULTS, unless it is
complete, and then judges the CSVs, which needs no GPU."""
import argparse
import csv
import io
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCANBENCH = os.path.abspath(os.environ.setdefault('SCANBENCH', f'{HERE.parent}/build/cli/scanbench'))
SCRATCH = tempfile.TemporaryDirectory()
STATUSES = '''SCANBENCH names the program (default: build/cli/scanbench). An interrupted proof continues when
called again.

Exit status: 0 all is met, 1 something is missed, 2 usage or a failed run, 77 no usable
GPU, 130 interrupted.'''


def die(words, status=2):
    print(f'{pathlib.Path(sys.argv[0]).stem}: {words}', file=sys.stderr)
    sys.exit(status)


def run(main):
    """Calls the script's main(), which returns the exit status."""
    try:
        sys.exit(main())
    except OSError as error:
        die(error)
    except KeyboardInterrupt:
        sys.exit(130)


def need_scanbench():
    if not os.access(SCANBENCH, os.X_OK):
        die(f'no {SCANBENCH}: build it, or set SCANBENCH')


def printed(*words, none=0, stderr=subprocess.PIPE):
    """Returns what a command prints, or nothing if its status is `none`."""
    need_scanbench()
    done = subprocess.run([SCANBENCH, *words], stdout=subprocess.PIPE, stderr=stderr,
                          encoding='latin-1', check=False)
    if done.returncode not in (0, none):
        die((done.stderr or 'no table').rstrip())
    return '' if done.returncode else done.stdout


def table(text):
    """The rows of a CSV by its first line."""
    return [*csv.DictReader(io.StringIO(text, newline=''))]


def tables(run_):
    """The operation and the rows of each of a run's tables of cells."""
    for path in sorted(run_.glob('*.csv')):
        rows = table(path.read_text('latin-1'))
        if rows and next(iter(rows[0])) == 'variant':
            yield path.stem, rows


def compared(base, now):
    return table(printed('compare', base, now, '--format', 'csv', '--fail-on', 'never'))


def manifest(folder):
    """Returns the facts of a run, without quotes; empty if there is no run."""
    path = pathlib.Path(folder, 'manifest.csv')
    lines = path.read_text('latin-1').split('\n') if path.is_file() else []
    return {key: value.replace('"', '') for key, _, value in (line.partition(',') for line in lines)}


def contents(archive):
    """The folder into which the archive is unpacked."""
    scratch = tempfile.mkdtemp(dir=SCRATCH.name)
    with tarfile.open(archive) as packed:
        packed.extractall(scratch)
    return pathlib.Path(scratch)


def unpacked(folder):
    """Returns the folder, or else FOLDER.tar.xz, unpacked; of sets of aa in it, the newest."""
    if not os.path.isdir(folder) and os.path.isfile(f'{folder}.tar.xz'):
        folder = contents(f'{folder}.tar.xz') / folder.name
    return max(folder.glob('*/a'), key=lambda one: manifest(one).get('utc', ''),
               default=folder / 'a').parent


def draw(kind, out, *blocks):
    """Draws blocks of rows by plots/KIND.gp. Returns the status of gnuplot, which would run an
    `out` that begins with |."""
    points = pathlib.Path(SCRATCH.name, 'points')
    points.write_text('\n\n'.join(''.join('\t'.join(map(str, row)) + '\n' for row in block)
                                  for block in blocks))
    return subprocess.run([os.environ.get('GNUPLOT', 'gnuplot'), '-c',
                           HERE.parent / 'plots' / 'style.gp', os.path.abspath(out), points, kind],
                          env={**os.environ, 'LC_ALL': 'C.UTF-8'}, check=False).returncode


# ---- the words of a proof

def measure(asked, folder, *words):
    """Makes or resumes a run, unless it is complete. A failed variant (status 1) has its row."""
    if manifest(folder).get('complete') == '1':
        return
    if asked.judge:
        die(f'{folder}: not measured')
    to = '--resume' if (folder / 'manifest.csv').is_file() else '-o'
    status = subprocess.run([SCANBENCH, 'run', to, folder, *words, '--device', asked.device,
                             '-q'], stdout=subprocess.DEVNULL, check=False).returncode
    if status not in (0, 1):
        die(f'the run into {folder} ended with {status}', status if status > 0 else 128 - status)


def parse(text, options=(), results='RESULTS', judges=True):
    """Returns the words of a proof whose own options are (name, arguments of argparse), and as
    `plan`, options of `scanbench run` in place of the proof's."""
    at = sys.argv.index('--') if '--' in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(
        usage=f'%(prog)s [OPTIONS] {results} [-- WORDS of scanbench]', description=text,
        epilog=STATUSES if judges else None, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    own = [('--device', {'metavar': 'D', 'default': 'cuda:0',
                         'help': 'cuda:0 (default), cuda:N or host'})]
    if judges:
        own.append(('--judge', {'action': 'store_true',
                                'help': 'judge the CSVs in RESULTS, without measuring'}))
    for name, words in [*own, *options, ('results', {'metavar': results, 'type': pathlib.Path})]:
        parser.add_argument(name, **words)
    asked = parser.parse_args(sys.argv[1:at], argparse.Namespace(plan=sys.argv[at + 1:]))
    need_scanbench()
    return asked
