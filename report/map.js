/* SPDX-License-Identifier: MIT
 *
 * Shows the share of every family at every shape.
 */

function byClass(left, right) {
    return left.kind - right.kind || left.axis - right.axis ||
        left.inner - right.inner || left.elems - right.elems;
}

function mapCell(group, family) {
    const cell = group.byFamily.get(family);
    if (!cell)
        return h('td', { class: 'none' });
    if (!cell.us)
        return h('td', {
            class: FAILED.includes(cell.status) ? 'failed' : 'none',
            title: `${family} at ${group.shape}\n${cell.status}: ` +
                cell.reason,
        }, { skip: '', untried: '', slow: '·' }[cell.status] ?? '!');
    /* A share above the ceiling has no meaning (docs/method.md). */
    const lost = state.shade !== 'loss' &&
        cell.marks.split('+').includes('above_ceiling');
    const share = lost ? 0 : (cell.pct || 0) / 100;
    const [shown, shade] = state.shade === 'loss' ?
        [cell.near, Math.max(0, 2 * cell.near - 1)] : [share, share];
    return h('td', {
        class: `t${Math.min(20, Math.round(20 * shade))}${cell.rank === 1 ? ' first' :
            cell.tied ? ' even' : ''}${lost || cell.status !== 'ok' ?
            ' doubtful' : ''}`,
        title: `${titleOf(cell)}\nat ${group.shape}`,
        onclick: () => setState({ shape: group.shape }),
    }, lost ? '>' : Math.round(100 * shown));
}

function mapHead(groups, at) {
    const classes = DATA.classes.map((name, kind) => [name,
        DATA.classMeanings[kind],
        groups.filter((group) => group.kind === kind).length])
        .filter(([, , count]) => count);
    return h('thead', {},
        h('tr', {}, h('td'), classes.map(([name, meaning, count]) =>
            h('th', { class: name.length * 7 > count * 30 ?
                'class tall' : 'class', colspan: count, scope: 'colgroup',
                title: `${name}: ${meaning}` }, h('span', {}, name)))),
        h('tr', {}, h('td', { class: 'corner' }, 'axis ',
            faint('× outer (× inner)')),
        groups.map((group) => h('th', { scope: 'col' }, button({
            title: `${group.shape}: show it above`,
            'aria-pressed': String(group === at.group),
            onclick: () => setState({ shape: group.shape }),
        }, h('span', {}, h('b', {}, binary(group.axis)),
            faint(` × ${binary(group.outer)}` +
                (group.inner > 1 ? ` × ${binary(group.inner)}` : ''))))))));
}

function drawMap(at) {
    const groups = at.groups.filter((group) => group.best.length)
        .sort(byClass);
    if (!groups.length)
        return null;
    /* The speed relative to the fastest, summed; a shape without a time counts as 0. */
    const families = FAMILIES.map((family) => [family, groups.reduce((sum, group) =>
        sum + (group.byFamily.get(family)?.near || 0), 0)])
        .filter(([, merit]) => merit > 0).sort((l, r) => r[1] - l[1]);
    return [h('div', { class: 'head' },
            h('p', {}, h('b', {}, at.op), ` ${at.dtype}, ${at.cache} cache: ` +
                'best point of each family, best families first. ' +
                'Framed: fastest; dotted: within noise of it.'),
            tabs('Number', 'shade', state.shade, [
                ['share', '% of the ceiling'], ['loss', '% of the fastest']])),
        h('div', { class: 'scroll', tabindex: '0', role: 'region',
            'aria-label': 'Map of families and shapes' },
        h('table', { class: 'map' }, mapHead(groups, at),
            h('tbody', {}, families.map(([family]) => h('tr', {},
                rowHead(familyButton(family)), groups.map((group) => mapCell(group, family))))))),
        caption('Blank: the family does not serve the shape. ·: correct, but ' +
            'too slow to be timed. !: failed. >: above the ceiling, so the ' +
                'share has no meaning. ', state.shade === 'loss' ? 'Uncoloured: at most half as fast as ' +
                'the fastest.' : 'Click a cell to show its shape above.')];
}
