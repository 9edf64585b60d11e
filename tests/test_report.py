# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: pages of `scanbench report` for runs made here, a published one and
a hostile one: whole, with the figures of `scanbench table` and the verdicts of
`scanbench compare`. tests/report/test_browser.py opens them."""
import csv
import glob
import os
import resource
import shlex
import shutil
import stat
import sys

import expect
from expect import SOURCE, ok, read, run, transcript
from made_runs import card, cell, manifest
sys.path.append(f'{SOURCE}/tests/report')
from test_figures import faults  # noqa: E402

DEFAULT = f'{SOURCE}/results/h200/default'
NAME = '<script>x="&\''


def printed(wanted, *words):
    """The rows that a command prints as CSV with this status."""
    status = run(*words, '--format', 'csv')
    ok(' '.join(words), status == wanted, expect.err)
    return list(csv.DictReader(expect.out.splitlines()))


def figures(page, first, other=None):
    """Checks a page's figures against those of its run, and verdicts."""
    kept = first == DEFAULT and {name: printed(0, 'table', first, '--contract', name)
                                 for name in ('deterministic', 'portable_bits', 'monotone')}
    found = faults(read(page), printed(0, 'table', first), other and printed(
        2 if first == 'hostile' else 0, 'compare', first, other, '--fail-on', 'never'), kept)
    ok(f'figures of {page}', not found, *found[:20])


# ---- no room for it: what was there stays
transcript('0 report base -o kept.html')
before = read('kept.html')
transcript('2 report base -o kept.html => ! cannot write kept.html: File too large',
           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
ok('and leaves the page', read('kept.html') == before)
ok('and nothing else', glob.glob('kept.html*') == ['kept.html'])
transcript('2 report base -o /dev/full => ! ^free some space')
ok('a full device is one still', stat.S_ISCHR(os.stat('/dev/full').st_mode))

# ---- pages
card('alone', 'aaaa111122223333', 1, 4000)
card('second', 'bbbb111122223333', 1, 4100)
card('both', 'bbbb111122223333', 2, 4018)
shutil.copytree('base', NAME)
expect.hostile('hostile')
manifest('other', 'device_name,Other GPU', 'commit,abc')
cell('other', 'cumsum', 'v100', 50)
transcript(rf'''
0 report base -o one.html
0 report base slow -o slow.html
0 report base fast -o fast.html
0 report base same -o same.html
0 report base slow fast -o three.html => @ three.html base, slow, fast - scanbench
0 report base/ -o slash.html
0 report {DEFAULT} -o default.html => @ default.html Blelloch
    @ default.html "cumsum/packed_lines_registers":{{"place":[0-9].*"file":"scan/
0 report alone second both -o cards.html
0 report base other -o gpus.html => @ gpus.html "mode":"ratios"
0 report hostile hostile -o hostile.html
''')
run('report', 'base')
ok('on stdout it is the same', expect.out == read('one.html') == read('slash.html'))
transcript(f'0 report {shlex.quote(NAME)} -o name.html'
           ' => @ name.html <title>&#60;script&#62;x=&#34;&#38;&#39; - ')
figures('one.html', 'base')
for other in ('slow', 'fast', 'same'):
    figures(f'{other}.html', 'base', other)
figures('cards.html', 'alone', 'second')
figures('default.html', DEFAULT)
figures('hostile.html', 'hostile', 'hostile')
figures('name.html', NAME)
for section in ('answer', 'compare', 'ladder', 'map', 'curves', 'trade', 'trust', 'table'):
    ok(f'section {section}', f'<section id="{section}"' in read('one.html'))

# ---- mistakes
transcript(f'''
2 report => ! takes one run or more
2 report nothing -o x.html
2 report base -o no/x.html => ! cannot write no/x.html: No such file => ! ^make its folder first
2 report base --format csv
2 report {'base ' * 17} -o x.html
0 report --help => needs no network
''')
ok('nothing was written then', not os.path.exists('x.html'))
expect.tally()
