/* SPDX-License-Identifier: MIT
 *
 * Finds the kernel for a typed shape: the fastest where it was measured, or else the
 * choice of the rules, with the nearest measured shape for its rate.
 */

const MOST_ELEMS = 2 ** 56;

function extentsOf(text) {
    const words = text.split('x');
    return words.every((word) => /^\d{1,17}$/.test(word)) ?
        words.map(Number) : null;
}

/* Parses "4096x4096:1" (a tensor and a dim) or "OUTERxAXISxINNER" like
 * src/model/shape.c. Returns {shape}, or {problem} with a message. */
function parseShape(typed) {
    const text = typed.trim().toLowerCase().replace(/\s+/g, '')
        .replace(/[×*,]/g, 'x');
    const [left, dimText, more] = text.split(':');
    const extents = extentsOf(left);
    if (!extents || more !== undefined)
        return { problem: 'An extent is not a number: try 4096x4096:1.' };
    if (extents.reduce((l, r) => l * r, 1) > MOST_ELEMS)
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
    const product = (numbers) => numbers.reduce((l, r) => l * r, 1);
    return { shape: makeShape(product(extents.slice(0, dim)), extents[dim],
        product(extents.slice(dim + 1))) };
}

function makeShape(outer, axis, inner) {
    return { outer, axis, inner, lines: outer * inner,
        elems: outer * axis * inner, shape: `${outer}x${axis}x${inner}` };
}

/* ---------------------------------------------------------------- nearness */

/* Weights of the rules' features, of which the last four are not of the shape. */
const WEIGHTS = [1, 1, 0.5, 0.5, 1, 0, 0.3, 0.3, 0, 0, 0, 0];

/* Contiguous shapes are far from all strided ones. */
function distance(left, right, dtype, op) {
    if ((left.inner > 1) !== (right.inner > 1))
        return 100 + Math.abs(Math.log2(left.elems / right.elems));
    const to = featuresOf(op, dtype, right);
    return Math.hypot(...featuresOf(op, dtype, left).map((value, k) =>
        WEIGHTS[k] * (value - to[k])));
}

function nearestGroup(groups, shape, dtype, op) {
    let best = null, least = Infinity;
    for (const group of groups) {
        const far = distance(shape, group, dtype, op);
        if (group.best.length && far < least) {
            best = group;
            least = far;
        }
    }
    return { group: best, far: least };
}

/* ---------------------------------------------------------------- the answer */

function describeDifference(shape, group) {
    const parts = [];
    const say = (mine, its, what) => {
        const ratio = mine / its;
        if (ratio > 1.001 || ratio < 0.999)
            parts.push(ratio > 1 ? `${significant(ratio, 3)} × the ${what}` :
                `1/${significant(1 / ratio, 3)} of the ${what}`);
    };
    say(shape.axis, group.axis, 'axis');
    say(shape.lines, group.lines, 'lines');
    if ((shape.inner === 1) !== (group.inner === 1))
        parts.push(shape.inner === 1 ? 'contiguous, though that is strided' :
            'strided, though that is contiguous');
    else
        say(shape.inner, group.inner, 'inner extent');
    return parts.join(', ');
}

function ceilingName({ op, dtype }) {
    return isTwin(op) ? 'the ceiling' : `the ${twinOf(op, dtype)} ceiling`;
}

/* Cells of the variants that the rules rank, where the run has them for the operation
 * and type. Whether the GPU refuses a shape is not in the page. */
function chosenCells(shape, at) {
    const has = new Map(at.run.cells.filter(({ group, us }) => us &&
        group.op === at.op && group.dtype === at.dtype)
        .map((cell) => [cell.variant, cell]));
    return rankVariants(at.op, at.dtype, shape).map((name) => has.get(name))
        .filter(Boolean);
}

/* A kernel for a shape, with its figures and facts. */
function kernelCard(lead, shape, bytes, at, figures, facts) {
    const header = headerOf(at.op, lead.family);
    return h('div', { class: `card ${familyClass(lead.family)}` },
        note(`${at.op} of ${at.dtype} along ${plural(shape.lines, 'line')} of ` +
            `${plural(shape.axis, 'element')}, stride ${shape.inner}: ` +
            `${showBytes(bytes)} of traffic.`),
        h('div', { class: 'lead' }, familyButton(lead.family, lead.variant),
            lead.status !== 'ok' &&
                h('span', { class: 'badge warn' }, lead.status)),
        h('div', { class: 'figures' }, figures),
        header.Idea && h('p', { class: 'idea' }, header.Idea),
        h('dl', { class: 'facts' }, facts),
        copyLine(`scanbench run --op ${at.op} --dtype ${at.dtype} ` +
            `--shape ${shape.shape}`));
}

/* A shape that was not measured: the choice of the rules, and the rate of its family
 * at the nearest shape. */
