# SPDX-License-Identifier: MIT
"""SOURCE: the sources keep the rules of CONTRIBUTING.md, and each exception that it
lists is needed. The checks are tried on a small tree that breaks every rule."""
import os
import re
import shutil
import sys
import tempfile

FOLDERS = ['src', 'variants', 'harness', 'cli', 'lib', 'proof', 'report', 'tests', 'frameworks',
           'plugins', 'python', 'plots']


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def files(folders, pattern):
    """Paths below the folders, or files themselves, whose name is like it."""
    paths = [os.path.join(where, name) for folder in folders for where, _, names in os.walk(folder)
             if not where.endswith('__pycache__') for name in names] + [path for path in folders if os.path.isfile(path)]
    return sorted(path for path in paths if re.search(pattern, path))


def sources():
    return files(FOLDERS, r'\.(c|h|cu|cuh|inc)$')


def section(heading):
    """Returns the include rules of CONTRIBUTING.md."""
    text = read('CONTRIBUTING.md')
    return re.search(rf'^## {heading}\n(.*?)(?=^## |\Z)', text, re.M | re.S)[1]


def folder_of(path):
    return os.path.dirname(path) + '/'


def expanded(cell):
    """`a/{b,c}/` is a/b/ and a/c/, as in a shell."""
    for word in re.findall('`([^`]*)`', cell):
        before, _, rest = word.partition('{')
        names, _, after = rest.partition('}')
        yield from (before + name + after for name in names.split(','))


def include_rules():
    """Folder: what its files may include, folders (with a /) and headers."""
    rows = re.findall(r'^- (`.*?):((?:.|\n  )*)', section('Include rules'), re.M)
    return {folder: [*expanded(may)] for folders, may in rows for folder in expanded(folders)}


def includes():
    return {(path, to) for path in sources()
            for to in re.findall(r'^ *# *include "(.*?)"', read(path), re.M)}


def check_includes():
    rules, used = include_rules(), set()
    for path, to in sorted(includes()):
        own = folder_of(path)
        if own not in rules:
            yield f'{path}: CONTRIBUTING.md has no rule for {own}'
            continue
        allowed = {word for word in rules[own] if word in (to, folder_of(to))}
        used |= {(own, word) for word in allowed}
        if not allowed and folder_of(to) != own:
            yield f'{path} may not include {to}'
    for own, words in rules.items():
        for word in words:
            if (own, word) not in used:
                yield f'nothing in {own} includes {word}, which CONTRIBUTING.md allows'


def check_circles():
    """Yields what is left when folders that include nothing, and those that nothing
    includes, are taken away again and again. A header that the table names
    stands alone."""
    alone = {word for words in include_rules().values() for word in words if word[-1] != '/'}
    edges = {(path if path in alone else folder_of(path), to if to in alone else folder_of(to))
             for path, to in includes()}
    edges = {(at, to) for at, to in edges if at != to}
    left = None
    while left != edges:
        left = edges
        edges = {(at, to) for at, to in left
                 if at in {b for _, b in left} and to in {a for a, _ in left}}
    if edges:
        yield f'a circle of includes: {sorted(edges)}'


def check_names():
    """"- `NAME`: why" lists what two files may share as a name."""
    allowed = set(re.findall(r'^- `(\w+)`: ', section('Names'), re.M))
    first, used = {}, set()
    for stem in sorted({os.path.splitext(path)[0] for path in sources()}):
        name = os.path.basename(stem)
        kernels = re.match('variants/(scan|reduce|flip|common)/', stem)  # a method, in all of them
        other, of_kernels = first.setdefault(name, (stem, kernels))
        if other != stem and not (kernels and of_kernels):
            used.add(name)
            if name not in allowed:
                yield f'{other} and {stem} share a name'
    for name in sorted(allowed - used):
        yield f'no two files share the name {name}'


def check_guards():
    """A header of the kernels is guarded by its path: files that are compiled
    together undefine the guards by that."""
    for path in sources():
        if re.match(r'variants/.*\.cuh$|variants/common/.*\.h$', path):
            guard = re.sub('[/.]', '_', path).upper()
            if f'#ifndef {guard}\n#define {guard}\n' not in read(path):
                yield f'{path} is not guarded by {guard}'


def functions(path):
    """Name and lines, from its head's first, of each body that begins and ends
    in the first column."""
    head, opened = [], False
    for line in read(path).split('\n'):
        if line == '{' and head:
            opened = True
        elif line.startswith('}') and opened:
            text = re.sub(r'__launch_bounds__\((?:[^()]|\([^()]*\))*\)', '', ' '.join(head))
            yield re.search(r'(\w*)(?:\(|$)', text)[1], len(head) + 1
            head, opened = [], False
        if not opened and (not line or line[0] in '#}' or line.endswith((';', '*/'))):
            head = []
        elif head or re.match(r'[A-Za-z_]', line):
            head.append(line)


