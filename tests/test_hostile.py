# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a hostile run (tests/hostile/run: every text is an injection) under
hostile names: no command and no format runs anything, injects anything, or forges a
row."""
import csv
import glob
import json
import os
import re
import shutil
import sys
import xml.etree.ElementTree

import expect
from expect import SOURCE, edit, ok, read, run, skip, transcript, write

UNTAMED = '[\x01-\x08\x0b-\x1f\x7f\x80-\x9f\u200b-\u200f\u2028-\u202e]'


def tame(text):
    """True without control characters."""
    return not re.search(UNTAMED, text)


def safe_markdown(text):
    """True without tags, mentions, addresses, links and pictures, except in code spans, and
    with equally long rows in each table."""
    columns = None
    for line in text.split('\n'):
        if re.search(r'[<@]|://|www\.|\]\(', re.sub('`[^`]*`', 'CODE', line)):
            return False
        count = line.count('|') if line.startswith('|') else None
        if count and columns and count != columns:
            return False
        columns = count and (columns or count)
    return '``' not in text


def safe_csv(text):
    """True if all records have as many fields, none of which is a formula."""
    rows = [next(csv.reader([line], strict=True)) for line in text.splitlines()]
    return len(rows) > 1 and len({len(row) for row in rows}) == 1 and not any(
        re.match(r'[=+@]|-(?![0-9.])', field) for row in rows for field in row)


def safe_json(text):
    """True for JSON that cannot end a <script> around it."""
    json.loads(text)
    return '<' not in text


def safe_html(text):
    """True if the page has its own two scripts and no tag from the run's texts."""
    return len(expect.grep('<script', text)) == 2 and '\n"\\u003cscript' in text \
        and not re.search('(?i)<img|<b>| onerror=.*>', text)


def safe_svg(path):
    text = read(path)
    xml.etree.ElementTree.fromstring(text)
    return tame(text) and not re.search(
        r'''(?i)<script|<b|<img|\]\]>|href=['"][^#]''', text)


SAFE = {'markdown': safe_markdown, 'csv': safe_csv, 'json': safe_json,
        'google-benchmark': safe_json, 'report': safe_html}


def harmless(words):
    kind = words[words.index('--format') + 1] if '--format' in words else words[0]
    return tame(expect.out) and tame(expect.err) and (
        not expect.out or SAFE.get(kind, tame)(expect.out))


def made(script):
    transcript(script, after=harmless)


def nothing_ran():
    ok('nothing ran', not [name for top in (expect.WORK, SOURCE) for _, folders, names in
                           os.walk(top) for name in folders + names if name.startswith('PWNED')])


def copied(name):
    shutil.copytree('run', name)


expect.hostile('run')

# ---- every command and format
made(r'''
2 compare run run --all --top 0 => ^unchanged  *cumsum/a|b`c/
2 compare run run --all --top 0 --format markdown => ^| unchanged | .cumsum/a/b'c/
2 compare run run --all --format csv => ^[a-z]*,cumsum,'@SUM(A1),
0 table run --all => a|b`c  *1[0-9]*\.
0 table run --format google-benchmark => CMD\|alert
2 rules run => ! these runs have no rules
0 ladder run => - script\|PWNED\|forged
0 report run => .
2 run --device host --op cumsum --resume run => ! cannot be resumed
''')
copied('other')
edit('other/manifest.csv', '^device_name,.*', 'device_name,<b>`x`|@you http://evil.example')
made('0 report run other => .')
for form in 'text', 'markdown', 'csv', 'json':
    for words in ('2 compare run run --top 0', '2 compare run --against serial', '0 table run --top 2',
                  "2 compare run --against 'a|b`c'", '2 compare --gpus run other',
                  '2 compare --cards run other', '0 show run --top 3',
                  "0 regret run --variant 'a|b`c' --top 0", '0 regret run --variant serial --cells',
                  '0 list --families', '0 list --devices', '0 list --shapes', '0 list -f /serial/',
                  *(f"0 show run -f '{name}'" for name in (
                      '<script', '=cmd', '[+]1', '@SUM', 'a.b`c', '@every', '<b onload', 'forged'))):
        made(f'{words} --format {form} => .')
nothing_ran()

# ---- arguments in a manifest cannot load code
copied('begun')
write('sysconfig.py', 'open("PWNED", "w")')
for words in '--plugin begun/evil.so', '--profile sum/serial/f32/1x3x1', '-qh', '--help', '--vers', '-n':
    edit('begun/manifest.csv', '^arguments,.*', f'arguments,run --device host --op sum {words}')
    made('2 run --resume begun => # 0 . => ! this scanbench has no such arguments$')
for words in '--frameworks', '--rules begun/sum.csv', '--in-process':
    edit('begun/manifest.csv', '^arguments,.*', f'arguments,run --device host --op sum {words}')
    made('2 run --resume begun => # 0 .')
nothing_ran()

# ---- sound lines of the hostile run are shown and learnt from
copied('taken')
for path in glob.glob('taken/*.csv'):
    with open(path, encoding='utf-8', errors='replace') as file:
        write(path, *(line for line in file.read().split('\n')
                      if line and tame(line) and '\ufffd' not in line))
