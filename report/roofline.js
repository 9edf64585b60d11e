/* SPDX-License-Identifier: MIT
 *
 * The fastest kernel of each operation and type under the run's roofs.
 */

/* The best measured ceiling; that of the operation '' is additions in registers. */
function mostOf({ run, cache, dtype }, op) {
    return Math.max(0, ...run.ceilings.filter((line) =>
        line[0] === DATA.ops.indexOf(op) && DATA.dtypes[line[1]] === dtype &&
        DATA.caches[line[2]] === cache).map((line) => line[4]));
}

function drawRoofline(at) {
    /* The fastest at the shapes that the other sections would choose first. */
    const cells = opsOf(at.run).filter((op) => !isTwin(op) && op !== 'flip')
        .flatMap((op) => DATA.dtypes.map((dtype) => usualShape(at.run.groups.filter(
            (group) => group.op === op && group.dtype === dtype &&
                group.cache === at.cache))?.best[0])).filter(Boolean);
    const copy = mostOf(at, 'copy'), adds = mostOf(at, '');
    if (cells.length < 2 || !copy)
        return null;
    const roofs = [['roof', copy, `measured copy of ${at.dtype}`]];
    if (at.run.peak && at.cache === 'cold')
        roofs.push(['front', at.run.peak, 'memory bus']);
    const width = plotWidth();
    const box = boxOf(width, width < 640 ? 320 : 420, 20);
    const per = ({ group }) => group.elems / group.bytes;
    const rate = (cell) => cell.group.elems / cell.us / 1e3;
    const low = Math.min(...cells.map(per)) / 1.4;
    const high = Math.max(...cells.map(per)) * 1.4;
    const x = logarithmic(low, high, box.left, box.right, 2);
    const y = logarithmic(Math.min(copy * low, ...cells.map(rate)) / 1.3,
        Math.max(copy, at.run.peak) * high * 1.3, box.bottom, box.top, 2);
    return [plot('Roofline', box, x, y, (tick) => tick < 1 ? `1/${1 / tick}` : tick,
        String, 'elements per byte', '1e9 elements/s',
        roofs.map(([kind, gbps]) => s('path', { class: kind, d: pathOf(
            [low, high].map((number) => [x(number), y(gbps * number)])) })),
        dots(cells.map((cell) => ({ cell, x: x(per(cell)), y: y(rate(cell)),
            name: `${cell.group.op} ${cell.group.dtype}`,
            title: `${cell.group.op} ${cell.group.dtype} at ` +
                `${cell.group.shape}\n${titleOf(cell)}` })), box.right)),
        caption(roofs.map(([kind, gbps, name]) => [sample(kind),
            `${name}: ${showGbps(gbps)} GB/s`]), '. ', adds > 0 &&
            `Additions in registers reach ${showGbps(adds / 1e3)}e12/s, above ` +
            'this plot. ', 'Far below the roofs, a kernel passes over memory ' +
            'more than once or does not fill the GPU.')];
}
