# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: the help of every command, and the lists of `scanbench list`."""
import re

import expect
from expect import ok, run, transcript

transcript('0  => ^  scanbench show  ')
for command in re.findall('^  scanbench ([a-z]+)  ', expect.out, re.M):
    if command == 'help':
        continue
    transcript(f'0 help {command} => ^  scanbench {command} [^ ]')
    by_word = expect.out
    transcript(f'0 {command} --help')
    ok(f'{command}: both are the same', expect.out == by_word, by_word, expect.out)
    ok(f'{command}: at most 80 columns', max(map(len, by_word.split('\n'))) <= 80, by_word)
transcript(r'''
2 run --hepl => ! did you mean help?
2 help none => ! unknown command 'none'
0 --version => ^scanbench [0-9.]*, commit [^,]*, \(nvcc\|host\)
''')

# ---- every status once
run('compare', '--help')
numbers = re.findall(r'^  (\d+) +\S', expect.out[expect.out.index('EXIT STATUS'):], re.M)
ok('a status is written once', numbers == sorted(set(numbers), key=int), *numbers)

# ---- every grid
run('run', '--grid', 'zzzzzzzz')
grids = re.search('there are: (.*)', expect.err).group(1).split(', ')
run('run', '--help')
missing = [grid for grid in grids if not re.search(rf'\b{grid}\b', expect.out)]
ok('--help has every grid', not missing, missing)

# ---- lists
transcript('0 list --families --family host')
ok('families of one folder, each with its idea', all(
    re.match('host/.* .* ', line) for line in expect.out.splitlines()[1:]), expect.out)
transcript('''0 list --families => ^scan/column_vectors .* deterministic+monotone  
2 list --families --family scan/column_vectors -f look => ! nothing matches
0 list --families -f column_ --exclude /affine => # 2 ^[a-z]*/column_vectors => - ^[^f].*/[^c]''')
GPU = 'list', '--device', 'cuda:0', '--op', 'sum', '--dtype', 'f32', '--shape', '1x8:1'
run(*GPU)
best = 'sum/best/f32' in expect.out  # as far as there are kernels
ok('contracts have to be named', 'best_' not in expect.out, expect.out)
run(*GPU, '--family', 'best/contracts')
ok('and then are listed', best == ('sum/best_portable_bits/f32' in expect.out), expect.out)
transcript(r'''
0 list --devices => ^host  .* threads
0 list --shapes --grid headline => ^32768x32768x1$
0 list --shapes --device host => ^4096x1024x1$
0 list --shapes --device cuda:0 => ^262144x1024x1$
2 list --shapes --grid aa --dtype f64 => ! no shape of these operations
2 run --families
0 run -n --device host -f ^copy/loop/f32 --op copy --shape 1x64x1 --cache cold,hot
''')
cells = [','.join(line.split(',')[:2]) for line in expect.out.splitlines()]
ok('cells of both cache states differ', len(cells) == len(set(cells)), expect.out)
run('list', '--device', 'host', '--op', 'sum', '--dtype', 'f32', '--quick', '--shape', '1x4096:1')
ok('a shape that the grid has is listed once',
   len(expect.grep('^sum/serial/f32/1x4096x1$', expect.out)) == 1, expect.out)
expect.tally()
