/* SPDX-License-Identifier: MIT
 *
 * The drawer of a family: its header, its tuning points at the chosen shape, and
 * the shapes where it is fast or slow.
 */

const FIELDS = ['Idea', 'Against', 'Traffic', 'Needs', 'Source', 'Lesson'];

/* Links the families that a header names. */
function linked(text) {
    return text.split(/(\w+)/).map((word) =>
        FAMILIES.includes(word) && word !== 'best' && word.includes('_') ?
            button({ class: 'inline', onclick: () => setState({ kernel: word }) },
                word) : word);
}

function pointsTable(group, family) {
    const cells = group.cells.filter((cell) => cell.family === family)
        .sort((l, r) => (l.us || Infinity) - (r.us || Infinity));
    return tableOf('plain', ['tuning point', ['num', 'time'], ['num', 'GB/s'],
        ['num', '%'], ['num', 'error'], 'keeps'], cells.map((cell) => h('tr', {},
        td(null, cell.variant), cell.us ? [
            h('td', { class: 'num', title: titleOf(cell) }, showUs(cell.us)),
            td('num', showGbps(cell.gbps)), td('num', showPct(cell.pct)),
            td('num', significant(cell.err, 2))] :
            h('td', { class: 'faint', colspan: 4 },
                `${cell.status}: ${cell.reason}`), td(null, cell.keeps))));
}

function placeButton(cell) {
    const { shape } = cell.group;
    return h('li', {}, quietButton(shape, { shape }),
        ` ${showGbps(cell.gbps)} GB/s, ` +
        (cell.rank === 1 ? 'the fastest' : cell.tied ? 'within noise of the ' +
            'fastest' : `${significant(100 * cell.near, 3)} % of the fastest`));
}

function drawKernel(at) {
    const drawer = byId('kernel');
    const family = FAMILIES.includes(state.kernel) ? state.kernel : '';
    const opened = drawer.hidden && family;
    drawer.hidden = !family;
    if (!family)
        return;
    const header = headerOf(at.op, family);
    const places = at.groups.map((group) => group.byFamily.get(family))
        .filter((cell) => cell?.near).sort((l, r) => r.near - l.near);
    const own = at.group.byFamily.get(family);
    const leads = (cell) => cell.rank === 1 || cell.tied;
    const good = places.filter(leads);
    const bad = places.filter((cell) => !leads(cell)).slice(-5).reverse();
    drawer.className = `drawer ${familyClass(family)}`;
    show('kernel',
        h('div', { class: 'head' },
            h('h2', {}, h('i', { class: 'chip' }), ' ', family),
            quietButton('close', { kernel: '' })),
        header.file && h('p', { class: 'faint' },
            `variants/${header.file}`),
        header.place < 0 ?
            note('This build has no such family: it was removed, or belongs to ' +
                'a plugin.') :
            h('dl', { class: 'fields' }, FIELDS.filter((name) => header[name])
                .map((name) => fact(name, linked(header[name])))),
        own && [h('h3', {}, `${at.op} ${at.dtype}, ${at.group.shape}`),
            pointsTable(at.group, family),
            own.us > 0 && copyLine(`scanbench run --profile ${at.op}/` +
                `${own.variant}/${at.dtype}/${at.group.shape}${optionsOf(at.run)}`)],
        good.length > 0 && [h('h3', {}, 'Fastest or within noise of it'),
            h('ul', { class: 'places' }, good.slice(0, 12).map(placeButton)),
            good.length > 12 && note(`and at ${good.length - 12} more shapes`)],
        bad.length > 0 && [h('h3', {}, 'Worst'),
            h('ul', { class: 'places' }, bad.map(placeButton))]);
    if (opened)
        drawer.focus({ preventScroll: true });
}
