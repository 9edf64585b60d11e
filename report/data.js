/* SPDX-License-Identifier: MIT
 *
 * Turns the data of cli/report/report_run.c into objects, and formats numbers for
 * all sections.
 */
'use strict';

const DATA = JSON.parse(document.getElementById('data').textContent);
const LIBRARY = /^cub_(?!block_)/;

const FAILED = ['wrong', 'error', 'timeout'];

const unique = (values) => [...new Set(values)];

function makeShape(outer, axis, inner) {
    return { outer, axis, inner, lines: outer * inner,
        elems: outer * axis * inner, shape: `${outer}x${axis}x${inner}` };
}

function makeGroup(run, fields, index) {
    const [op, dtype, outer, axis, inner, cache, bytes, kind, shape] = fields;
    return { ...makeShape(outer, axis, inner), shape, run, index, bytes, kind,
        op: DATA.ops[op], dtype: DATA.dtypes[dtype], cache: DATA.caches[cache],
        cells: [], best: [] };
}

const CELL_FIELDS = ['group', 'variant', 'family', 'status', 'reason', 'marks',
    'contracts', 'processes', 'passes', 'ceiling', 'launch', 'err', 'bound', 'us',
    'low', 'high', 'gbps', 'pct', 'rank', 'tied', 'samples', 'min', 'q1', 'q3', 'max'];

function makeCell(run, fields, index) {
    const cell = { index, run };
    CELL_FIELDS.forEach((name, k) => { cell[name] = fields[k] ?? null; });
    for (const name of ['variant', 'family', 'reason', 'marks'])
        cell[name] = run.texts[cell[name]];
    return { ...cell, group: run.groups[cell.group], rank: cell.rank || 0,
        tied: cell.tied === 1,
        keeps: DATA.contracts.filter((_, bit) => cell.contracts >> bit & 1)
            .join(', '), status: DATA.statuses[cell.status] };
}

/* Chooses the point that represents each family in a group: the ranked one, else
 * one with a time, else one that failed. `near` is the speed over the fastest's. */
function pickBest(group) {
    const families = new Map();
    const telling = (cell) => cell.rank ? 9 : cell.us ? 8 :
        FAILED.includes(cell.status) ? 7 :
            ['skip', 'untried', 'slow'].indexOf(cell.status);
    for (const cell of group.cells) {
        const held = families.get(cell.family);
        if (!held || telling(cell) > telling(held))
            families.set(cell.family, cell);
    }
    group.byFamily = families;
    group.best = [...families.values()].filter((cell) => cell.rank)
        .sort((l, r) => l.rank - r.rank);
    for (const cell of group.cells)
        cell.near = cell.us && group.best.length ? group.best[0].us / cell.us : 0;
}

function makeRun(raw, index) {
    const run = { ...raw, index };
    run.groups = raw.groups.map((fields, at) => makeGroup(run, fields, at));
    run.cells = raw.cells.map((fields, at) => makeCell(run, fields, at));
    for (const cell of run.cells)
        cell.group.cells.push(cell);
    run.groups.forEach(pickBest);
    run.device = raw.facts.device_name || raw.facts.device || 'unknown device';
    return run;
}

const RUNS = DATA.runs.map(makeRun);

/* The options without which scanbench lacks some of the run's cells. */
function optionsOf(run) {
    const found = /--(frameworks|(ranks|plugin)[ =]\S+)/g;
    return ((run.facts.arguments || '').match(found) || [])
        .map((option) => ` ${option}`).join('');
}

/* Names the card by its hash, and the number of cards that ran together. */
function cardOf(run) {
    const hash = (run.facts.gpu_hash || '').slice(0, 4);
    const together = Number(run.facts.together) || 1;
    return [hash, together > 1 ? `together ${together}` : '']
        .filter(Boolean).join(', ');
}

/* Labels are GPUs, if several, or names of runs; then whatever tells equals apart. */
const GPUS = unique(RUNS.map((run) => run.device));
for (const run of RUNS) {
    const alike = RUNS.filter((other) => other.device === run.device);
    const words = [GPUS.length > 1 && alike.length > 1 && run.name,
        alike.filter((other) => other.name === run.name).length > 1 &&
            run.index + 1,
        unique(alike.map(cardOf)).length > 1 && cardOf(run)].filter(Boolean);
    run.peak = Number(run.facts.attribute_peak_gbps) || 0;
    run.label = (GPUS.length > 1 ? run.device.replace(/^NVIDIA /, '') :
        run.name) + (words.length ? ` (${words.join(': ')})` : '');
}

function findGroup(run, wanted) {
    return run.groups.find((group) => ['op', 'dtype', 'cache', 'shape']
        .every((key) => group[key] === wanted[key]));
}

function twinOf(op, dtype = DATA.dtypes[0]) {
    return DATA.twins[DATA.ops.indexOf(op) * DATA.dtypes.length +
        DATA.dtypes.indexOf(dtype)];
}

const isTwin = (op) => twinOf(op) === op;

function headerOf(op, family) {
    const own = DATA.families[`${op}/${family}`];
    return own && own.place >= 0 ? own : { place: -1 };
}

/* -------------------------------------------------------------------- words */

function significant(value, digits) {
    if (value === null || value === undefined || !isFinite(value))
        return '';
    if (value === 0)
        return '0';
    const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
    return value.toFixed(Math.max(0, Math.min(6, digits - whole)));
}

function showUs(us) {
    return us === null ? '' : us >= 1e6 ? `${significant(us / 1e6, 4)} s` :
        us >= 1e4 ? `${significant(us / 1e3, 4)} ms` :
            `${significant(us, 4)} µs`;
}

const showGbps = (gbps) => significant(gbps, 4);
const showPct = (pct) => pct === null ? '' : pct.toFixed(1);
const percentOf = (pct) => pct === null ? '' : `${showPct(pct)} %`;

/* Prints 4096 as 4Ki; other numbers stay as they are. */
function binary(value) {
    const power = [4, 3, 2, 1].find((n) => value && value % 1024 ** n === 0) || 0;
    return value / 1024 ** power + ['', 'Ki', 'Mi', 'Gi', 'Ti'][power];
}

function showBytes(bytes) {
    const power = [4, 3, 2, 1].find((n) => bytes >= 1000 ** n) || 0;
    const unit = ['B', 'kB', 'MB', 'GB', 'TB'][power];
    return `${significant(bytes / 1000 ** power, 3)} ${unit}`;
}

const plural = (count, one, many = one + 's') =>
    `${count} ${count === 1 ? one : many}`;