function guessCard(group, shape, at) {
    const [first, ...others] = chosenCells(shape, at);
    const [fastest] = group.best, lead = first || fastest;
    const near = group.byFamily.get(lead.family);
    const like = near && near.us ? near : fastest;
    const bytes = group.bytes * shape.elems / group.elems;
    const us = Math.max(bytes / like.gbps / 1e3, at.run.facts.empty_us || 0);
    return kernelCard(lead, shape, bytes, at,
        figure(`about ${showUs(us)}`,
            `if ${like.family} is as fast as at ${group.shape}`), [
            fact('Chosen', first ? `by the rules of best (${RULES_GPU}), of the ` +
                'variants in this run' : 'as the fastest at the nearest shape; ' +
                'no rules for this problem'),
            others.length > 0 && fact('Or else', others.slice(0, 3)
                .map((cell) => familyButton(cell.family, cell.variant))),
            fact('Measured', 'not this shape. The nearest is ', h('b', {},
                group.shape), '; yours has ', describeDifference(shape, group),
            '. The fastest there: ', familyButton(fastest.family),
            ` ${showGbps(fastest.gbps)} GB/s`)]);
}

function answerCard(group, at) {
    const [first] = group.best, { peak } = at.run;
    const tied = group.best.filter((cell) => cell.tied && cell.rank > 1);
    const library = group.best.find((cell) => LIBRARY.test(cell.family));
    const own = group.byFamily.get('best');
    return kernelCard(first, group, group.bytes, at, [
        figure(showGbps(first.gbps), 'GB/s'),
        first.pct !== null &&
            figure(`${showPct(first.pct)} %`, `of ${ceilingName(at)}`),
        peak > 0 && at.cache === 'cold' &&
            figure(`${showPct(100 * first.gbps / peak)} %`, 'of the memory bus'),
        figure(showUs(first.us), 'per launch'),
        library && library !== first &&
            figure(`${significant(library.us / first.us, 3)} ×`,
                `as fast as ${library.family}`)], [
        fact('Measured', `this shape, ${group.shape}`),
        tied.length > 0 && fact('Within noise',
            tied.map((cell) => familyButton(cell.family))),
        own && own.us && fact('best',
            `the choice of the rules: ${showGbps(own.gbps)} GB/s, ` +
            `${significant(100 * first.us / own.us, 4)} % of the fastest`),
        first.marks && fact('Marks', first.marks)]);
}

/* In how many shapes `best` was nearly the fastest, and how near the kernels came
 * to the ceiling. */
function summary(at) {
    const timed = at.groups.filter((group) => group.best.length);
    const lost = timed.map((group) => group.byFamily.get('best'))
        .filter((own) => own && own.us)
        .map((own) => own.us / own.group.best[0].us);
    const shares = timed.map((group) => group.best[0].pct).filter(Boolean)
        .sort((l, r) => l - r);
    return note(`${at.op} ${at.dtype}, ${at.cache} cache, on ${at.run.device}: `,
        lost.length > 0 && [h('b', {}, `best within 2 % of the fastest at ${
            lost.filter((factor) => factor <= 1.02).length} of ` +
            plural(lost.length, 'shape')), '; '], shares.length > 0 &&
        `the fastest kernels reach ${percentOf(shares[shares.length >> 1])} ` +
        `of the ceiling in the median, ${percentOf(shares[0])} at least.`);
}

function figure(value, unit) {
    return h('div', { class: 'figure' }, h('b', {}, value), ' ',
        h('span', {}, unit));
}

function fact(name, ...value) {
    return [h('dt', {}, name), h('dd', {}, ...value)];
}

/* Offers the other types in which the shape was measured. */
function otherTypes(shape, at, group) {
    if (group && group.shape === shape.shape)
        return null;
    const types = DATA.dtypes.filter((dtype) => dtype !== at.dtype &&
        findGroup(at.run, at.op, dtype, at.cache, shape.shape));
    return types.length > 0 && note(`${shape.shape} was measured in `,
        types.map((dtype) => quietButton(dtype,
            { dtype, shape: shape.shape })));
}

function drawAnswer(at) {
    const box = byId('shape');
    const typed = state.ask || at.group.shape;
    if (document.activeElement !== box)
        box.value = typed;
    show('shapes', at.groups.map((group) => h('option', {
        value: group.shape })));
    const { shape, problem } = parseShape(typed);
    box.setAttribute('aria-invalid', String(Boolean(problem)));
    if (problem) {
        show('asked', h('p', { class: 'note problem' }, problem));
        return;
    }
    const { group, far } = nearestGroup(at.groups, shape, at.dtype, at.op);
    show('asked', summary(at), group && (far < 1e-9 ? answerCard(group, at) :
        guessCard(group, shape, at)) ||
        note('Nothing was timed for this operation, type and cache.'),
    otherTypes(shape, at, group));
}

function startAnswer() {
    const box = byId('shape');
    byId('ask').addEventListener('submit', (event) => event.preventDefault());
    box.addEventListener('input', () => {
        const at = settle(state);
        const { shape } = parseShape(box.value);
        const found = shape ?
            nearestGroup(at.groups, shape, at.dtype, at.op).group : null;
        setState({ ask: box.value.trim(),
            shape: found ? found.shape : state.shape });
    });
}
