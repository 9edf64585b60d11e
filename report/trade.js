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
        return null;
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
    /* Each label is at the first of four places that covers no dot and no label. */
    const taken = cells.map((cell) => [x(cell.gbps), y(err(cell)), 5]);
    const labelOf = (cell) => {
        const half = cell.family.length * 3.5;
        const px = x(cell.gbps), py = y(err(cell));
        const place = [[-half - 10, 4], [half + 10, 4], [0, -10], [0, 18]]
            .map(([dx, dy]) => [px + dx, py + dy - 4, half])
            .find(([cx, cy]) => cx - half > box.left && cx + half < width &&
                !taken.some(([ox, oy, oh]) => Math.abs(oy - cy) < 12 &&
                    Math.abs(ox - cx) < oh + half + 2));
        if (place)
            taken.push(place);
        return place && s('text', { class: `label ${familyClass(cell.family)}`,
            'text-anchor': 'middle', x: place[0], y: place[1] + 4 },
        cell.family);
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
        unique([...edge, ...cells]).map(labelOf)),
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
    return types.length > 1 && [h('h3', {}, 'Types'), beside(types, find),
        caption('GB/s, and the share of the ceiling of that type. ' +
            'Bold: within noise of the fastest.')];
}

function drawCaches(at) {
    const find = (cache) =>
        findGroup(at.run, at.op, at.dtype, cache, at.group.shape);
    const caches = DATA.caches.filter(find);
    return caches.length > 1 && [h('h3', {}, 'Cold and hot'),
        beside(caches, find)];
}

function drawTrade(at) {
    const parts = [drawErrors(at), [drawTypes(at), drawCaches(at)]
        .filter(Boolean)].filter((part) => part && part.length);
    show('trade-body', parts.length > 0 && h('div', { class: 'two' },
        parts.map((part) => h('div', {}, part))));
}
