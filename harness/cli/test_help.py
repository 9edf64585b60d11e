# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: help by command and by word, which is what the pages say;
lists other than of ids; and what is said of what cannot run here."""
import re

import expect
from expect import SOURCE, ok, read, run, told

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
    if command != 'rules':  # explains its options as uses
        for name in set(re.findall(r'^ {2,6}(?:-\w, )?--([a-z-]+)', by_word, re.M)):
            told(f'0 help --{name} => ^{name} (option')
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
0 help pct_ceiling => ^pct_ceiling (column of <op>.csv): gbps / ceiling_gbps
0 help ceiling_drift_pct
0 help --processes => ^processes (option): Repeat the run
0 help chained_scan
0 help warp_per_line => ^warp_per_line (family of scan): => ^warp_per_line (family of sum):
0 help --max-regret => ^max-regret (option of regret): exit 1 if the 90th .* above B$
0 help top => ^top (option of compare): => ^top (option of regret):
0 help against cards floor-pct charts => # 4 .
0 help bf16
0 help few_lines
0 help %
2 help medain_us => ! near: median_us
''')

told('2 run --grid zzzz => ! there are: quick, .*random')
for grid in re.findall(r'\w+', expect.err.split('there are: ')[1]):
    told(f'0 help {grid} => ^{grid} (grid):')

# ---- words of the pages, in their words
for page, head in (('docs/method.md', 'status'), ('docs/method.md', 'mark'),
                   ('docs/compare.md', 'verdict'), ('docs/using.md', 'grid'),
                   ('docs/using.md', 'exit status')):
    table = read(f'{SOURCE}/{page}').split(f'\n| {head} ')[1].split('\n\n')[0]
    rows = re.findall(r'^\| (`.*?|\d+) \| (.*) \|$', table, re.M)
    ok(f'{page}: {head}', len(rows) > 3)
    for names, meaning in rows:
        for name in re.findall('[^`, ]+', re.sub(':.*', '', names)):
            run('help', name)
            ok(f'{name}: {meaning}', '): ' + meaning.replace('`', '') in expect.out, expect.out)

told(r'''
0 help ceiling => ^ceiling (word of the pages): the best probe
0 help look-back => ; decoupled: a tile publishes
0 help exclusive
0 help 'class of shape' => - (method.md
2 help celling => ! near: ceiling,
''')

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
2 list --shapes --grid aa --dtype f64 => ! no shape of the grid
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
    told("2 list --device host -f ^cumsum/decoupled => ! decoupled.* is a GPU variant")
expect.tally()
