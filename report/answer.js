/* SPDX-License-Identifier: MIT
 *
 * Finds the kernel for a typed shape: the fastest at the nearest measured shape.
 */

/* Parses "4096x4096:1" (a tensor and a dim) or "OUTERxAXISxINNER" like
 * src/model/shape.c, or a measured shape by its own text, such as a ragged one.
 * Returns {shape}, or {problem} with a message. */
function parseShape(typed, groups = []) {
    const measured = groups.find((group) => group.shape === typed.trim());
    if (measured)
        return { shape: measured };
    const text = typed.toLowerCase().replace(/[()]/g, ' ').trim()
        .replace(/\s*:\s*/g, ':').replace(/\s*[×*,x]\s*|\s+/g, 'x');
    const last = typed.includes('(') ? '-1' : undefined;
    const [left, dimText = last, more] = text.split(':');
    const extents = left.split('x').map((word) =>
        /^\d{1,17}$/.test(word) ? Number(word) : NaN);
    if (left === 'ragged')
        return { problem: 'That was not measured: ask `scanbench which`.' };
    if (extents.includes(NaN) || more !== undefined)
        return { problem: 'An extent is not a number: try 4096x4096:1.' };
    const product = (numbers) => numbers.reduce((l, r) => l * r, 1);
    if (product(extents) > 2 ** 56)
        return { problem: 'That is more than 2^56 elements.' };
    if (extents.includes(0))
        return { problem: 'A tensor without elements takes no time.' };
    if (dimText === undefined) {
        if (extents.length !== 3)
            return { problem: 'Name the dim after the extents, as in ' +
                `${left}:${extents.length - 1}, or give OUTERxAXISxINNER.` };
        return { shape: makeShape(...extents) };
    }
    if (!/^-?\d{1,2}$/.test(dimText))
        return { problem: 'The dim is not a number: try :0, :1 or :-1.' };
    const dim = Number(dimText) + (Number(dimText) < 0 ? extents.length : 0);
    if (dim < 0 || dim >= extents.length)
        return { problem: `The tensor has dims 0 to ${extents.length - 1}.` };
    return { shape: makeShape(product(extents.slice(0, dim)), extents[dim],
        product(extents.slice(dim + 1))) };
}

/* ---------------------------------------------------------------- nearness */

/* Measures in a space whose unit is an octave. Contiguous shapes are far from
 * strided ones; lines that vectors do not divide are two octaves from others. */
function distance(...shapes) {
    const [from, to] = shapes.map(({ outer, axis, inner }) => [
        Math.log2(outer), Math.log2(axis), Math.log2(inner),
        inner > 1 ? 100 : 0, (inner > 1 ? inner : axis) % 8 ? 2 : 0]);
    return Math.hypot(...from.map((value, k) => value - to[k]));
}

function nearestGroup(groups, shape) {
    const far = (group) => group.shape === shape.shape ? 0 :
        1e-3 + distance(shape, group);
    const [group] = groups.filter((one) => one.best.length)
        .sort((l, r) => far(l) - far(r));
    return { group, far: group && far(group) };
}

/* ---------------------------------------------------------------- the answer */

