/* SPDX-License-Identifier: MIT
 *
 * The ranking of variants by the rules that `best` follows: src/choose/rules.c and
 * forest.c, number by number. Problems are shorter than the trees grown from them, so
 * the page has the problems, and a forest grows when a shape first needs it.
 */

const f32 = Math.fround, TREES = 16, FEATURES = 12, TARGETS = 64, MASK = 2n ** 64n - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;
const FLOAT = new Float32Array(1), BITS = new Int32Array(FLOAT.buffer);

function octaves(x) {
    FLOAT[0] = Math.max(x, 1);
    return f32(BITS[0] - 0x3f800000) / (1 << 23);
}

function aligned(bytes, most) {
    let power = 1;
    while (power < most && bytes % (2 * power) === 0)
        power *= 2;
    return octaves(power);
}

function featuresOf(op, dtype, shape) {
    const element = DATA.dtypeBytes[DATA.dtypes.indexOf(dtype)];
    const row = (shape.inner > 1 ? shape.inner : shape.axis) * element;
    const slab = shape.inner > 1 ? shape.axis * row : row;
    return Float32Array.of(octaves(row), octaves(shape.axis), octaves(shape.outer),
        octaves(shape.lines), octaves(shape.elems * element), octaves(slab),
        aligned(row, 4096), aligned(slab, 128), (128 - row % 128) % 128 / f32(row),
        2 * octaves(element) + (dtype === 'bf16'),
        /^log/.test(op) ? 2 : /^(arg|masked)/.test(op) ? 1 : 0,
        op.includes('_exclusive') ? 1 : op.includes('_reverse') ? 2 : 0);
}

/* Returns the tables, by kind of operations and whether lines are strided. */
function readRules(text) {
    const names = [], tables = {}, numbers = new Map();
    for (const line of text.split(';')) {
        const [what, op, dtype, ...rest] = line.split(',');
        if (what === 'variant')
            names.push(dtype);
        if (what !== 'problem')
            continue;
        const shape = makeShape(...rest.slice(0, 3).map(Number));
        const kind = DATA.ruleKinds[DATA.ops.indexOf(op)];
        const table = tables[kind + (shape.inner > 1 ? 's' : '')] ??=
            { problems: [], wins: new Map() };
        table.problems.push({ at: featuresOf(op, dtype, shape), losses: rest[3]
            .split(' ').map((word) => word.split('=')).map(([name, pct]) => {
                const variant = names[name] || name, key = `${kind} ${variant}`;
                if (!numbers.has(key))
                    numbers.set(key, numbers.size);
                const number = numbers.get(key), own = table.wins.get(number) ||
                    { variant, number, wins: 0 };
                own.wins += Number(pct) <= 1;
                table.wins.set(number, own);
                return [number, f32(Math.log1p(Math.min(pct, 30) / 100))];
            }) });
    }
    return tables;
}

/* Rows of losses and of which are listed; targets between 0 and 10000. */
function fillTable(table) {
    const { problems } = table, unit = 1e4 / Math.log1p(0.1);
    table.scored = unique(problems.flatMap(({ losses }) =>
        losses.map(([number]) => number))).slice(0, TARGETS);
    const place = new Map(table.scored.map((number, t) => [number, t]));
    table.target = problems.map(() => new Int32Array(TARGETS).fill(-1));
    table.row = problems.map(({ losses }, p) => {
        const row = new Float32Array(2 * TARGETS);
        for (const [number, lost] of losses) {
            const t = place.get(number);
            if (t === undefined)
                continue;
            row[t] = lost;
            row[TARGETS + t] = 1;
            table.target[p][t] = Math.min(lost * unit, 1e4);
        }
        return row;
    });
    for (let t = 0; t < TARGETS; ++t) {
        const listed = table.target.filter((own) => own[t] >= 0);
        const mean = listed.reduce((sum, own) => sum + own[t], 0) /
            (listed.length || 1);
        table.target.forEach((own) => { own[t] = own[t] < 0 ? mean : own[t]; });
    }
}

function splitMix(state) {
    let key = state + GOLDEN & MASK;
    key = (key ^ key >> 30n) * 0xbf58476d1ce4e5b9n & MASK;
    key = (key ^ key >> 27n) * 0x94d049bb133111ebn & MASK;
    return key ^ key >> 31n;
}

