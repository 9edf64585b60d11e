/* SPDX-License-Identifier: MIT
 *
 * Error against speed, types, and cache states, at the chosen shape.
 */

function drawErrors(at) {
    const known = at.group.best.filter((cell) => cell.err !== null);
    const cells = known.filter((cell) => cell.us <= 2 * at.group.best[0].us);
    const exact = cells.every((cell) => cell.err === 0);
    if (cells.length < 2 || exact)
        return null;
    const width = Math.min(plotWidth(true), 760);
    const box = boxOf(width, 320, width < 560 ? 12 : 24);
    const least = Math.min(...cells.map((cell) => cell.err)
        .filter((err) => err > 0)) / 1.3;
    const err = (cell) => Math.max(cell.err, least);
    const fast = cells.map((cell) => cell.gbps);
    const x = linear(Math.min(...fast) * 0.97, Math.max(...fast) * 1.02,
        box.left, box.right);
    const y = logarithmic(least, Math.max(...cells.map(err)) * 1.4,
        box.bottom, box.top, 2);
    /* The cells that no other beats in both speed and error. */
    const sorted = [...cells].sort((l, r) => l.us - r.us || l.err - r.err);
    const edge = sorted.filter((cell, k) =>
        sorted.slice(0, k).every((faster) => cell.err < faster.err));
    return [h('h3', {}, 'Error against speed'),
        plot('Largest error against GB/s', box, x, y, String,
            (tick) => significant(tick, 2), 'GB/s', 'largest error, u · Σ|x|',
        s('path', { class: 'front', d: pathOf(edge.map((cell) =>
            [x(cell.gbps), y(err(cell))])) }),
        dots(unique([...edge, ...cells]).map((cell) => ({ cell, x: x(cell.gbps),
            y: y(err(cell)), name: cell.family, title: titleOf(cell) })),
        width)),
        caption(sample('front'),
            'no family is both faster and more accurate. u: half an ulp of 1 ' +
            'in the accumulator\'s type. The final rounding is not counted. ',
        known.length > cells.length && `${known.length - cells.length} ` +
            'families less than half as fast as the fastest are left out.')];
}

/* Compares types or cache states at the chosen shape, if several were measured: the
 * leading families, with one column per type or state. */
function drawBeside(title, at, key, all) {
    const find = (name) =>
        findGroup(at.run, { ...at, shape: at.group.shape, [key]: name });
    const columns = all.filter(find), groups = columns.map(find);
    const lead = unique(groups.flatMap((group) =>
        group.best.slice(0, 8).map((cell) => cell.family)));
    const figures = (cell) => cell && cell.us ? h('td', {
        class: `num${cell.tied ? ' even' : ''}`, title: titleOf(cell) },
    showGbps(cell.gbps), ' ', faint(percentOf(cell.pct))) :
        h('td', { class: 'num faint', title: cell ? cell.reason : '' }, '–');
    return columns.length > 1 && [h('h3', {}, title),
        tableOf('plain', ['family', ...columns.map((name) => ['num', name])],
            lead.map((family) => h('tr', {}, rowHead(familyButton(family)),
                groups.map((group) => figures(group.byFamily.get(family))))))];
}

function drawTrade(at) {
    const tables = [drawBeside('Types', at, 'dtype', DATA.dtypes),
        drawBeside('Cache states', at, 'cache', DATA.caches)].filter(Boolean);
    const parts = [drawErrors(at), tables.length > 0 && [tables,
        caption('GB/s, and the share of the ceiling of that type and cache. ' +
            'Bold: within noise of the fastest.')]].filter(Boolean);
    return parts.length > 0 && h('div', { class: 'two' },
        parts.map((part) => h('div', {}, part)));
}
