# SPDX-License-Identifier: MIT
#
# Of rules.awk: who serves a set of cells best, and where to cut it in two.

# Means over launches, winners, and who is ever near to one.
function prepare(op,    mine, n, k, c, all, m, j, v, met, key) {
    n = split(op_cells[op], mine, " ")
    m = split(names[op], all, " ")
    candidates = 0
    for (k = 1; k <= n; ++k) {
        c = mine[k]
        met = 0
        for (j = 1; j <= m; ++j)
            if (times[c, all[j]]) {
                ++met
                v = time[c, all[j]] /= times[c, all[j]]
                if (!(c in winner) || v < time[c, winner[c]]) winner[c] = all[j]
            }
        # Who ran alone has not won. Nor has the fastest, where best was much
        # faster still: it called something that no run has measured there by
        # itself. If best follows a bad rule, it cannot tell: a run should have
        # more variants than those that are expected to win.
        key = named[c]
        if (met < 2 || (best_times[key] && best_time[key] / best_times[key] * \
            (1 + incomplete) < time[c, winner[c]])) delete winner[c]
    }
    for (j = 1; j <= m; ++j) {
        if (fails[op, all[j]]) continue
        v = 0
        for (k = 1; k <= n; ++k) {
            c = mine[k]
            if (c in winner && times[c, all[j]]) {
                loss[c, all[j]] = log(time[c, all[j]] / time[c, winner[c]])
                if (loss[c, all[j]] < near) v = 1
            }
        }
        if (v) candidate[++candidates] = all[j]
    }
}

# An operation's cells that have a winner, and lie in a part; held: those that
# the rules must not know, or the others.
function inside(op, low, high, held,    part, n, k, j, lo, hi, c, got) {
    split(low, lo, " ")
    split(high, hi, " ")
    n = split(op_cells[op], part, " ")
    for (k = 1; k <= n; ++k) {
        c = part[k]
        for (j = 1; j <= features; ++j)
            if (value[c, feature[j]] >= 2 ^ hi[j] ||
                (lo[j] > 0 && value[c, feature[j]] < 2 ^ lo[j])) break
        if (j > features && c in winner && (shape[c] == without) == held)
            got = got " " c
    }
    return got
}

# What a list of variants loses on a string of cells; the list is in `chosen`.
function choose(text,    left, n, k, j, v, sum, least, best, lost, part, rest,
                serves) {
    chosen = ""
    rest = text
    for (j = 1; j <= own_most && (n = split(rest, left, " ")); ++j) {
        best = ""
        for (v = 1; v <= candidates; ++v) {
            sum = serves = 0
            for (k = 1; k <= n; ++k) {
                part = (left[k] SUBSEP candidate[v])
                if (part in loss) { sum += loss[part]; ++serves }
                else if (!(part in refuses)) sum += unfit
                if (best != "" && sum >= least) break
            }
            if (k > n && serves) { least = sum; best = candidate[v] }
        }
        if (best == "") break
        chosen = chosen " " best
        rest = ""
        for (k = 1; k <= n; ++k) {
            part = (left[k] SUBSEP best)
            if (part in loss) lost += loss[part]
            else if (part in refuses) rest = rest " " left[k]
            else lost += unfit
        }
    }
    return lost + unfit * split(rest, left, " ")
}

function power_above(x,    k) {
    for (k = 0; 2 ^ k <= x; ++k) { }
    return k
}

# The part of a string of cells that lies below 2^power, or not.
function side(text, what, power, below,    part, n, k, got) {
    n = split(text, part, " ")
    for (k = 1; k <= n; ++k)
        if ((value[part[k], what] < 2 ^ power) == below) got = got " " part[k]
    return got
}

# Powers of two between neighbouring values of a feature, in the middle.
function cuts(text, what,    part, n, k, x, has, sorted, m, j, made, power) {
    n = split(text, part, " ")
    for (k = 1; k <= n; ++k) has[value[part[k], what]] = 1
    for (x in has) {
        for (j = ++m; j > 1 && sorted[j - 1] > x + 0; --j)
            sorted[j] = sorted[j - 1]
        sorted[j] = x + 0
    }
    for (k = 1; k < m; ++k) {
        power = int((log(sorted[k]) + log(sorted[k + 1])) / 2 / log(2) + 1)
        if (2 ^ power <= sorted[k]) ++power
        if (2 ^ power > sorted[k + 1]) --power
        if (2 ^ power > sorted[k]) made = made " " power
    }
    return made
}

# What is lost in a string of cells, the price of a split included, if it may be
# cut once `more`; not told exactly where that is `most` or above.
function after_cuts(text, more, most,    cost, best, k, n, list, j) {
    best = choose(text)
    if (best > most) best = most
    for (k = 1; more && k <= features && best > split_gain; ++k) {
        n = split(cuts(text, feature[k]), list, " ")
        for (j = 1; j <= n; ++j) {
            cost = choose(side(text, feature[k], list[j], 1)) + split_gain
            if (cost < best)
                cost += choose(side(text, feature[k], list[j], 0))
            if (cost < best) best = cost
        }
    }
    return best
}

# Where a part is best cut, into cut_at[1], a feature, and [2], a power of two,
# if either side may be cut once `more`. False: nowhere, for what it would save.
function cut_ahead(text, lost, more,    best, k, n, list, j, cost) {
    best = lost - split_gain
    cut_at[1] = 0
    for (k = 1; k <= features && best > 0; ++k) {
        n = split(cuts(text, feature[k]), list, " ")
        for (j = 1; j <= n; ++j) {
            cost = after_cuts(side(text, feature[k], list[j], 1), more, best)
            if (cost >= best) continue
            cost += after_cuts(side(text, feature[k], list[j], 0), more, best)
            if (cost >= best) continue
            best = cost
            cut_at[1] = k
            cut_at[2] = list[j]
        }
    }
    return cut_at[1] > 0
}

# One cut may save nothing that a second one makes worth while.
function cut(text, lost) {
    return cut_ahead(text, lost, 0) || cut_ahead(text, lost, 1)
}

# A word of five replaced.
function with(words, place, word,    part, k, text) {
    split(words, part, " ")
    part[place] = word
    for (k = 1; k <= features; ++k) text = text " " part[k]
    return text
}

# Grows the tree; low and high are the part's bounds, a word a feature, and
# parents what the parts around it chose.
function grow(op, text, low, high, parents,    lost, own, what, power) {
    lost = choose(text)
    own = chosen
    if (!cut(text, lost)) { leaf(op, low, high, own parents); return }
    what = cut_at[1]
    power = cut_at[2]
    grow(op, side(text, feature[what], power, 1), low, \
         with(high, what, power), own parents)
    grow(op, side(text, feature[what], power, 0), with(low, what, power), \
         high, own parents)
}
