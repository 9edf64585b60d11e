# SPDX-License-Identifier: MIT
"""SOURCE FILE...: the files that variants/meson.build lists are those that lie in
variants/ and, without broken/, those that variants/README.md describes, one row each;
their headers have the six fields; every Against names one of them."""
import glob
import os
import re
import sys

os.chdir(sys.argv[1])
LISTED = sorted(sys.argv[2:])
FIELDS = ['Idea', 'Against', 'Traffic', 'Needs', 'Source', 'Lesson']
faults = []


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def same(what, found, wanted):
    if sorted(found) != wanted:
        faults.append(f'{what}: not as variants/meson.build has it: '
                      f'{sorted(set(found) ^ set(wanted)) or "twice"}')


def check_header(file):
    head = read(f'variants/{file}').split('*/')[0]
    found = re.findall(r'^ \* ([A-Z][a-z]*)  ', read(f'variants/{file}').split('*/')[0], re.M)
    if found != FIELDS:
        faults.append(f'variants/{file}: its header has the fields {" ".join(found)}')
    against = re.search(r'^ \* Against  *(\w+)', head, re.M)
    names = {'none', 'nothing'} | {os.path.splitext(os.path.basename(path))[0] for path in LISTED}
    if not against or against[1] not in names:
        faults.append(f'variants/{file}: Against: no such variant')


same('the files there are', [path[len('variants/'):] for kind in ('cu', 'c')
                             for path in glob.glob(f'variants/*/*.{kind}') + glob.glob(f'variants/*/*/*.{kind}')
                             if not path.startswith('variants/ranks/')
                             and not path.endswith('/add_partials.cu')
                             and not os.path.exists(path[:-len(kind)] + 'h')],  # code that is called
     LISTED)
OURS = [path for path in LISTED if not path.startswith('broken/')]
rows = re.findall(r'^\| *\[\w+\]\((\w+/[\w/]*\.cu?)\) *\|', read('variants/README.md'), re.M)
same('rows of variants/README.md', rows, OURS)
for file in OURS:
    check_header(file)
for fault in faults:
    print('FAILED:', fault)
sys.exit(bool(faults))
