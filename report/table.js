/* SPDX-License-Identifier: MIT
 *
 * The table of all cells, with filter, sorting and CSV export.
 */

const PAGE = 100;

/* The columns of `scanbench table --format csv`. */
const COLUMNS = ['op', 'family', 'variant', 'dtype', 'outer', 'axis', 'inner',
    'cache', 'processes', 'status', 'reason', 'marks', 'us', 'low_us', 'high_us',
    'gbps', 'ceiling_gbps', 'pct_ceiling', 'passes', 'max_err', 'rank', 'tied'];
const SHOWN = ['op', 'variant', 'dtype', 'outer', 'axis', 'inner', 'cache',
    'us', 'low_us', 'high_us', 'gbps', 'pct_ceiling', 'passes', 'max_err', 'rank',
    'processes', 'status', 'marks', 'reason'];
const TEXTS = ['op', 'variant', 'dtype', 'cache', 'status', 'marks', 'reason'];
/* The columns that a cell calls otherwise. */
const FIELD = { low_us: 'low', high_us: 'high', ceiling_gbps: 'ceiling',
    pct_ceiling: 'pct', max_err: 'err' };

function valueOf(cell, column) {
    const value = cell[FIELD[column] || column] ?? cell.group[column] ?? null;
    return ['rank', 'tied'].includes(column) ? Number(value) || null : value;
}

function idOf(cell) {
    return `${cell.group.op}/${cell.variant}/${cell.group.dtype}/` +
        `${cell.group.shape}/${cell.group.cache}`;
}

/* Matches the id by a regular expression, or literally if it is none. */
function matcher(text) {
    try {
        const pattern = new RegExp(text, 'i');
        return (cell) => pattern.test(idOf(cell));
    } catch {
        const plain = text.toLowerCase();
        return (cell) => idOf(cell).toLowerCase().includes(plain);
    }
}

function order(column, down) {
    const way = down ? -1 : 1;
    return (l, r) => {
        const [a, b] = [valueOf(l, column), valueOf(r, column)];
        const empty = (x) => x === null || x === '';
        return empty(a) || empty(b) ? empty(a) - empty(b) :
            way * (a < b ? -1 : a > b ? 1 : 0) || l.index - r.index;
    };
}

function filtered(at) {
    const matches = matcher(state.q);
    const cells = at.run.cells.filter((cell) => (!state.status ||
        state.status === (cell.us && 'timed') || state.status === cell.status) &&
        (state.rows === 'all' || (cell.group.op === at.op &&
            cell.group.dtype === at.dtype && cell.group.cache === at.cache &&
            (state.rows === 'op' || cell.group === at.group))) &&
        matches(cell));
    const [column, way] = (state.sort || 'rank').split(' ');
    return COLUMNS.includes(column) ? cells.sort(order(column, way === 'down')) : cells;
}

/* An apostrophe keeps spreadsheets from reading a formula. */
function csvField(value) {
    const text = value === null ? '' : String(value);
    const tame = typeof value === 'string' && /^[=+\-@]/.test(text) ?
        `'${text}` : text;
    return /[",\n]/.test(tame) ? `"${tame.replace(/"/g, '""')}"` : tame;
}

function save(cells) {
    const lines = [COLUMNS, ...cells.map((cell) =>
        COLUMNS.map((column) => csvField(valueOf(cell, column))))];
    const blob = new Blob([lines.map((line) => line.join(',')).join('\n'),
        '\n'], { type: 'text/csv' });
    const link = h('a', { href: URL.createObjectURL(blob),
        download: 'cells.csv' });
    link.click();
    URL.revokeObjectURL(link.href);
}

function headCell(name) {
    const [column, way] = (state.sort || 'rank').split(' ');
    const own = column === name;
    const next = own && way !== 'down' ? `${name} down` : name;
    return h('th', { scope: 'col', class: TEXTS.includes(name) ? null : 'num',
        'aria-sort': own ? (way === 'down' ?
        'descending' : 'ascending') : null },
    button({ onclick: () => setState({ sort: next }) }, name,
        own ? (way === 'down' ? ' ↓' : ' ↑') : ''));
}

function bodyCell(name, value, cell) {
    if (name === 'variant')
        return td(null, familyButton(cell.family, cell.variant));
    if (name === 'status')
        return verdictCell(value);
    return td(typeof value === 'number' ? 'num' : null,
        value === null ? '' : String(value));
}

function drawTable(at, shown = PAGE) {
    const cells = filtered(at);
    drawFilters(at.run);
    show('rows-shown', `${cells.length} of ${at.run.cells.length} cells`);
    show('rows', h('table', { class: 'plain cells' },
        h('thead', {}, h('tr', {}, SHOWN.map(headCell))),
        h('tbody', {}, cells.slice(0, shown).map((cell) => h('tr', {},
            SHOWN.map((name) => bodyCell(name, valueOf(cell, name), cell)))))));
    show('rows-more', cells.length > shown && button({
        onclick: () => drawTable(settle(state), shown + 5 * PAGE),
    }, `show more (${cells.length - shown} left)`));
}

/* The filter box is made once, so that it keeps the focus while typing. */
function drawFilters(run) {
    if (!byId('filter'))
        show('table-body', h('div', { class: 'head' },
            h('label', { class: 'choice' }, h('span', { title: 'a regular expression on ' +
                    'op/variant/type/shape/cache' }, 'filter'),
                h('input', { id: 'filter', type: 'search', spellcheck: 'false',
                    placeholder: 'cumsum/.*lookback.*/f32',
                    oninput: (event) => setState({ q: event.target.value }) })),
            h('span', { id: 'filters', class: 'controls' }),
            h('span', { id: 'rows-shown', class: 'faint', role: 'status' })),
        h('div', { id: 'rows', class: 'scroll', tabindex: '0', role: 'region',
            'aria-label': 'Cells' }), h('p', { id: 'rows-more' }));
    if (document.activeElement !== byId('filter'))
        byId('filter').value = state.q;
    show('filters',
        choice('status', 'status', state.status,
            [['', 'any'], ['timed', 'with a time'], ...DATA.statuses.filter(
                (name) => run.cells.some((cell) => cell.status === name))]),
        choice('rows', 'rows', state.rows, [['', 'this shape'],
            ['op', 'this operation and type'], ['all', 'the whole run']]),
        button({ onclick: () => save(filtered(settle(state))) }, 'save as CSV'));
}