def check_lengths():
    """"- why: `NAME`, `NAME`" lists what may be longer than 60 lines."""
    lists = re.findall('^(?:- |  ).*', section('Long functions'), re.M)
    allowed, used = set(re.findall(r'`(\w+)`', '\n'.join(lists))), set()
    for path in sources():
        for name, lines in functions(path):
            if lines > 60:
                used.add(name)
                if name not in allowed:
                    yield f'{path}: {name} has {lines} lines, of at most 60'
    for name in sorted(allowed - used):
        yield f'{name} is not long any more'


def check_scripts():
    for path in files([*FOLDERS, '.ci', 'run'], r'\.(sh|py)$|^run$|^\.ci/run$'):
        lines = read(path).count('\n')
        most = 250 if '/test' in path else 150
        if lines > most:
            yield f'{path} has {lines} lines, of at most {most}'


def check_bans():
    """Broken variants and tests are exempt, as they misbehave on purpose."""
    own = [path for path in sources() if not re.search('/(broken|fuzz)/|/test_|/fake_', path)]
    kernels = [path for path in own if path.startswith('variants/')]
    host = [path for path in own
            if not re.match(r'variants/|harness/device/|lib/gpu_cuda|plugins/\w+\.cu', path)]
    drawn = [path for path in files(['plots', 'proof'], '') if '/test_' not in path]
    for paths, what, pattern in (
            (kernels, 'stdio, allocation or timing',
             '<(stdio|stdlib|time|chrono|iostream|sys/time)'),
            (kernels, 'a call that prints, allocates or times',
             r'cuda(Malloc|Free|Event)|[^a-z_](printf|malloc|calloc|free) *\('),
            (host, 'CUDA', r'__global__|<cuda|cuda[A-Z][A-Za-z]*\('),
            ([path for path in own if '/cub_' not in path], 'CUB', '<cub/|cub::'),
            (drawn, 'a figure', r'[0-9] *[GT](B/s|FLOP|Hz)|peak[a-z_]* *= *[0-9]')):
        for path in paths:
            if re.search(pattern, read(path)):
                yield f'{path} has {what}'


def check_all():
    return [*check_bans(), *check_includes(), *check_circles(), *check_names(), *check_lengths(),
            *check_scripts(), *check_guards()]


def plant(path, text):
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)


def tried():
    """Returns what the checks miss, or report too much, on a tree that breaks every rule."""
    plant('CONTRIBUTING.md', '## Include rules\n\n- `src/base/`: `src/idle.h`\n'
          '- `src/{runs,late}/`: `src/base/`\n## Names\n\n- `idle`: no\n\n## Long functions\n\n- no: `idle`\n')
    plant('src/base/twin.c', '#include "src/runs/up.h"\n')
    plant('src/runs/twin.c',
          '#include "src/base/twin.h"\n\nint tall(void)\n{\n' + '    ;\n' * 58 + '}\n')
    plant('harness/lost.c', '#include "src/base/twin.h"\n')
    plant('variants/banned.cu', 'cudaFree(cub::x);\n#include <stdio.h>\n')
    plant('variants/common/moved.cuh', '#ifndef VARIANTS_MOVED_CUH\n')
    plant('src/base/banned.c', 'cudaFree(x);\n')
    plant('plots/banned.gp', 'peak = 4800\n')
    for name, lines in (('harness/long.sh', 151), ('frameworks/long.py', 151),
                        ('python/tests/test_long.py', 251), ('python/tests/test_tall.py', 250)):
        plant(name, ':\n' * lines)
    said = check_all()
    wanted = ['src/base/twin.c may not include', 'CONTRIBUTING.md has no rule for harness/',
              'nothing in src/base/ includes', 'nothing in src/late/', 'share a name$', 'share a name$', 'the name idle',
              'a circle of includes', 'moved.cuh is not guarded', 'tall has 61 lines', 'idle is not long', 'has stdio',
              'has a call', 'variants.*has CUB', 'src.*has CUDA', 'has a figure',
              '/long.sh has 151 lines', '/long.py has 151 lines', '/test_long.py has 251 lines']
    missed = [text for text in set(wanted)
              if sum(bool(re.search(text, line)) for line in said) != wanted.count(text)]
    return missed if len(said) == len(wanted) and not missed else [*missed, 'said:', *said]


os.chdir(sys.argv[1])
home = os.getcwd()
with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    faults = tried()
    os.chdir(home)
faults = faults or check_all()
for fault in faults:
    print('FAILED:', fault)
sys.exit(bool(faults))
