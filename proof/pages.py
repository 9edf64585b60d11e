#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Regenerates everything that pages derive from the published sets: the rules, the cells of `which`
(results/best/measured), the outputs and tables in the pages, and the charts.

An output is a fenced block "console" that begins with its command. SCANBENCH names the program."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess

import lib
import markdown

H200, H100 = pathlib.Path('results/h200'), pathlib.Path('results/h100')
FRAMEWORKS = f'{H200}/operators/frameworks'
HELD_OUT = ','.join(f'{H200}/operators/held_out{name}' for name in ('', '_f64_bf16'))
OPERATORS = (f'{FRAMEWORKS},{H200}/default,{H200}/operators/integers '
             f'{H100}/frameworks,{H100}/operators,{H100}/default')
RANDOM = 'results/h200/random results/h100/random'
SHOWN = {'DTYPE': 'f32', 'ROWS': 'i32', 'SHOWN': 'best peak cub torch_eager torch_compile'}
WORK = pathlib.Path(lib.SCRATCH.name)
TREE = WORK / 'tree'  # with the packed sets unpacked, since pages name files in them
SCANBENCH = os.path.realpath(lib.SCANBENCH)


def done(*words, **environment):
    """Returns True if the command succeeds."""
    return subprocess.run(words, env={**os.environ, **environment}, check=False).returncode == 0


def must(*words, **environment):
    if not done(*words, **environment):
        lib.die(f'{words[0]} failed')


def printed(command, check=True):
    """Returns what a command prints in TREE, which is not nothing."""
    run = subprocess.run(command, shell=True, cwd=TREE, stdout=subprocess.PIPE,
                         encoding='utf-8', check=False)
    if run.returncode and check:
        lib.die(f'{command} failed')
    return run.stdout or lib.die(f'no output of {command}')


def make_tree():
    (WORK / 'bin').mkdir()
    (WORK / 'bin' / 'scanbench').symlink_to(SCANBENCH)
    TREE.mkdir()
    for path in pathlib.Path.cwd().glob('[!.]*'):
        if path.name != 'results':
            (TREE / path.name).symlink_to(path)
    shutil.copytree('results', TREE / 'results', symlinks=True)
    must('proof/unpack.sh', TREE / 'results')
    os.environ.update(SCANBENCH=SCANBENCH, NO_COLOR='1',
                      PATH=f'{WORK / "bin"}:{os.environ["PATH"]}')
    os.environ.pop('COLUMNS', None)  # so that tables are not cut


def with_outputs(page):
    """The page with new outputs."""
    def output(block):
        return block[1] + re.sub(' +$', '', printed(block[2], False), flags=re.M) + '```\n'
    return re.sub(r'^(```console\n[$] (.*)\n)(?:.*\n)*?```\n', output,
                  page.read_text(encoding='utf-8'), flags=re.M)


def texts():
    """The files that hold the output of commands, with their new texts."""
    for gpu in 'h100', 'h200':
        yield (pathlib.Path(f'results/best/measured/{gpu}.csv'),
               printed(f'proof/measured.py results {gpu}'))
    for page in [*pathlib.Path().glob('*.md'), *pathlib.Path().glob('*/*.md')]:
        yield page, with_outputs(page)


def tables(action):
    """Writes or checks each table of a page, and yields True if it is well."""
    page = 'variants/README.md'
    words = printed(f'scanbench ladder --exclude "^(cumprod|cumm|log|mean|prod|a|rec)" {H200}/default '
                    f'{H200}/headline {H200}/random/held_out_*')
    asked = argparse.Namespace(**{'write': None, 'check': None, action[2:]: pathlib.Path(page)})
    ladders = re.findall(r'^(\w+)\n\n((?:[|].*\n)+)', words, flags=re.M)
    yield len(ladders) == 4 or print('scanbench ladder printed other than four tables')
    for folder, table in ladders:
        yield not markdown.publish(folder, table, asked)
    yield done('proof/report.py', 'results', action, 'results/README.md')
    yield done('proof/operators.py', OPERATORS, action, 'README.md', **SHOWN)
    yield done('proof/operators.py', f'{FRAMEWORKS} {HELD_OUT}', action,
               'variants/README.md', SHOWN='best torch_eager torch_compile')
    yield done('env', '-C', TREE, 'proof/price.py', RANDOM, action, 'docs/contracts.md')
    yield done('proof/mgpu.py', 'results/h200_x2/mgpu', action, 'docs/scale.md',
               CEILINGS=str(H200 / 'headline' / 'ceilings.csv'))
    yield done('proof/index.py', 'results', action, 'results/README.md')


def check():
    """Returns True if all pages are as they would be written."""
    well = True
    for path, words in texts():
        (WORK / 'page').write_text(words, encoding='utf-8')
        if not done('diff', path, WORK / 'page'):
            print(f'{path} (<) is not what its commands print (>); to mend it: proof/pages.py')
            well = False
    return all([well, *tables('--check')])


def write():
    must('scanbench', 'rules', '-o', 'results/best/h200.csv', *sorted(
        (TREE / H200).glob('fit*/*/')))
    for path, words in [*texts()]:
        path.write_text(words, encoding='utf-8')
    if not all(tables('--write')):
        lib.die('a table failed')
    for plots in sorted(pathlib.Path('results').glob('*/**/plots')):
        run = TREE / plots.parent
        must('plots/ranks.py' if run.name == 'mgpu' else 'plots/draw.sh', run, WORK / 'plots')
        for chart in plots.glob('*.svg'):
            shutil.copy(WORK / 'plots' / chart.name, chart)
        shutil.rmtree(WORK / 'plots')
    must('env', '-C', TREE, 'proof/price.py', RANDOM, CHART=os.path.abspath(H200 / 'price.svg'))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--check', action='store_true', help='compare all but rules and charts '
                        'with the pages (status 0, 1)')
    asked = parser.parse_args()
    lib.need_scanbench()
    os.chdir(lib.HERE.parent)
    make_tree()
    return int(not check()) if asked.check else write()


lib.run(main)
