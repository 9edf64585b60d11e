/* SPDX-License-Identifier: MIT
 *
 * Elements, colours and axes. Texts become text nodes and attributes, never
 * markup, so that data of a run cannot inject elements.
 */

const ABSENT = [null, undefined, false];
const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
        if (ABSENT.includes(value))
            continue;
        if (name.startsWith('on'))
            element.addEventListener(name.slice(2), value);
        else if (name === 'style')
            for (const [key, text] of Object.entries(value))
                element.style.setProperty(key, text);
        else
            element.setAttribute(name, value === true ? '' : value);
    }
    for (const child of children.flat(Infinity))
        if (!ABSENT.includes(child) && child !== '')
            element.append(child);
    return element;
}

const h = (tag, attributes, ...children) =>
    fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) =>
    fill(document.createElementNS(SVG, tag), attributes, children);
const byId = (id) => document.getElementById(id);

function show(id, ...children) {
    byId(id).replaceChildren();
    fill(byId(id), {}, children);
}

/* ------------------------------------------------------------------ colours */

/* Families have the colours of src/choose/catalogue.h; `best` is drawn in ink. */
const FAMILIES = unique(RUNS.flatMap((run) =>
    run.cells.map((cell) => cell.family)));

/* The least place of a family among the operations, from simple to intricate. */
const PLACES = new Map(FAMILIES.map((family) => [family, Math.min(
    ...DATA.ops.map((op) => headerOf(op, family).place)
        .filter((place) => place >= 0))]));
FAMILIES.sort((l, r) => PLACES.get(l) - PLACES.get(r) || (l < r ? -1 : 1));

(function colourFamilies() {
    const sheet = document.styleSheets[0];
    FAMILIES.forEach((family, index) => {
        const op = DATA.ops.find((one) => DATA.families[`${one}/${family}`]);
        const look = DATA.families[`${op}/${family}`].style.map((colour) =>
            '#' + colour.toString(16).padStart(6, '0'));
        const colour = family === 'best' ? 'var(--ink)' :
            `light-dark(${look.join(', ')})`;
        sheet.insertRule(`.f${index}{--c:${colour}}`, sheet.cssRules.length);
    });
    /* Shares get stronger colours up to t20, the ceiling. */
    for (let step = 0; step <= 20; ++step) {
        const t = step / 20;
        const light = `oklch(${0.975 - 0.455 * t * t} ${0.005 + 0.13 * t * t} 245)`;
        const dark = `oklch(${0.22 + 0.42 * t * t} ${0.01 + 0.11 * t * t} 245)`;
        const ink = t > 0.79 ? 'light-dark(#fff, #fff)' : 'var(--ink)';
        sheet.insertRule(`.t${step}{background:light-dark(${light}, ${dark});` +
            `color:${ink}}`, sheet.cssRules.length);
    }
})();

const familyClass = (family) => `f${FAMILIES.indexOf(family)}`;

/* ------------------------------------------------------------------- pieces */

const button = (attributes, ...children) =>
    h('button', { type: 'button', ...attributes }, children);

/* Names may break after each word. */
function familyButton(family, label = family) {
    return button({ class: `name ${familyClass(family)}`,
        title: `${label}: about this kernel`,
        onclick: () => setState({ kernel: family }) },
    h('i', { class: LIBRARY.test(family) ? 'chip library' : 'chip' }),
    h('span', {}, label.split(/(?<=_)/).map((word, at) =>
        [at > 0 && h('wbr'), word])));
}

/* Selects state[key] from options, each [value, label] or a value. */
function choice(label, key, chosen, options) {
    return h('label', { class: 'choice' }, h('span', {}, label),
        h('select', { onchange: (event) =>
            setState({ [key]: event.target.value }) },
        options.map((option) => [option].flat()).map(([value, text]) =>
            h('option', { value, selected: String(value) === String(chosen) },
                text === undefined ? value : text))));
}

function tabs(label, key, chosen, options) {
    return h('div', { class: 'tabs', role: 'group', 'aria-label': label },
        options.map(([value, text]) => button({
            'aria-pressed': String(value === chosen),
            onclick: () => setState({ [key]: value }) }, text)));
}

const quietButton = (text, changes) =>
    button({ class: 'quiet', onclick: () => setState(changes) }, text);

function copyLine(command) {
    const code = h('code', {}, command);
    const copy = button({ class: 'quiet', onclick: async () => {
        try {
            await navigator.clipboard.writeText(command);
            copy.textContent = 'copied';
        } catch {
            getSelection().selectAllChildren(code);
        }
    } }, 'copy');
    return h('div', { class: 'command' }, code, copy);
}

const note = (...text) => h('p', { class: 'note' }, ...text);
const faint = (...text) => h('span', { class: 'faint' }, ...text);
const caption = (...text) => h('p', { class: 'key' }, ...text);
const sample = (kind) => h('span', { class: `sample ${kind}` });