function sumOf(table, points) {
    const sum = new Float64Array(table.scored.length);
    for (const p of points) {
        const target = table.target[p];
        for (let t = 0; t < sum.length; ++t)
            sum[t] += target[t];
    }
    return sum;
}

function bestSplit(table, points, random) {
    const all = sumOf(table, points);
    let best = null, most = -1;
    for (let f = 0; f < FEATURES; ++f) {
        const values = points.map((p) => table.problems[p].at[f]);
        const low = Math.min(...values), high = Math.max(...values);
        if (low === high)
            continue;
        const drawn = Number(splitMix(random.state) >> 40n) / (1 << 24);
        random.state = random.state + GOLDEN & MASK;
        const between = f32(low + f32(drawn * f32(high - low)));
        const split = { f, most: between < high ? between : low };
        const left = points.filter((_, k) => values[k] <= split.most);
        const sum = sumOf(table, left);
        let lefts = 0, rights = 0;
        for (let t = 0; t < sum.length; ++t) {
            lefts += sum[t] * sum[t];
            rights += (all[t] - sum[t]) * (all[t] - sum[t]);
        }
        const worth = lefts / left.length +
            rights / (points.length - left.length);
        if (worth > most) {
            most = worth;
            best = split;
        }
    }
    return best;
}

/* Grows a tree breadth first, as the draws are taken in that order. */
function growTree(table, random) {
    const root = { points: table.problems.map((_, p) => p) }, nodes = [root];
    for (const node of nodes) {
        node.split = bestSplit(table, node.points, random);
        if (!node.split)
            continue;
        const { points } = node;
        let front = 0;
        for (let k = 0; k < points.length; ++k)
            if (table.problems[points[k]].at[node.split.f] <= node.split.most) {
                [points[k], points[front]] = [points[front], points[k]];
                ++front;
            }
        node.left = { points: points.slice(0, front) };
        node.right = { points: points.slice(front) };
        nodes.push(node.left, node.right);
        node.points = null;
    }
    return { root, leaves: nodes.filter((node) => node.points) };
}

/* Problems with equal features share a leaf and their mean row. */
function growForest(table) {
    const random = { state: 1n };
    fillTable(table);
    table.trees = Array.from({ length: TREES }, () => growTree(table, random));
    for (const { points } of table.trees[0].leaves)
        if (points.length > 1) {
            const mean = new Float32Array(2 * TARGETS);
            for (const p of points)
                mean.forEach((sum, k) => { mean[k] = sum + table.row[p][k]; });
            mean.forEach((sum, k) => { mean[k] = sum / points.length; });
            points.forEach((p) => { table.row[p] = mean; });
        }
}

const RULES = readRules(DATA.rules);
const RULES_GPU = (/gpu,([^;]*)/.exec(DATA.rules) || [])[1];

/* Names the variants in the order in which `best` tries them. */
function rankVariants(op, dtype, shape) {
    const strided = shape.inner > 1 ? 's' : '';
    const kind = DATA.ruleKinds[DATA.ops.indexOf(op)];
    const table = RULES[kind + strided] || RULES[kind - 3 + strided];
    if (!table)
        return [];
    if (!table.trees)
        growForest(table);
    const at = featuresOf(op, dtype, shape), doubt = f32(f32(0.03) * TREES);
    const doubted = f32(doubt * f32(Math.log1p(f32(0.3))));
    const rows = table.trees.map(({ root }) => {
        let node = root;
        while (node.split)
            node = at[node.split.f] > node.split.most ? node.right : node.left;
        return table.row[node.points[0]];
    });
    const sum = (t) => rows.reduce((own, row) => f32(own + row[t]), 0);
    const scores = table.scored.map((number, t) => ({ number, listed: sum(TARGETS + t),
        score: f32(f32(sum(t) + doubted) / f32(sum(TARGETS + t) + doubt)) }))
        .filter(({ listed }) => listed > 0)
        .sort((l, r) => l.score - r.score || l.number - r.number).slice(0, 8)
        .map(({ number }) => table.wins.get(number));
    const winners = [...table.wins.values()].filter((own) => own.wins > 0 &&
        !scores.includes(own)).sort((l, r) => r.wins - l.wins || l.number - r.number);
    return [...scores, ...winners].slice(0, 12).map(({ variant }) => variant);
}