edit('taken/cumsum.csv', ',@SUM[(]A1[)],@SUM[(]A1[)],', ',blelloch,blelloch,')
edit('taken/cumsum.csv', ',[+]1[+]1,[+]1[+]1,', ',hillis_steele,hillis_steele,')
made(r'''
0 table taken --all => a|b`c
0 show taken --format markdown => .
2 compare taken taken --all --format markdown => script>alert(1)
0 rules taken -o learnt.csv => ! damaged\|left out
0 rules taken --format csv --op cumsum => ^op,dtype,class,cells
77 ladder taken --dtype u8 => ! no such cell in these runs
0 run -q --device host --op sum --dtype f32 -f serial --shape 3x5:1,64x4096:1 --time-limit 0.1 -o left => .
''')
ok('rules are safe', tame(read('learnt.csv')) and '"NVIDIA <script>' in read('learnt.csv'))
own = read('left/sum.csv').splitlines()[1]
write('left/sum.csv', *read('left/sum.csv').splitlines(), *(
    own.replace(',serial,serial,', f',{name},{name},')
    for name in ('<script>alert(1)</script>', '$(touch PWNED)', '@you', '../../PWNED')))
write('left/manifest.csv', *read('left/manifest.csv').splitlines(), '=1+1,<b>|@you')
made('0 run -q --device host --resume left => .')
made('0 show left --format markdown => .')
nothing_ran()

# ---- extents whose product exceeds 64 bits
copied('vast')
edit('vast/cumsum.csv', ',64,4096,1,', ',4294967296,4294967296,4294967296,')
for words in ('table vast', 'show vast', 'report vast',
              'table --format google-benchmark vast', 'compare vast vast --all', 'regret vast'):
    ok(f'{words} of vast extents', 0 <= run(*words.split()) < 128, expect.err)
    ok('says so', expect.seen('! cumsum.csv:2: more than 2^56 elements (the line is left out'))

# ---- as many families as shapes: a chart of all pairs would exhaust memory
copied('many')
header, first = read('run/cumsum.csv').splitlines()[:2]
fields = first.split(',')
write('many/cumsum.csv', header, *(
    ','.join([*fields[:2], f'v{k}', f'v{k}', fields[4], str(k), *fields[6:24], str(k * 32768),
              *fields[25:]]) for k in range(1, 20001)))
ok('charts of many families', run('-B', f'{SOURCE}/plots/charts.py', expect.SCANBENCH, 'many',
                                  program=sys.executable) == 0 and
   expect.seen('! leave 19500 cells out'), expect.err)

# ---- folders whose names try something
ESCAPE = '\033]0;owned\007'
DRAW = {'program': f'{SOURCE}/plots/draw.sh', 'env': {**os.environ, 'SCANBENCH': expect.SCANBENCH}}
copied(ESCAPE)
if shutil.which('gnuplot'):
    for name in ('<touch PWNED;#', '|touch PWNED;#', '$(touch PWNED)', '`touch PWNED`', '-rf',
                 'a=b', "';touch PWNED;'", '"; !touch PWNED; "', '{=60 x}^y', '@all'):
        copied(name)
        ok(f'charts of {name}', run('--', name, **DRAW) == 0 and harmless(['draw']), expect.err)
        drawn = glob.glob(f'{glob.escape(name)}/plots/*.svg')
        ok('are safe', drawn and all(map(safe_svg, drawn)))
        if name != '-rf':
            ok(f'compare {name}', run('compare', name, 'run', '--format', 'markdown') == 2
               and harmless(['markdown']), expect.out)
    ok('charts of an escape sequence', run(ESCAPE, **DRAW) == 2 and harmless(['draw']))
    copied('named')
    for name in '"><img src=x onerror=alert(1)>.svg', 'other.svg', '`touch PWNED`.svg', '-rf.svg':
        write(f'named/plots/{name}', '<script>alert(1)</script>')
    ok('charts beside strange names', run('named', **DRAW) == 0, expect.err)
    page = read('named/plots/index.html')
    drawn = re.findall('^<p><img src="([a-z_]*[.]svg)" alt="[^<>"]*">$', page, re.M)
    ok('a page of them alone', drawn and page.count('<img') == page.count('src=') == len(drawn) and
       "default-src 'none'" in page and 'onerror' not in page, page)
else:
    skip('charts: no gnuplot')
for command in ('compare', 'show', 'table', 'regret', 'rules', 'ladder', 'report'):
    made(f"2 {command} '{ESCAPE}' => ! rename")

# ---- published sets: the index, and the page of proofs
for name in '-e1etouch PWNED;#', '<img src=x onerror=alert(1)>', '|forged`|@you|':
    shutil.copytree('run', f'sets/{name}/proof/aa')
    shutil.copytree('run', f'sets/{name}/default')
    edit(f'sets/{name}/default/manifest.csv', '^empty_us',
         'timed_s,1\nwall_s,9\nverify_s,1\nsample_s,2\nempty_us')
    write(f'sets/{name}/default/QUESTION', '<img src=x> | forged | @you [x](http://evil.example)\\')
for script in 'index', 'report':
    run('sets', program=f'{SOURCE}/proof/{script}.py', env=DRAW['env'])
    ok(f'{script}.py is safe', expect.out and harmless(['markdown', '--format', 'markdown']),
       expect.out, expect.err)
copied(f'outer/{ESCAPE}')
shutil.copy('run/sum.csv', f'run/{ESCAPE}.csv')
made(r'''
2 compare outer run
0 table run => .
''')
nothing_ran()
expect.tally()