/* ------------------------------------------------------------------- tables */

const rowHead = (...children) => h('th', { scope: 'row' }, ...children);
const td = (kind, ...children) => h('td', { class: kind }, ...children);

const verdictCell = (name) =>
    td(null, h('span', { class: `verdict ${name}` }, name));

/* A table that scrolls; heads are texts, or [class, text, columns]. */
function tableOf(kind, heads, rows) {
    return h('div', { class: 'scroll' }, h('table', { class: kind },
        h('thead', {}, h('tr', {}, heads.map((head) => {
            const [own, text, colspan] = Array.isArray(head) ? head : ['', head];
            return h('th', { scope: 'col', class: own, colspan }, text);
        }))),
        h('tbody', {}, rows)));
}

/* --------------------------------------------------------------------- axes */

function linear(low, high, from, to) {
    const scale = (value) =>
        from + (value - low) / (high - low || 1) * (to - from);
    const raw = (high - low) / 5;
    const power = 10 ** Math.floor(Math.log10(raw || 1));
    const step = [1, 2, 2.5, 5, 10].find((n) => n * power >= raw) * power;
    scale.ticks = [];
    for (let at = Math.ceil(low / step) * step; at <= high * (1 + 1e-9);
        at += step)
        scale.ticks.push(Number(at.toPrecision(12)));
    return scale;
}

/* Ticks are at powers of the base, at least 48 pixels apart. */
function logarithmic(low, high, from, to, base) {
    const span = Math.log(high / low) || 1;
    const scale = (value) =>
        from + Math.log(value / low) / span * (to - from);
    const first = Math.ceil(Math.log(low) / Math.log(base) - 1e-9);
    const last = Math.floor(Math.log(high) / Math.log(base) + 1e-9);
    const room = Math.max(2, Math.abs(to - from) / 48);
    const step = Math.max(1, Math.ceil((last - first + 1) / room));
    scale.ticks = [];
    for (let power = first; power <= last; power += step)
        scale.ticks.push(base ** power);
    return scale;
}

/* Draws a plot with its grid, ticks and labels. */
function plot(label, box, x, y, showX, showY, nameX, nameY, ...children) {
    const { width, height } = box;
    return s('svg', { width, height, viewBox: `0 0 ${width} ${height}`,
        role: 'img', 'aria-label': label },
        y.ticks.map((tick) => [
            s('line', { class: 'grid', x1: box.left, x2: box.right,
                y1: y(tick), y2: y(tick) }),
            s('text', { class: 'tick', x: box.left - 6, y: y(tick) + 4,
                'text-anchor': 'end' }, showY(tick))]),
        x.ticks.map((tick) => [
            s('line', { class: 'grid', x1: x(tick), x2: x(tick),
                y1: box.top, y2: box.bottom }),
            s('text', { class: 'tick', x: x(tick), y: box.bottom + 16,
                'text-anchor': 'middle' }, showX(tick))]),
        s('text', { class: 'axis', x: box.right, y: box.bottom + 32,
            'text-anchor': 'end' }, nameX),
        s('text', { class: 'axis', x: box.left, y: box.top - 8 }, nameY),
        children);
}

/* The size of a plot, and the room of its curves beside so many pixels for labels. */
function boxOf(width, height, labels) {
    return { width, height, left: 48, right: width - labels, top: 26,
        bottom: height - 40 };
}

function pathOf(points) {
    return points.map(([x, y], k) =>
        `${k ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

/* Draws dots of cells, each { cell, x, y, name, title }, with their names at the
 * first of four places that covers no dot and no other name. */
function dots(marks, right) {
    const taken = marks.map(({ x, y }) => [x, y, 5]);
    const label = ({ cell, x, y, name }) => {
        const half = name.length * 3.5;
        const place = [[-half - 10, 0], [half + 10, 0], [0, -14], [0, 14]]
            .map(([dx, dy]) => [x + dx, y + dy, half])
            .find(([cx, cy]) => cx - half > 48 && cx + half < right &&
                !taken.some(([ox, oy, oh]) => Math.abs(oy - cy) < 12 &&
                    Math.abs(ox - cx) < oh + half + 2));
        if (place)
            taken.push(place);
        return place && s('text', { class: `label ${familyClass(cell.family)}`,
            'text-anchor': 'middle', x: place[0], y: place[1] + 4 }, name);
    };
    return [marks.map(({ cell, x, y, title }) => s('circle', {
        class: `point ${familyClass(cell.family)}`, r: 5, cx: x, cy: y },
    s('title', {}, title))), marks.map(label)];
}

/* A section's width, which draw() measures first: later, that forces a layout. */
let room = 0;

function plotWidth(columns) {
    return Math.max(280, columns && innerWidth > 1000 ? (room - 36) / 2 :
        Math.min(1240, room));
}