function answerCard(group, shape, far, at) {
    const [first] = group.best, { run } = at;
    const tied = group.best.filter((cell) => cell.tied && cell.rank > 1);
    const library = group.best.find((cell) => LIBRARY.test(cell.family));
    const own = group.byFamily.get('best');
    const header = headerOf(at.op, first.family);
    const apart = [['axis', 'axis'], ['lines', 'lines'], ['inner', 'inner extent']]
        .filter(([extent]) => shape[extent] !== group[extent])
        .map(([extent, name]) =>
            `${significant(shape[extent] / group[extent], 4)} × the ${name}`);
    const exact = far < 1e-9, [gpu] = /h[12]00/.exec(run.device.toLowerCase()) || [];
    return h('div', { class: `card ${familyClass(first.family)}` },
        far > 4 && note('No similar shape was measured; the nearest:'),
        h('div', { class: 'lead' },
            familyButton(first.family, first.variant),
            first.status !== 'ok' &&
                h('span', { class: `verdict ${first.status}` }, first.status)),
        h('div', { class: 'figures' },
            figure(showGbps(first.gbps), 'GB/s'),
            first.pct !== null && figure(`${showPct(first.pct)} %`, isTwin(at.op) ?
                'of the ceiling' : `of the ${twinOf(at.op, at.dtype)} ceiling`),
            run.peak > 0 && at.cache === 'cold' && figure(
                `${showPct(100 * first.gbps / run.peak)} %`,
                'of the memory bus\'s peak'),
            figure(showUs(first.us), exact ? 'per launch' :
                `at ${group.shape}`),
            library && library !== first &&
                figure(`${significant(library.us / first.us, 3)} ×`,
                    `as fast as ${library.family}`)),
        header.Idea && h('p', {}, header.Idea),
        h('dl', { class: 'facts' },
            fact('Measured', exact ? `this shape, ${group.shape}` :
                ['the nearest shape, ', h('b', {}, group.shape), `; yours has ` +
                    apart.join(', ')]),
            tied.length > 0 && fact('Within noise',
                tied.map((cell) => familyButton(cell.family))),
            own && own.us && fact('best',
                `the choice of the rules: ${showGbps(own.gbps)} GB/s, ` +
                `${significant(100 * first.us / own.us, 4)} % of the fastest`),
            first.keeps && fact('Keeps', first.keeps),
            first.marks && fact('Marks', first.marks)),
        !exact && note('Between measured shapes, the rules (scanbench which) ' +
            'choose better.'),
        !exact && gpu && copyLine(`scanbench which ${at.op} ${shape.shape} ` +
            `--dtype ${at.dtype} --gpu ${gpu}`),
        copyLine(`scanbench run --op ${at.op} --dtype ${at.dtype} ` +
            `--shape ${shape.shape}${optionsOf(run)}`));
}

/* Sums up how good the choices of the rules are, and the fastest kernels. */
function summary({ run, op, dtype, cache, groups }) {
    const timed = groups.filter((group) => group.best.length);
    const own = timed.map((group) => group.byFamily.get('best'))
        .filter((cell) => cell && cell.near);
    const shares = timed.map((group) => group.best[0].pct).filter(Boolean)
        .sort((l, r) => l - r);
    return note(`${op} ${dtype}, ${cache} cache, on ${run.device}: `,
        own.length > 0 && [h('b', {}, `best within 2 % of the fastest at ${
            own.filter((cell) => cell.near >= 1 / 1.02).length} of ` +
            plural(own.length, 'shape')), '; '], shares.length > 0 &&
        `the fastest kernels reach ${percentOf(shares[shares.length >> 1])} ` +
        `of the ceiling in the median, ${percentOf(shares[0])} at least.`);
}

function figure(value, unit) {
    return h('div', { class: 'figure' }, h('b', {}, value), ' ',
        h('span', {}, unit));
}

const fact = (name, ...value) =>
    [h('dt', {}, name), h('dd', {}, ...value)];

function drawAnswer(at) {
    const box = byId('shape');
    const typed = state.ask || at.group.shape;
    if (document.activeElement !== box)
        box.value = typed;
    show('shapes', at.groups.map((group) => h('option', {
        value: group.shape })));
    const { shape, problem } = parseShape(typed, at.groups);
    box.setAttribute('aria-invalid', String(Boolean(problem)));
    if (problem) {
        show('asked', h('p', { class: 'note problem' }, problem));
        return;
    }
    const { group, far } = nearestGroup(at.groups, shape);
    show('asked', summary(at), group ? answerCard(group, shape, far, at) :
        note('Nothing was timed for this operation, type and cache.'));
}

function startAnswer() {
    const box = byId('shape');
    byId('ask').addEventListener('submit', (event) => event.preventDefault());
    box.addEventListener('input', () => {
        const at = settle(state);
        const { shape } = parseShape(box.value, at.groups);
        const found = shape && nearestGroup(at.groups, shape).group;
        setState({ ask: box.value.trim(), shape: found?.shape ?? state.shape });
    });
}
