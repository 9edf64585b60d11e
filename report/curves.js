/* SPDX-License-Identifier: MIT
 *
 * Draws one curve per family against line length or tensor size.
 */

const COLOURED = 7;

/* Collects series of three or more shapes that differ in one extent. */
function seriesOf(groups) {
    const timed = groups.filter((group) => group.best.length);
    const flat = timed.filter((group) => group.inner === 1);
    const power = (group) => Math.round(Math.log2(group.elems));
    const found = [];
    const add = (key, name, x, members) => {
        const values = new Map(members.map((group) => [x(group), group]));
        if (values.size > 2)
            found.push({ key, name, x, groups: [...values.values()]
                .sort((l, r) => x(l) - x(r)) });
    };
    const elems = (group) => group.elems;
    const bySize = (key, name, groups) => {
        for (const size of unique(groups.map(power)).sort((l, r) => r - l))
            add(`${key}${size}`, name.replace('#', size), (group) => group.axis,
                groups.filter((group) => power(group) === size));
    };
    bySize('length', 'contiguous, about 2^# elements, by line length', flat);
    add('squares', 'squares, by elements', elems,
        flat.filter((group) => group.outer === group.axis));
    add('line', 'one line, by elements', elems,
        flat.filter((group) => group.outer === 1));
    bySize('strided', 'strided, about 2^# elements, by axis length',
        timed.filter((group) => group.inner > 1));
    return found;
}

const UNITS = {
    gbps: ['GB/s', (cell) => cell.gbps, showGbps],
    share: ['% of the ceiling', (cell) => cell.pct, showPct],
    us: ['time, µs', (cell) => cell.us, (us) => significant(us, 3)],
};

function pointsOf(series, family, value) {
    return series.groups.map((group) => group.byFamily.get(family))
        .filter((cell) => cell?.us && value(cell) !== null)
        .map((cell) => ({ x: series.x(cell.group), y: value(cell), cell }));
}

/* Families, first winners, then by closeness to these. The best library has a colour. */
function rankCurves(series) {
    const score = new Map();
    for (const group of series.groups)
        for (const cell of group.best)
            score.set(cell.family, (score.get(cell.family) || 0) +
                cell.near ** 6 + (cell.rank === 1 ? series.groups.length : 0));
    const order = [...score.keys()].sort((l, r) => score.get(r) - score.get(l));
    const library = order.findIndex((family) => LIBRARY.test(family));
    if (library >= COLOURED)
        order.splice(COLOURED - 1, 0, ...order.splice(library, 1));
    return order;
}

/* Moves the labels at the right ends apart. */
function spreadLabels(labels, { bottom }) {
    labels.sort((l, r) => l.y - r.y);
    for (let k = 1; k < labels.length; ++k)
        labels[k].y = Math.max(labels[k].y, labels[k - 1].y + 15);
    const over = labels.length ? labels[labels.length - 1].y - bottom : 0;
    for (let k = labels.length - 1; over > 0 && k >= 0; --k)
        labels[k].y = Math.min(labels[k].y,
            k + 1 < labels.length ? labels[k + 1].y - 15 : bottom);
    return labels;
}

function curve(family, points, x, y, shown) {
    /* An odd length next to a power of two is drawn off the curve. */
    const on = points.filter((point) => !points.some((other) => other !== point &&
        Number.isInteger(Math.log2(other.x)) && Math.abs(point.x / other.x - 1) < 0.02));
    const d = pathOf(on.map((point) => [x(point.x), y(point.y)]));
    return s('g', { class: `curve ${familyClass(family)} ${shown}` },
        s('title', {}, family),
        s('path', { class: 'reach', d }), s('path', { class: 'line', d }),
        shown !== 'rest' && points.map((point) => s('circle', {
            cx: x(point.x), cy: y(point.y), r: on.includes(point) ? 3 : 4,
            class: on.includes(point) ? null : 'odd' },
        s('title', {}, `${titleOf(point.cell)}\nat ${point.cell.group.shape}`))));
}

