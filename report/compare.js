/* SPDX-License-Identifier: MIT
 *
 * Compares the first run with another, as `scanbench compare` does, also its option
 * `--cards`, and shows the fastest variants side by side.
 */

const PAIRS = DATA.comparisons.map((raw) => ({
    ...raw, base: RUNS[raw.base], now: RUNS[raw.now],
    cells: raw.cells.map(([base, now, verdict, ratio, low, high, limit,
        time]) => ({ base: RUNS[raw.base].cells[base],
        now: RUNS[raw.now].cells[now], verdict: raw.verdicts[verdict][0],
        ratio, low, high, limit, time })),
}));

/* Verdicts that are shown on request only. */
const CALM = ['unmeasured', 'too_short', 'unchanged'];
const JUDGED = {
    times: 'The verdicts are about times.',
    shares: 'Two cards of one model: the verdicts are about shares of each ' +
        'run\'s own ceiling.',
    ratios: 'Different GPUs or clocks: ratios, no verdicts.',
};

function change(ratio) {
    const apart = 100 * (ratio - 1), size = Math.abs(apart);
    return ratio === null ? '' : `${size < 0.005 ? '' : apart >= 0 ? '+' : '−'}` +
        `${size.toFixed(size < 9.995 ? 2 : 1)} %`;
}

function wantedPairs(pair, at) {
    const names = pair.verdicts.map(([name]) => name); /* worst first */
    const verdicts = state.verdict ? [state.verdict] :
        names.filter((name) => !CALM.includes(name));
    const distanceOf = (cell) => Math.abs(Math.log(cell.ratio || 1));
    return pair.cells.filter((cell) => verdicts.includes(cell.verdict) &&
        (state.scope === 'all' || cell.base.group.op === at.op))
        .sort((l, r) => names.indexOf(l.verdict) - names.indexOf(r.verdict) ||
            distanceOf(r) - distanceOf(l));
}

/* The interval from faster (left) to slower (right); a band is the limit of noise. */
function changeBar(cell, most) {
    const at = (ratio) => percent(50 + 50 * Math.log(ratio) / most);
    const known = cell.low > 0 && cell.high > 0;
    const band = cell.limit > 0 ? cell.limit : 0;
    return h('div', { class: `track change ${cell.verdict}` },
        h('span', { class: 'band', style: { left: at(1 / (1 + band)),
            right: percent(50 - 50 * Math.log(1 + band) / most) } }),
        h('span', { class: 'zero' }),
        known && h('span', { class: 'range', style: { left: at(cell.low),
            right: percent(50 - 50 * Math.log(cell.high) / most) } }),
        cell.ratio && h('span', { class: 'dot', style: {
            left: at(cell.ratio) } }));
}

function pairRow(cell, most) {
    const { group } = cell.base;
    return h('tr', {},
        cell.verdict !== 'no_verdict' && verdictCell(cell.verdict),
        td('num strong', change(cell.ratio)),
        rowHead(familyButton(cell.base.family, cell.base.variant)),
        td('faint', `${group.op} ${group.dtype} ${group.shape}` +
            (group.cache === 'cold' ? '' : ` ${group.cache}`)),
        td('num', showUs(cell.base.us) || cell.base.status),
        td('num', showUs(cell.now.us) || cell.now.status),
        td('num faint', cell.limit ? `${(100 * cell.limit).toFixed(1)} %` : ''),
        td('num faint', cell.low > 0 ?
            `${change(cell.low)} … ${change(cell.high)}` : ''),
        td('wide', changeBar(cell, most)));
}

function changesTable(pair, at) {
    const wanted = wantedPairs(pair, at), shown = wanted.slice(0, 40);
    const most = Math.max(Math.log(1.1), ...shown.map((cell) =>
        Math.min(Math.log(4), Math.abs(Math.log(cell.ratio || 1)) * 1.1)));
    if (!shown.length)
        return note(state.verdict ? 'No such cell.' :
            'No cell is slower, faster or unclear.');
    return [tableOf('plain pairs', [...shown[0].verdict === 'no_verdict' ? [] :
        ['verdict'], ['num', pair.mode === 'shares' ? 'of ceiling' : 'time'], 'variant', '',
        ['num', pair.base.label], ['num', pair.now.label],
        ['num', 'limit'], ['num', '95 % interval'], ['wide', 'faster · slower']],
    shown.map((cell) => pairRow(cell, most))),
    wanted.length > shown.length && note(`and ${wanted.length -
        shown.length} more; `, h('code', {}, 'scanbench compare --format csv'),
    ' prints all.')];
}

