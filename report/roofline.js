/* SPDX-License-Identifier: MIT
 *
 * The fastest kernel of each operation and type under the roofs of the run: the
 * memory bus, the measured copy, and additions in registers.
 */

/* [operation and type, additions per byte, 1e9 additions/s, cell] at the shape that
 * the other sections would choose first. */
function roofPoints(run, cache) {
    return opsOf(run).filter((op) => !isTwin(op) && op !== 'flip')
        .flatMap((op) => DATA.dtypes.map((dtype) => {
            const group = usualShape(run.groups.filter((one) => one.op === op &&
                one.dtype === dtype && one.cache === cache));
            const [cell] = group ? group.best : [];
            return cell && { op, dtype, cell, at: group.elems / group.bytes,
                rate: group.elems / cell.us / 1e3 };
        })).filter(Boolean);
}

function mostOf(run, cache, twin, dtype) {
    return Math.max(0, ...run.ceilings.filter((line) =>
        line[0] === DATA.ops.indexOf(twin) && DATA.dtypes[line[1]] === dtype &&
        DATA.caches[line[2]] === cache).map((line) => line[4]));
}

function drawRoofline(at) {
    const points = roofPoints(at.run, at.cache);
    const copy = mostOf(at.run, at.cache, 'copy', at.dtype);
    const adds = mostOf(at.run, at.cache, '', at.dtype);
    if (points.length < 2 || !copy) {
        show('roofline-body');
        return;
    }
    const width = plotWidth(), height = width < 640 ? 320 : 420;
    const box = boxOf(width, height, 20);
    const low = 0.045, high = 0.6, bus = at.cache === 'cold' ? at.run.peak : 0;
    const x = logarithmic(low, high, box.left, box.right, 2);
    const rates = points.map((point) => point.rate);
    const floor = Math.min(...rates) / 2, y = logarithmic(floor,
        Math.max(Math.max(bus, copy) * high, ...rates) * 1.4, box.bottom, box.top,
        width < 640 ? 4 : 2);
    const slope = (gbps, kind, name) => gbps > 0 && [s('path', { class: kind,
        d: pathOf([[x(Math.max(low, floor / gbps)),
            y(Math.max(gbps * low, floor))], [x(high), y(gbps * high)]]) }),
    s('text', { class: 'axis', ...kind === 'front' ? { x: box.right,
        y: y(gbps * high) - 8, 'text-anchor': 'end' } : { x: box.left + 6,
        y: y(Math.max(gbps * low, floor * 1.5)) + 16 } }, `${name} ${showGbps(gbps)} GB/s`)];
    const taken = [];
    show('roofline-body',
        svg(width, height, 'Roofline', frame(box, x, y, (tick) => `1/${Math.round(1 / tick)}`, (tick) =>
            significant(tick, 3), 'additions per byte', '1e9 additions/s'),
        slope(bus, 'front', 'memory bus'), slope(copy, 'roof', 'measured copy'),
        points.map(({ op, dtype, cell, at: per, rate }) => {
            const [px, py] = [x(per), y(rate)];
            const free = !taken.some(([ox, oy]) => Math.abs(oy - py) < 13 &&
                Math.abs(ox - px) < 140);
            if (free)
                taken.push([px, py]);
            return [s('circle', { class: `point ${familyClass(cell.family)}`,
                r: 5, cx: px, cy: py }, s('title', {}, `${op} ${dtype}, ` +
                `${titleOf(cell)}\nat ${cell.group.shape}`)),
            free && s('text', { class: `label ${familyClass(cell.family)}`,
                x: px + 8, y: py + 4, 'text-anchor': px > box.right - 130 ?
                    'end' : null, dx: px > box.right - 130 ? -16 : null },
            `${op} ${dtype}`)];
        })),
        caption(sample('front'), bus ? 'the memory bus, the data sheet\'s peak ' :
            'unknown bus ', sample('roof'), `the measured copy of ${at.dtype}. ` +
            (adds > 0 ? `Additions in registers reach ${showGbps(adds / 1e3)}e12/s, ` +
                'above this plot. ' : '') + 'Below the roofs a kernel ' +
            'passes over memory more than once or does not fill the GPU.'));
}
