/* SPDX-License-Identifier: MIT
 *
 * Warnings, ceilings, spreads, statuses and the manifest.
 */

const NOTABLE = ['wrong', 'error', 'timeout', 'suspect', 'unstable', 'slow'];

function countBy(values) {
    return [...Map.groupBy(values, (value) => value)]
        .map(([value, all]) => [value, all.length])
        .sort((l, r) => r[1] - l[1]);
}

/* Draws a histogram of values with the given edges. */
function histogram(title, values, edges, unit) {
    const counts = edges.map((edge, k) => values.filter((value) =>
        value >= edge && (k + 1 === edges.length || value < edges[k + 1]))
        .length);
    const most = Math.max(1, ...counts);
    return values.length > 0 && h('div', { class: 'histogram' },
        h('h3', {}, title), h('ol', {}, counts.map((count, k) => h('li', {},
            faint(k + 1 === edges.length ?
                `≥ ${edges[k]}` : `${edges[k]}–${edges[k + 1]}`, ` ${unit}`),
            h('span', { class: 'track' }, h('span', { class: 'bar', style: {
                width: percent(100 * count / most) } })),
            h('span', { class: 'number' }, String(count))))));
}

function drawCeilings(at) {
    const type = DATA.dtypes.indexOf(at.dtype);
    const cache = DATA.caches.indexOf(at.cache);
    const lines = at.run.ceilings.filter((line) => line[0] >= 0 &&
        line[1] === type && line[2] === cache);
    const twins = unique(lines.map(([twin]) => twin)).sort((l, r) => l - r);
    if (unique(lines.map((line) => line[3])).length < 2)
        return [h('h3', {}, 'Ceilings'), note('Too few sizes were probed ' +
            `in ${at.dtype} to draw; ${twins.map((twin) => DATA.ops[twin])
                .map((op) => `${op} ${showGbps(mostOf(at, op))} GB/s`).join(', ')}`)];
    const box = boxOf(Math.min(plotWidth(true), 600), 280, 100);
    const xs = lines.map((line) => line[3]), ys = lines.map((line) => line[4]);
    const x = logarithmic(Math.min(...xs), Math.max(...xs), box.left + 8,
        box.right - 8, 2);
    const y = linear(0, Math.max(...ys) * 1.03, box.bottom, box.top);
    const ends = spreadLabels(twins.map((twin) => ({ twin, y: y(Math.max(
        ...lines.filter((line) => line[0] === twin && line[3] === Math.max(...xs))
            .map((line) => line[4]), 0)) + 4 })), box);
    return [h('h3', {}, `Ceilings, ${at.dtype}, ${at.cache} cache`),
        plot('Ceilings against elements', box, x, y, binary, showGbps, 'elements', 'GB/s',
        twins.map((twin, k) => {
            const own = lines.filter((line) => line[0] === twin);
            const first = own.filter((line) => !line[6])
                .sort((l, r) => l[3] - r[3]);
            return s('g', { class: `twin w${k % 4}` },
                s('path', { class: 'line', d: pathOf(first.map((line) =>
                    [x(line[3]), y(line[4])])) }),
                own.map((line) => s('circle', { cx: x(line[3]), cy: y(line[4]),
                    r: line[6] ? 5 : 2.5, class: line[6] ? 'ring' : null },
                s('title', {}, `${DATA.ops[twin]}, ${binary(line[3])} ` +
                    `elements: ${showGbps(line[4])} GB/s` +
                    (line[6] ? ', at the end of the run' : '')))));
        }),
        ends.map(({ twin, y: place }) => s('text', {
            class: `label twin w${twins.indexOf(twin) % 4}`,
            x: box.right + 4, y: place }, DATA.ops[twin]))),
        caption('Ring: the same probe at the end of the run.')];
}

function statusTable(run) {
    const notable = run.cells.filter((cell) =>
        NOTABLE.includes(cell.status)).sort((l, r) =>
        NOTABLE.indexOf(l.status) - NOTABLE.indexOf(r.status));
    const marks = countBy(run.cells.flatMap((cell) => cell.marks ?
        cell.marks.split('+') : []));
    return [
        h('h3', {}, 'Statuses and marks'),
        h('p', {}, countBy(run.cells.map((cell) => cell.status))
            .map(([name, count]) => [button({ class: `quiet verdict ${name}`,
                onclick: () => {
                    setState({ status: name, q: '', rows: 'all' });
                    goTo('table');
                } }, `${name} ${count}`), ' '])),
        marks.length > 0 && h('p', { class: 'faint' }, 'Marks: ',
            marks.map(([name, count]) => `${name} ${count}`).join(', '), '.'),
        notable.length > 0 && h('details', { open: notable.some((cell) =>
            cell.status !== 'slow') }, h('summary', {},
            'Cells that are wrong, failed, doubtful or slow'),
        tableOf('plain', [], notable.slice(0, 60).map((cell) => h('tr', {},
            verdictCell(cell.status),
            td(null, familyButton(cell.family, cell.variant)),
            td('faint', `${cell.group.op} ${cell.group.dtype} ` +
                cell.group.shape),
            td(null, cell.reason || (cell.launch ?
                `one launch takes ${showUs(cell.launch)}` : ''))))),
        notable.length > 60 && note(`and ${notable.length - 60} more`))];
}

/* Shows the manifests side by side, with differences highlighted. */
function manifestTable() {
    const keys = Object.keys(DATA.keys).filter((key) =>
        RUNS.some((run) => run.facts[key]));
    return tableOf('plain manifest', RUNS.length > 1 ?
        ['', ...RUNS.map((run) => run.label)] : [], keys.map((key) => h('tr', {
        class: unique(RUNS.map((run) => run.facts[key])).length > 1 ?
            'differs' : null },
    h('th', { scope: 'row', title: DATA.keys[key] }, key),
    RUNS.map((run) => td(null, run.facts[key] || '')))));
}

function drawTrust(at) {
    const { run } = at;
    const timed = run.cells.filter((cell) => cell.us);
    const arms = timed.filter((cell) => cell.low > 0)
        .map((cell) => 50 * (cell.high / cell.low - 1));
    const spread = timed.filter((cell) => cell.q1 > 0)
        .map((cell) => 100 * (cell.q3 / cell.q1 - 1));
    return [run.warnings.length ? h('ul', { class: 'alarms' },
            run.warnings.map((text) => h('li', {}, text))) :
            h('p', {}, 'No warnings: the run is complete, and its ceilings ' +
                'are stable.'),
        h('div', { class: 'two' },
            h('div', {}, drawCeilings(at), statusTable(run)),
            h('div', {},
                histogram('Half width of the 95 % interval', arms,
                    [0, 0.1, 0.2, 0.5, 1, 2, 5], '%'),
                histogram('Interquartile spread of the samples, q3 / q1 - 1', spread,
                    [0, 0.2, 0.5, 1, 2, 5, 10], '%'))),
        h('details', { open: RUNS.length > 1 }, h('summary', {},
            'Manifest'), manifestTable())];
}
