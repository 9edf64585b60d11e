/* SPDX-License-Identifier: MIT
 *
 * Lists every family at one shape, with its error and its speedup over its simpler
 * neighbour.
 */

/* The family that a header's Against names first, if it has a time in this group. */
function neighbourOf(op, cell) {
    const against = headerOf(op, cell.family).Against || '';
    const name = (/^(?:\w+\/)?(\w+)/.exec(against) || [])[1];
    const found = name && cell.group.byFamily.get(name);
    return found && found.us && found !== cell ? found : null;
}

/* The row with the time nearest to that of `best`: usually the variant it called. */
function rowOfBest(group) {
    const own = group.byFamily.get('best');
    if (!own || !own.us || !group.best.length)
        return null;
    const apart = (cell) => Math.abs(Math.log(cell.us / own.us));
    return { own, row: group.best.reduce((l, r) =>
        apart(r) < apart(l) ? r : l) };
}

const percent = (value) =>
    `${Math.max(0, Math.min(100, value)).toFixed(3)}%`;

/* Draws the share of the ceiling, or GB/s without one, on a track up to `most`. */
function trackOf(cell, most, value, chosen) {
    const at = (number) => percent(100 * number / most);
    const own = value(cell);
    const spread = (us) => own * cell.us / us;
    const passes = cell.pct !== null && cell.passes > 1.001;
    return h('div', { class: 'track', title: titleOf(cell) },
        h('span', { class: 'bar', style: { width: at(own) } }),
        passes && h('span', { class: 'limit', style:
            { left: at(100 / cell.passes) } }),
        cell.low > 0 && h('span', { class: 'range', style: {
            left: at(spread(cell.high)),
            width: at(spread(cell.low) - spread(cell.high)) } }),
        h('span', { class: 'dot', style: { left: at(own) } }),
        chosen && chosen.row === cell && h('span', { class: 'diamond',
            title: `best: ${showGbps(chosen.own.gbps)} GB/s`,
            style: { left: at(value(chosen.own)) } }));
}

function titleOf(cell) {
    return [cell.variant, `${significant(cell.us, 5)} µs` +
        (cell.low > 0 ? `, 95 % interval ${significant(cell.low, 5)} to ` +
            `${significant(cell.high, 5)}` : ''),
    `${showGbps(cell.gbps)} GB/s` +
        (cell.pct !== null ? `, ${showPct(cell.pct)} % of the ceiling` : ''),
    cell.err !== null ? `error ${significant(cell.err, 3)} of at most ` +
        significant(cell.bound, 3) : '',
    cell.passes > 1 ? `${significant(cell.passes, 4)} passes over the bytes` :
        '', cell.status !== 'ok' ? `${cell.status}: ${cell.reason}` : '',
    cell.keeps, cell.marks].filter(Boolean).join('\n');
}

function ladderRow(cell, at, most, value, chosen) {
    const classes = ['rung', familyClass(cell.family), cell.tied && 'tied',
        LIBRARY.test(cell.family) && 'library',
        cell.status !== 'ok' && 'doubtful'].filter(Boolean).join(' ');
    const simpler = neighbourOf(at.op, cell);
    return h('li', { class: classes },
        h('span', { class: 'rank', title: cell.tied && cell.rank > 1 ?
            'within noise of the fastest' : null },
        cell.rank + (cell.tied && cell.rank > 1 ? '=' : '')),
        familyButton(cell.family, cell.variant),
        trackOf(cell, most, value, chosen),
        h('span', { class: 'number' },
            cell.pct !== null ? showPct(cell.pct) : ''),
        h('span', { class: 'number' }, showGbps(cell.gbps)),
        h('span', { class: 'number us' }, showUs(cell.us)),
        h('span', { class: 'number us' }, significant(cell.err, 2)),
        h('span', { class: 'step' }, simpler && [
            h('b', {}, `${(simpler.us / cell.us).toFixed(2)} ×`), ' ',
            faint(simpler.family)]));
}

/* Lists the families without a time by reason, folded. */
function untimedOf(group) {
    const untimed = [...group.byFamily.values()].filter((cell) => !cell.us);
    const reasons = Map.groupBy(untimed, (cell) =>
        `${cell.status}: ${cell.reason || 'no reason given'}`);
    return untimed.length > 0 && h('details', {}, h('summary', {},
        `Not timed here: ${plural(untimed.length, 'family', 'families')}`),
    h('dl', { class: 'facts' }, [...reasons].map(([why, cells]) =>
        fact(why, cells.map((cell) => familyButton(cell.family))))));
}

function drawLadder(at) {
    const { group } = at;
    const share = group.best.some((cell) => cell.pct !== null);
    const value = (cell) => (share ? cell.pct : cell.gbps) || 0;
    const most = Math.max(share ? 100 : 0, ...group.best.map(value)) * 1.01;
    const first = { steps: (cell) => PLACES.get(cell.family),
        error: (cell) => cell.err ?? Infinity }[state.order];
    const rows = first ? [...group.best].sort((l, r) =>
        (first(l) > first(r)) - (first(l) < first(r))) : group.best;
    const chosen = rowOfBest(group);
    const tied = group.best.filter((cell) => cell.tied).length;
    return [h('div', { class: 'head' },
            h('p', {}, h('b', {}, at.op), ` ${at.dtype}, ${group.shape}, ` +
                `${at.cache} cache: ${showBytes(group.bytes)} of compulsory ` +
                'traffic. ', tied > 1 ? `${tied} families are within noise ` +
                'of each other (=).' : ''),
            tabs('Order', 'order', state.order, [['fast', 'fastest first'],
                ['error', 'most accurate first'], ['steps', 'simplest first']])),
        rows.length ? h('ol', { class: 'rungs' },
            h('li', { class: 'rung heading', 'aria-hidden': 'true' },
                h('span', { class: 'rank' }), h('span', {}, 'best point of each ' +
                    'family'), h('span', { class: 'scale' },
                    [0, 25, 50, 75, 100].map((tick) => h('span', { style: {
                        left: percent(100 * tick / most) } },
                    share ? tick : ''))),
                h('span', { class: 'number' }, share ? '% of ceiling' : ''),
                h('span', { class: 'number' }, 'GB/s'),
                h('span', { class: 'number us' }, 'time'),
                h('span', { class: 'number us' }, 'error, u · Σ|x|'),
                h('span', { class: 'step' }, 'speedup over its neighbour')),
            rows.map((cell) => ladderRow(cell, at, most, value, chosen))) :
            note('Nothing was timed here.'),
        caption(sample('range'), '95 % interval ', sample('limit'),
            'limit by its passes over memory ', chosen && [sample('diamond'),
                'best: the rules\u2019 choice ']),
        untimedOf(group)];
}
