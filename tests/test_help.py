# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: every command's help; lists other than of ids; and what is
said of what cannot run here."""
import re

import expect
from expect import ok, run, told

told('0  => ^  scanbench show  ')
for command in re.findall('^  scanbench ([a-z]+)  ', expect.out, re.M):
    if command == 'help':
        continue
    told(f'0 help {command} => ^  scanbench {command} [^ ]')
    by_word = expect.out
    told(f'0 {command} --help')
    ok(f'{command}: both are one', expect.out == by_word, by_word, expect.out)
    ok(f'{command}: short', by_word.count('\n') < 72)
    ok(f'{command}: narrow', max(map(len, by_word.split('\n'))) <= 80, by_word)
    if command not in ('new', 'tune'):
        told(rf'''2 {command} --hepl => ! ^scanbench: unknown option '--hepl'; did you mean --help?
2 {command} -Zx => ! ^scanbench: unknown option '-Zx'$ => ! ^scanbench {command} --help lists
2 {command} --help=x => ! ^scanbench: option '--help=x' takes no value$''')
told(r'''
2 run -qZ => ! ^scanbench: unknown option '-Z'$
2 regret --top => ! ^scanbench: option '--top' needs a value$
2 regret => ! ^scanbench: regret takes one run or more$
0 help list => ^      --families  => - --budget
0 --version => ^scanbench [0-9.]*, commit [^,]*, \(nvcc\|host\)
2 help none => ! unknown command 'none'
''')

# ---- the grids that docs/using.md and --help describe
run('run', '--grid', 'zzzzzzzz')
grids = set(re.search('there are: (.*)', expect.err).group(1).split(', '))
with open(f'{expect.SOURCE}/docs/using.md', encoding='utf-8') as page:
    rows = re.search(r'^## Grids\n(.*?)^## ', page.read(), re.M | re.S).group(1)
described = set(re.findall('^[|] `([a-z_]+)', rows, re.M))
ok('docs/using.md has every grid', described == grids, sorted(described ^ grids))
run('run', '--help')
missing = [grid for grid in grids if not re.search(rf'\b{grid}\b', expect.out)]
ok('--help has every grid', not missing, missing)

# ---- lists, and guesses
told(r'''
0 list --families => ^host/serial .*one thread
''')
ok('each with its idea', all(len(line.split()) > 2 for line in expect.out.splitlines()[1:]))
told('0 list --families --family host')
ok('some', all(line.startswith('host/') for line in expect.out.splitlines()[1:]))
told(r'''
0 list --devices => ^host  .* threads
0 list --shapes --grid headline => ^32768x32768x1$
0 list --shapes --device host => ^4096x1024x1$
0 list --shapes --device cuda:0 => ^262144x1024x1$ => -! host
2 list --shapes --grid aa --dtype f64 => ! the grid has no shape
2 run --families
2 check --shape 64X64:1 => ! numbers with x between
2 check --shape 1Kx1K:1 => ! numbers with x between
2 run --json => ! show RUN --format json
0 run -n --device host -f ^copy/loop/f32 --op copy --shape 1x64x1 --cache cold,hot
''')
cells = [','.join(line.split(',')[:2]) for line in expect.out.splitlines()]
ok('both caches are told apart', len(cells) == len(set(cells)), expect.out)
if run('check', '--device', 'cuda', '-f', 'none') == 77:
    told('0 list --shapes => ^4096x1024x1$ => ! no usable GPU, so these are a host')
expect.tally()