/* Lists the fastest family of each run at every shape that both timed. */
function winnersTable(pair, at) {
    const rows = pair.base.groups.filter((group) => group.op === at.op &&
        group.dtype === at.dtype && group.cache === at.cache)
        .map((group) => [group, findGroup(pair.now, group)])
        .filter(([l, r]) => r && l.best.length && r.best.length)
        .sort(([l], [r]) => byClass(l, r));
    const side = (cell) => [
        td(null, familyButton(cell.family)), td('num', showGbps(cell.gbps)),
        td('num faint', percentOf(cell.pct))];
    if (!rows.length)
        return note(`The runs have no shape of ${at.op} ${at.dtype} in common.`);
    return tableOf('plain', ['shape', ['', pair.base.label, 3],
        ['', pair.now.label, 3], ['num', 'GB/s ratio']], rows.map(([l, r]) =>
        h('tr', {}, rowHead(l.shape), side(l.best[0]), side(r.best[0]),
            td('num strong',
                `${significant(r.best[0].gbps / l.best[0].gbps, 3)} ×`))));
}

/* One row per operation and class, with each card's rate and winner. */
function cardsTable(at) {
    const { names, rows } = DATA.cards;
    const wanted = rows.filter(([op]) => state.scope === 'all' ||
        DATA.ops[op] === at.op);
    const side = (first, [gbps, pct, winner, wins], k) => [
        td('num strong', showGbps(gbps), ' ', faint(percentOf(pct))),
        k > 0 && td('num', `${significant(gbps / first, 3)} ×`),
        td('wins', familyButton(winner), faint(` ${wins}`))];
    if (!rows.length)
        return note('No problem was timed with a cold cache on all cards.');
    return tableOf('plain cards', ['', ['num wins', 'shapes'], ...names.flatMap((name, k) =>
        [['num', name.replace(/^NVIDIA /, '')], ...k ? [['num', 'ratio']] : [],
            ['wins', 'most wins']])],
    wanted.map(([op, kind, problems, , ...figures]) => h('tr', {},
        rowHead(DATA.ops[op], ' ', faint(DATA.classes[kind])),
        td('num wins', problems),
        figures.map((one, k) => side(figures[0][0], one, k)))));
}

/* Also lists how cards of one model differ, and the cost of running together. */
function drawCards(at) {
    const { names, pairs } = DATA.cards;
    return names.length > 1 && [h('h3', {}, GPUS.length > 1 ?
        'By class of shape' : 'Card by card'),
        note('GB/s and share of its own ceiling of the fastest variants: ' +
            'geometric means over the problems that all cards timed.'),
        pairs.length > 0 && h('ul', {}, pairs.map(
            ([from, to, together, ratio]) => h('li', {}, together ?
                `${names[to]}: ${change(ratio)} of its GB/s alone` :
                `${names[from]} to ${names[to]}: ${change(ratio)} GB/s`))),
        cardsTable(at)];
}

function drawCompare(at) {
    if (!PAIRS.length)
        return null;
    const pair = PAIRS.find((one) => one.now.index === Number(state.with)) ||
        PAIRS[0];
    const means = pair.means.map(([ratio, cells, clear], op) =>
        clear ? `${DATA.ops[op]} ${change(ratio)} (${cells})` : '')
        .filter(Boolean);
    const judged = pair.mode !== 'ratios';
    const cells = [
        judged && tabs('Verdict', 'verdict', state.verdict, [['', 'changes'],
            ...pair.verdicts.filter(([, count]) => count)
                .map(([name, count]) => [name, `${name} ${count}`])]),
        tabs('Cells', 'scope', state.scope, [['all', 'all operations'],
            ['op', `only ${at.op}`]]),
        changesTable(pair, at)];
    return [h('div', { class: 'head' },
            h('p', {}, h('b', {}, pair.now.label), ' against ',
                h('b', {}, pair.base.label), `. ${JUDGED[pair.mode]}`),
            PAIRS.length > 1 && choice('with', 'with', pair.now.index,
                PAIRS.map((one) => [one.now.index, one.now.label]))),
        !judged && drawCards(at),
        means.length > 0 && h('p', { class: 'faint' }, 'Change of the ' +
            `${pair.mode === 'shares' ? 'times as shares' : 'times'}, geometric ` +
            `mean (number of cells): ${means.join(', ')}.`),
        judged && cells,
        pair.notes.length > 0 && h('details', { open: judged }, h('summary', {},
            `Differences between the runs: ${plural(pair.notes.length, 'note')}`),
        h('ul', {}, pair.notes.map((text) => h('li', {}, text)))),
        h('h3', {}, `Fastest variants, ${at.op} ${at.dtype}`),
        winnersTable(pair, at), judged ? drawCards(at) :
            h('details', {}, h('summary', {}, 'Ratios of all cells'), cells)];
}
