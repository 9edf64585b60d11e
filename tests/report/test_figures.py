# SPDX-License-Identifier: MIT
"""What is amiss with a page: it is whole and safe, its figures are those of `scanbench table`
of its first run, and its verdicts those of `scanbench compare`. test_browser.py reads the
table of cards."""
import base64
import hashlib
import html.parser
import json

VOID = {'meta', 'input', 'br', 'wbr', 'link', 'img', 'hr', 'base'}


class Reader(html.parser.HTMLParser):
    """Collects tags, the text of scripts and styles, and nesting errors."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.problems = [], [], []
        self.texts = {'script': [], 'style': [], 'title': []}
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append(f'left open: {self.open}')

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in self.texts:
            self.texts[tag].append('')
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f'closes nothing: {tag}')

    def handle_data(self, data):
        if self.open and self.open[-1] in self.texts:
            self.texts[self.open[-1]][-1] += data


def sha256(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def amiss(reader):
    """Returns the reasons why the page is not self-contained and safe."""
    found = list(reader.problems)
    metas = [attrs for tag, attrs in reader.tags if tag == 'meta']
    policy = next((attrs['content'] for attrs in metas if attrs.get(
        'http-equiv') == 'Content-Security-Policy'), '')
    ids = [attrs['id'] for _, attrs in reader.tags if 'id' in attrs]
    for word in ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'eval(',
                 'document.write', 'new Function', 'fetch(', 'XMLHttp',
                 'https:', '@import', 'url(']:
        if any(word in text for kind in ['script', 'style']
               for text in reader.texts[kind][-1:]):
            found.append(f'the page uses {word}')
    if len(reader.texts['script']) != 2 or len(reader.texts['style']) != 1:
        return found + ['not its two scripts and one style']
    if "default-src 'none'" not in policy:
        found.append('the policy lets something in')
    for name, text in [('script-src', reader.texts['script'][1]),
                       ('style-src', reader.texts['style'][0])]:
        if f"{name} 'sha256-{sha256(text)}'" not in policy:
            found.append(f'the policy does not know its {name}')
    if len(set(ids)) != len(ids):
        found.append('an id stands twice')
    for tag, attrs in reader.tags:
        bad = [name for name in attrs if name.startswith('on')
               or name in ('src', 'style', 'srcdoc')
               or (name == 'href' and not attrs[name].startswith('#'))]
        if bad or tag in ('img', 'iframe', 'object', 'base', 'b', 'i'):
            found.append(f'{tag} {attrs}')
    return found


def cells(run, names):
    """Yields the cells with the fields of `scanbench table --format csv`."""
    columns = ['variant', 'family', 'status', 'reason', 'marks', 'contracts',
               'processes', 'passes', 'ceiling_gbps', 'launch', 'max_err', 'bound',
               'us', 'low_us', 'high_us', 'gbps', 'pct_ceiling', 'rank', 'tied']
    for cell in run['cells']:
        row = dict.fromkeys(columns)
        row.update(zip(columns, cell[1:]))
        group = run['groups'][cell[0]]
        for name in ['variant', 'family', 'reason', 'marks']:
            row[name] = run['texts'][row[name]]
        row['status'] = names['statuses'][row['status']]
        row['op'] = names['ops'][group[0]]
        row['dtype'] = names['dtypes'][group[1]]
        row['cache'] = names['caches'][group[5]]
        row.update(zip(['outer', 'axis', 'inner'], group[2:5]))
        row['rank'], row['tied'] = row['rank'] or None, row['tied'] or None
        yield row


def plain(field):
    """Removes the apostrophe that keeps spreadsheets from reading a formula."""
    return field[1:] if field[:1] == "'" and field[1:2] in tuple('=+-@') \
        else field


def same(ours, theirs):
    """True if a field of the page equals one of the CSV."""
    if ours is None:
        return theirs == ''
    if isinstance(ours, str):
        return plain(theirs) == ours
    return theirs != '' and float(theirs) == float(ours)


def figures(names, run, theirs):
    ours = list(cells(run, names))
    if len(ours) != len(theirs) or not ours:
        return [f'{len(ours)} cells, not {len(theirs)}']
    for row in theirs:  # contracts() compares the contracts
        row['marks'] = '+'.join(mark for mark in row['marks'].split('+')
                                if mark not in names['contracts'])
    return [f'{name} of {row}: {own[name]!r}'
            for own, row in zip(ours, theirs) for name in row
            if name not in ('err_bound', 'lines')  # the page lacks them
            and not same(own[name], row[name])]


def verdicts(names, theirs):
    pairs = names['comparisons'][0]
    ours = {}
    for pair in pairs['cells']:
        run = names['runs'][pairs['base']]
        cell = run['cells'][pair[0]]
        now = names['runs'][pairs['now']]
        own = now['cells'][pair[1]]
        group = run['groups'][cell[0]]
        variant = run['texts'][cell[1]]
        if variant != now['texts'][own[1]] or group[:6] != \
                now['groups'][own[0]][:6]:
            return [f'{variant} is beside another cell']
        key = (names['ops'][group[0]], variant, names['dtypes'][group[1]],
               names['caches'][group[5]], *map(str, group[2:5]))
        ours[key] = (pairs['verdicts'][pair[2]][0], pair[3])
    found = []
    for row in theirs:
        key = (row['op'], plain(row['variant']), row['dtype'],
               row['cache'], row['outer'], row['axis'], row['inner'])
        verdict, ratio = ours.pop(key, ('missing', None))
        if verdict != row['verdict'] or (
                row['ratio'] and abs(float(row['ratio']) / ratio - 1) > 1e-5):
            found.append(f'{key}: {verdict} {ratio}, not {row["verdict"]} '
                         f'{row["ratio"]}')
    return found + [f'{key}: not compared' for key in ours]


def contracts(names, kept):
    """The variants of the page that keep other contracts than `kept`, the rows by contract."""
    def variants(rows):
        return {(row['op'], plain(row['variant']), row['dtype']) for row in rows}
    ours = list(cells(names['runs'][0], names))
    return [f'{words} of {name}' for bit, name in enumerate(names['contracts'])
            for words in variants(row for row in ours if row['contracts'] >> bit & 1) ^
            variants(kept[name])]


def faults(page, rows, pairs, kept):
    """The reasons why the text of a page is not right beside rows of CSVs; no pairs, and no
    contracts, are not compared."""
    reader = Reader(page)
    names = json.loads(reader.texts['script'][0])
    return [*amiss(reader), *figures(names, names['runs'][0], rows),
            *(contracts(names, kept) if kept else []), *(verdicts(names, pairs) if pairs else []),
            *['more than 3 MB'] * (len(page.encode()) > 3e6)]
