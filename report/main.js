/* SPDX-License-Identifier: MIT
 *
 * The state of the page, which is kept in the fragment of the address.
 */

/* [id, name, function, parts of the state that it depends on]. All depend on run,
 * operation, type and cache. Most functions return what their section shows, which
 * is hidden without. */
const SECTIONS = [
    ['answer', 'Answer', drawAnswer, ['shape', 'ask']],
    ['compare', 'Compare', drawCompare, ['with', 'verdict', 'scope']],
    ['ladder', 'Ladder', drawLadder, ['shape', 'order']],
    ['map', 'Map', drawMap, ['shape', 'shade']],
    ['curves', 'Curves', drawCurves, ['places', 'unit', 'pin']],
    ['roofline', 'Roofline', drawRoofline, []],
    ['trade', 'Trade-offs', drawTrade, ['shape']],
    ['trust', 'Trust', drawTrust, []],
    ['table', 'Every cell', drawTable,
        ['shape', 'q', 'status', 'rows', 'sort']],
];
const drawn = new Map(); /* the state that each section was drawn from */

const DEFAULTS = {
    run: '0', op: '', dtype: '', cache: '', shape: '', ask: '', kernel: '',
    order: 'fast', shade: 'share', places: '', unit: 'gbps',
    pin: '', with: '1', verdict: '', q: '', status: '', scope: 'all', sort: '',
    rows: '', at: '',
};
let state = { ...DEFAULTS };

/* ------------------------------------------------------- what can be chosen */

function opsOf(run) {
    const there = unique(run.groups.map((group) => group.op));
    return DATA.ops.filter((op) => there.includes(op));
}

function chosen(wanted, names, otherwise) {
    return names.includes(wanted) ? wanted :
        names.includes(otherwise) ? otherwise : names[0];
}

/* The largest shape that four in five families ran, contiguous if possible. */
function usualShape(groups) {
    const plain = groups.filter((group) => group.inner === 1);
    const from = plain.some((group) => group.best.length) ? plain : groups;
    const most = Math.max(0, ...from.map((group) => group.best.length));
    return from.filter((group) => group.best.length >= 0.8 * most)
        .sort((l, r) => r.elems - l.elems ||
            r.best.length - l.best.length)[0];
}

/* Replaces parts of the state that this run does not have. */
function settle(wanted) {
    const run = RUNS[Number(wanted.run)] || RUNS[0];
    const ops = opsOf(run);
    const op = chosen(wanted.op, ops, ops.find((name) => !isTwin(name)));
    const ofOp = run.groups.filter((group) => group.op === op);
    const dtype = chosen(wanted.dtype, unique(ofOp.map((g) => g.dtype)), 'f32');
    const ofType = ofOp.filter((group) => group.dtype === dtype);
    const cache = chosen(wanted.cache, unique(ofType.map((g) => g.cache)),
        'cold');
    const groups = ofType.filter((group) => group.cache === cache);
    const group = groups.find((g) => g.shape === wanted.shape) ||
        usualShape(groups);
    return { run, op, dtype, cache, groups, group, ofOp };
}

/* -------------------------------------------------------------- the address */

function readAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    return Object.fromEntries(Object.entries(DEFAULTS).map(([key, value]) =>
        [key, words.get(key) ?? value]));
}

function writeAddress() {
    const changed = Object.entries(state)
        .filter(([key, value]) => value !== DEFAULTS[key]);
    const hash = `#${new URLSearchParams(changed)}`;
    if (hash === location.hash || (hash === '#' && !location.hash))
        return;
    try {
        history.replaceState(null, '', hash);
    } catch {
        location.hash = hash;
    }
}

/* Answer also takes a chosen shape. */
function setState(changes) {
    state = { ...state, ...'shape' in changes && { ask: changes.shape },
        ...changes };
    writeAddress();
    draw();
}

/* --------------------------------------------------------------------- page */

function drawControls(at) {
    const { run, op, dtype, cache, ofOp } = at;
    const caches = unique(ofOp.map((group) => group.cache));
    show('controls',
        RUNS.length > 1 && choice('run', 'run', run.index,
            RUNS.map((other) => [other.index, other.label])),
        choice('operation', 'op', op, opsOf(run)),
        choice('type', 'dtype', dtype, DATA.dtypes.filter((name) =>
            ofOp.some((group) => group.dtype === name))),
        caches.length > 1 && choice('cache', 'cache', cache, caches),
        choice('shape', 'shape', at.group.shape,
            at.groups.map((group) => group.shape)));
    show('title', h('span', { class: 'device' }, run.device), ' ',
        GPUS.length < 2 && faint(run.label));
}

function goTo(id) {
    byId(id).scrollIntoView();
    state.at = id;
    writeAddress();
}

/* Redraws the sections whose state changed. */
function draw() {
    room = byId('ask').clientWidth || 800;
    const at = settle(state);
    const focused = document.activeElement;
    const where = focused && focused.closest('section, header, aside');
    const place = where ? [...where.querySelectorAll(FOCUSABLE)]
        .indexOf(focused) : -1;
    drawControls(at);
    for (const [id, , drawSection, keys] of SECTIONS) {
        const from = JSON.stringify([at.run.index, at.op, at.dtype, at.cache,
            room, keys.map((key) => key === 'shape' ? at.group.shape :
                state[key])]);
        const body = byId(`${id}-body`);
        if (drawn.get(id) !== from) {
            const made = drawSection(at);
            if (made !== undefined)
                show(body.id, made);
        }
        drawn.set(id, from);
        byId(id).hidden = byId(`to-${id}`).hidden = body && !body.firstChild;
    }
    for (const box of document.querySelectorAll('.scroll'))
        box.classList.toggle('cut', box.scrollWidth > box.clientWidth + 1);
    drawKernel(at);
    /* Restores the focus if its element was replaced. */
    if (place >= 0 && !document.contains(focused))
        where.querySelectorAll(FOCUSABLE)[place]?.focus({ preventScroll: true });
}

const FOCUSABLE = 'button, select, input, a[href], summary, [tabindex]';

document.addEventListener('keydown', (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key === 'Escape' && state.kernel)
        setState({ kernel: '' });
    if (event.key === '/' && !typing && !modified) {
        event.preventDefault();
        byId('shape').focus();
        byId('shape').select();
    }
});

function start() {
    state = readAddress();
    show('nav', SECTIONS.map(([id, name]) => h('a', {
            id: `to-${id}`, href: `#at=${id}`,
            onclick: (event) => {
                event.preventDefault();
                goTo(id);
            } }, name)));
    addEventListener('hashchange', () => {
        state = readAddress();
        draw();
    });
    addEventListener('resize', draw);
    startAnswer();
    show('footer', note('Written by scanbench ', DATA.version,
        '. GB/s is the effective bandwidth: every input is read once, every ' +
        'output written once; GB is 1e9 bytes. The ceiling is the best measured copy ' +
        '(or read) of as many bytes in the same run. Keys: / shape, ' +
        'Esc closes. The memory bus\'s peak is its width times ' +
        'its clock, as the driver reports them.'));
    draw();
    if (SECTIONS.some(([id]) => id === state.at))
        byId(state.at).scrollIntoView();
}

start();
