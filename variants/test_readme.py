# SPDX-License-Identifier: MIT
"""SOURCE FILE...: the files that variants/meson.build lists are those that lie
in variants/ and those that variants/README.md, or docs/verification.md,
describes, one row each; their headers have the six fields; every Against names
one of them; every link of our pages leads somewhere."""
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


# Files of broken/ that have a variant for each bug of a list.
MANY_BUGS = {name: file for file, path in (('operator_bugs', 'operator_bug_list.h'),
                                           ('integer_bugs', 'host_integer_bugs.c'))
             for name in re.findall(r'^    X\((\w+),', read(f'variants/broken/{path}'), re.M)}


def same(what, found):
    found = list(found)
    if sorted(found) != LISTED:
        faults.append(f'{what}: not as variants/meson.build has it: '
                      f'{sorted(set(found) ^ set(LISTED)) or "twice"}')


def described(page):
    """[name](file) under "## folder"; of broken/ the bug, and on which devices it
    is planted."""
    seen = set()
    for part in re.split('^## ', page, flags=re.M)[1:]:
        folder = re.match('[^:\n]*', part)[0]
        for name, host, gpu in re.findall(r'^\| (\w+) \| .* \| (.*) \| (.*) \|$', part, re.M):
            if folder != 'broken' or name == 'file':
                continue
            if name in MANY_BUGS:
                name = MANY_BUGS[name]
                if name in seen:
                    continue
                seen.add(name)
            if name.startswith('ranks_'):
                yield f'broken/{name}.c'
                continue
            if gpu != '-':
                yield f'broken/{name}.cu'
            if host != '-':
                yield f'broken/host_{name}.c'
        for name, link in re.findall(r'^\| *\[(.*?)\]\((.*?)\) *\|', part, re.M):
            yield link if re.match(rf'{folder}/(\w+/)?{name}\.', link) else f'{folder}: [{name}]({link})'


def check_header(file):
    head = read(f'variants/{file}').split('*/')[0]
    found = re.findall(r'^ \* ([A-Z][a-z]*)  ', read(f'variants/{file}').split('*/')[0], re.M)
    if found != FIELDS:
        faults.append(f'variants/{file}: its header has the fields {" ".join(found)}')
    against = re.search(r'^ \* Against  *(\w+)', head, re.M)
    names = {'none', 'nothing'} | {os.path.splitext(os.path.basename(path))[0] for path in LISTED}
    if not against or against[1] not in names:
        faults.append(f'variants/{file}: Against: no such variant')


def anchors(path):
    for heading in re.findall('^#+ (.*)', read(path), re.M):
        yield re.sub('[^a-z0-9_-]', '', heading.lower().replace(' ', '-'))


def check_links(page):
    text = re.sub('^```.*?^```', '', read(page), flags=re.M | re.S)
    for path, anchor in sorted(set(re.findall(r'\]\(([\w./-]*)(?:#([^):]*))?\)', text))):
        to = os.path.join(os.path.dirname(page), path) if path else page
        if not os.path.exists(to):
            faults.append(f'{page}: no such file: {path}')
        elif anchor and anchor not in anchors(to):
            faults.append(f'{page}: {path} has no heading #{anchor}')


same('the files there are', [path[len('variants/'):] for kind in ('cu', 'c')
                             for path in glob.glob(f'variants/*/*.{kind}') + glob.glob(f'variants/*/*/*.{kind}')
                             if not path.startswith('variants/ranks/')
                             and not os.path.exists(path[:-len(kind)] + 'h')])  # code that is called
same('variants/README.md and docs/verification.md',
     [*described(read('variants/README.md')), *described(read('docs/verification.md'))])
for listed in LISTED:
    if not listed.startswith('broken/'):
        check_header(listed)
for page in glob.glob('*.md') + glob.glob('*/README.md') + glob.glob('docs/*.md'):
    check_links(page)
for fault in faults:
    print('FAILED:', fault)
sys.exit(bool(faults))
