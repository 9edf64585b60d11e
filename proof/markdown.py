# SPDX-License-Identifier: MIT
"""For scripts with the arguments RESULTS [--write PAGE | --check PAGE]: tables of Markdown, and the
parts of pages that are generated."""
import argparse
import difflib
import html
import pathlib
import re
import sys


def parse(text):
    parser = argparse.ArgumentParser(description=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('results', metavar='RESULTS')
    page = parser.add_mutually_exclusive_group()
    for action, what in (('write', 'write it between the markers of PAGE'),
                         ('check', 'compare PAGE with it (status 0, 1)')):
        page.add_argument(f'--{action}', metavar='PAGE', type=pathlib.Path, help=what)
    return parser.parse_args()


def text(words):
    """Turns untrusted text into one cell of a table. It can make no element, link, mention, column
    or line, and cannot control a terminal."""
    plain = re.sub(r'[^\0-\x7f]', '?', re.sub(r'[\0-\x1f\x7f]', '', words))
    for mark in '\\|`@[]':
        plain = plain.replace(mark, f'\0{ord(mark)};')
    plain = html.escape(plain, quote=False).replace('\0', '&#')
    return plain.replace('://', '&#58;//').replace('www.', 'www&#46;')


def code(words):
    """The same between backticks, or nothing."""
    plain = re.sub(r'[^\0-\x7f]', '?', re.sub(r'[\0-\x1f\x7f]', '', words))
    return plain and f'`{plain.translate({96: 39, 124: 47})}`'


def publish(name, words, asked):
    """Prints the words, or puts them between the page's markers of that name, or fails unless they
    are there. Returns the exit status."""
    path = asked.write or asked.check
    if not path:
        print(words, end='')
        return 0
    old = path.read_text(encoding='utf-8')
    new, found = re.subn(rf'^(<!-- {name} -->\n).*?^(<!-- /{name} -->)$',
                         lambda match: match[1] + words + match[2], old, flags=re.M | re.S)
    if asked.write:
        path.write_text(new, encoding='utf-8')
    elif not found or old != new:
        print(*difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm='', n=0), sep='\n')
        print(f'FAILED: {path} (-) is not what the results say (+); to mend it: '
              f'proof/{pathlib.Path(sys.argv[0]).name} RESULTS --write {path}')
        return 1
    return 0
