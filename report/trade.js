/* SPDX-License-Identifier: MIT
 *
 * Error against speed, types, and cold against hot cache, at the chosen shape.
 */

/* Returns the cells that no other beats in both speed and error. */
function frontier(cells) {
    const sorted = [...cells].sort((l, r) => l.us - r.us || l.err - r.err);
    let least = Infinity;
    return sorted.filter((cell) => {
        const kept = cell.err < least;
        least = Math.min(least, cell.err);
        return kept;
    });
}

function drawErrors(at) {
    const known = at.group.best.filter((cell) => cell.err !== null);
    const cells = known.filter((cell) => cell.us <= 2 * at.group.best[0].us);
    const exact = cells.every((cell) => cell.err === 0);
    if (cells.length < 2 || exact)
        return [h('h3', {}, 'Error against speed'), note(exact &&
            cells.length ? 'Every family is exact here.' :
            known.length > 1 ? 'No other family is at least half as fast as ' +
                'the fastest.' : 'No errors were recorded.')];
    const width = Math.min(plotWidth(true), 760), height = 320;
    const box = boxOf(width, height, width < 560 ? 12 : 24);
    const least = Math.min(...cells.map((cell) => cell.err)
        .filter((err) => err > 0)) / 1.3;
    const err = (cell) => Math.max(cell.err, least);
    const fast = cells.map((cell) => cell.gbps);
    const x = linear(Math.min(...fast) * 0.97, Math.max(...fast) * 1.02,
        box.left, box.right);
    const y = logarithmic(least, Math.max(...cells.map(err)) * 1.4,
        box.bottom, box.top, 2);
    const edge = frontier(cells);
    const taken = [];
    const free = (px, py, text) => {
        const half = text.length * 3.4;
        const clash = px - 2 * half < box.left || taken.some(([ox, oy, oh]) =>
            Math.abs(oy - py) < 13 && Math.abs(ox - px) < oh + half + 4);
        if (!clash)
            taken.push([px, py, half]);
        return !clash;
    };
    return [h('h3', {}, 'Error against speed'),
        svg(width, height, 'Largest error against GB/s', frame(box, x, y, String, (tick) => significant(tick, 2), 'GB/s',
            'largest error, u · Σ|x|'),
        s('path', { class: 'front', d: pathOf(edge.map((cell) =>
            [x(cell.gbps), y(err(cell))])) }),
        cells.map((cell) => s('circle', {
            class: `point ${familyClass(cell.family)}`, r: 5,
            cx: x(cell.gbps), cy: y(err(cell)) },
        s('title', {}, `${titleOf(cell)}\nerror ${significant(cell.err, 3)}` +
            ` of at most ${significant(cell.bound, 3)}`))),
        edge.filter((cell) => free(x(cell.gbps), y(err(cell)) - 9,
            cell.family)).map((cell) => s('text', {
            class: `label ${familyClass(cell.family)}`,
            'text-anchor': 'end', x: x(cell.gbps) + 4,
            y: y(err(cell)) - 9 }, cell.family))),
        caption(sample('front'),
            'no family is both faster and more accurate. u: half an ulp of 1 ' +
            'in the accumulator\'s type. The final rounding is not counted. ',
        known.length > cells.length && `${known.length - cells.length} ` +
            'families less than half as fast as the fastest are left out.')];
}

/* A table of the leading families with one column per type or cache state. */
function beside(columns, find) {
    const lead = unique(columns.flatMap((column) => find(column) ?
        find(column).best.slice(0, 8).map((cell) => cell.family) : []));
    const figures = (cell) => cell && cell.us ? h('td', {
        class: `num${cell.tied ? ' even' : ''}`, title: titleOf(cell) },
    showGbps(cell.gbps), ' ', h('span', { class: 'faint' },
        percentOf(cell.pct))) :
        h('td', { class: 'num faint', title: cell ? cell.reason : '' }, '–');
    return tableOf('plain', ['family', ...columns.map((name) => ['num', name])],
        lead.map((family) => h('tr', {}, rowHead(familyButton(family)),
            columns.map((column) => {
                const group = find(column);
                return figures(group && group.byFamily.get(family));
            }))));
}

function drawTypes(at) {
    const find = (dtype) =>
        findGroup(at.run, at.op, dtype, at.cache, at.group.shape);
    const types = DATA.dtypes.filter(find);
    return [h('h3', {}, 'Types'), types.length > 1 ? [beside(types, find),
        caption('GB/s, and the share of the ceiling of that type. ' +
            'Bold: within noise of the fastest.')] :
        note(`At ${at.group.shape} only ${at.dtype} was measured.`,
            typesHint(at))];
}

/* Offers shapes that were measured in several types. */
function typesHint(at) {
    const shapes = at.groups.filter((group) => DATA.dtypes.filter((dtype) =>
        findGroup(at.run, at.op, dtype, at.cache, group.shape)).length > 1);
    return shapes.length > 0 && [' Shapes with more types: ',
        shapes.slice(0, 6).map(({ shape }) => quietButton(shape, { shape }))];
}

function drawCaches(at) {
    const find = (cache) =>
        findGroup(at.run, at.op, at.dtype, cache, at.group.shape);
    const caches = DATA.caches.filter(find);
    return [h('h3', {}, 'Cold and hot'), caches.length > 1 ?
        beside(caches, find) :
        note(`Only the ${at.cache} cache was measured here; `,
            h('code', {}, '--cache cold,hot'), ' measures both.')];
}

function drawTrade(at) {
    show('trade-body', h('div', { class: 'two' },
        h('div', {}, drawErrors(at)),
        h('div', {}, drawTypes(at), drawCaches(at))));
}