function roofOf(series, unit, x, y) {
    const points = series.groups.map((group) =>
        group.cells.find((cell) => cell.ceiling)).filter(Boolean)
        .map(({ group, ceiling }) => [x(series.x(group)),
            y(unit === 'share' ? 100 : ceiling)]);
    return unit !== 'us' && points.length > 1 && s('path', { class: 'roof',
        d: pathOf(points) }, s('title', {}, 'the measured ceiling'));
}

function drawPlot(series, unit, order, lit) {
    const width = plotWidth(), narrow = width < 640;
    const box = boxOf(width, narrow ? 320 : 420, narrow ? 12 : 230);
    const [name, value, print] = UNITS[unit];
    const curves = order.map((family) => [family,
        pointsOf(series, family, value)]).filter(([, points]) => points.length);
    const ys = curves.flatMap(([, points]) => points.map((point) => point.y))
        .concat(unit === 'gbps' ? series.groups.flatMap((group) =>
            group.cells.map((cell) => cell.ceiling)).filter(Boolean) : [],
        unit === 'share' ? [100] : []);
    const xs = series.groups.map(series.x);
    const x = logarithmic(Math.min(...xs), Math.max(...xs), box.left + 8,
        box.right - 8, 2);
    const y = unit === 'us' ? logarithmic(Math.min(...ys), Math.max(...ys),
        box.bottom, box.top, 10) : linear(0, Math.max(...ys) * 1.02,
        box.bottom, box.top);
    const bright = curves.filter(([family]) => lit.includes(family));
    const labels = narrow ? [] : spreadLabels(bright.map(([family, points]) =>
        ({ family, y: y(points[points.length - 1].y) + 4 })), box);
    return plot(`${name} against ${series.name}`, box, x, y, binary, print,
        series.name.split(', by ')[1], name,
    roofOf(series, unit, x, y),
    curves.filter(([family]) => !lit.includes(family)).map(([family, points]) =>
        curve(family, points, x, y, 'rest')),
    bright.reverse().map(([family, points]) =>
        curve(family, points, x, y, 'lit')),
    labels.map((label) => s('text', { class: `label ${familyClass(
        label.family)}`, x: box.right + 6, y: label.y }, label.family)));
}

function drawCurves(at) {
    const all = seriesOf(at.groups);
    if (!all.length)
        return null;
    const series = all.find((one) => one.key === state.places) ||
        all.reduce((l, r) => r.groups.length > l.groups.length ? r : l);
    const unit = Object.hasOwn(UNITS, state.unit) ? state.unit : 'gbps';
    const order = rankCurves(series);
    const pinned = state.pin.split(' ').filter((family) =>
        order.includes(family));
    const lit = pinned.length ? pinned : order.slice(0, COLOURED);
    const toggle = (family) => setState({ pin: (pinned.includes(family) ?
        pinned.filter((other) => other !== family) :
        [...pinned, family]).join(' ') });
    return [h('div', { class: 'head' },
            choice('shapes', 'places', series.key,
                all.map((one) => [one.key, one.name])),
            tabs('Unit', 'unit', unit, [['gbps', 'GB/s'],
                ['share', '% of ceiling'], ['us', 'µs']])),
        drawPlot(series, unit, order, lit),
        h('div', { class: 'legend', role: 'group',
            'aria-label': 'Families to highlight' },
        order.map((family) => button({ class: `name ${familyClass(family)}`,
            'aria-pressed': String(lit.includes(family)),
            title: 'highlight this family', onclick: () => toggle(family),
        }, h('i', { class: 'chip' }), h('span', {}, family))),
        pinned.length > 0 && quietButton('reset', { pin: '' })),
        caption(sample('roof'),
            'measured ceiling. Thin: all other families. Rings: odd ' +
                'lengths next to a power of two.')];
}
