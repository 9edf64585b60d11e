# SPDX-License-Identifier: MIT
#
# FAMILIES CSV...: from measured times, the rules of best.c: for every operation
# a tree that halves the space of shapes at powers of two, until one short list
# of variants serves a part about as well as its cells' own winners. A leaf is a
# rule. FAMILIES has the files of variants, FOLDER/NAME a line.
#
# -v losses=FILE gets what following the rules costs there, in per cent, a cell
# a line. A run is named after its folder.
# -v without=OUTERxAXISxINNER derives the rules without that shape's cells, and
# tells what they lose there.
BEGIN {
    features = split("elem_bytes inner alignment axis lines", feature, " ")
    choices_most = 4
    own_most = 3      # of them a leaf's own; the others are its parents'
    split_gain = 0.03 # what a split must save, in cells times log of time
    unfit = 3          # the same lost by a choice that is slow or unknown
    near = 0.1         # a candidate comes that near to the winner somewhere
}

# ---- reading ----------------------------------------------------------------

# The fields of a CSV line, of which some are quoted.
function split_csv(line, field,    n, text) {
    while (line != "") {
        if (substr(line, 1, 1) == "\"") {
            match(line, /^"([^"]|"")*"/)
            text = substr(line, 2, RLENGTH - 2)
        } else {
            match(line, /^[^,]*/)
            text = substr(line, 1, RLENGTH)
        }
        line = substr(line, RLENGTH + 1)
        field[++n] = text
        if (line == ",") field[++n] = ""
        line = substr(line, 2)
    }
    return n
}

# The largest power of two, up to 16, that divides a pitch.
function alignment(bytes,    power) {
    for (power = 1; power < 16 && bytes % (2 * power) == 0; power *= 2) { }
    return power
}

function new_cell(key, axis, inner, lines, bytes) {
    number[key] = ++cells
    label[cells] = key
    value[cells, "elem_bytes"] = bytes
    value[cells, "inner"] = inner
    value[cells, "alignment"] = alignment((inner > 1 ? inner : axis) * bytes)
    value[cells, "axis"] = axis
    value[cells, "lines"] = lines
}

function enter(    key, bytes, cell, variant) {
    key = run " " of("op") " " of("dtype") " " of("outer") "x" of("axis") "x" \
        of("inner")
    bytes = of("dtype") == "f64" ? 8 : of("dtype") == "f32" ? 4 : 2
    if (!(key in number)) {
        new_cell(key, of("axis") + 0, of("inner") + 0,
                 of("outer") * of("inner"), bytes)
        shape[cells] = of("outer") "x" of("axis") "x" of("inner")
        op_cells[of("op")] = op_cells[of("op")] " " cells
    }
    cell = number[key]
    variant = of("variant")
    if (of("median_us") != "") {
        times[cell, variant] += 1
        time[cell, variant] += of("median_us")
        if (!((of("op"), variant) in seen)) {
            seen[of("op"), variant] = 1
            names[of("op")] = names[of("op")] " " variant
        }
    } else if (of("status") == "skip" && of("reason") !~ /slow/)
        refuses[cell, variant] = 1
    else
        fails[of("op"), variant] = of("status") != "skip"
}

function of(column) { return field[at[column]] }

FNR == 1 { ++file }
file == 1 { known[$0] = 1; next }
FNR == 1 {
    split("", at)
    columns = split_csv($0, field)
    for (k = 1; k <= columns; ++k) at[field[k]] = k
    run = FILENAME
    sub(/\/[^\/]*$/, "", run)
    sub(/.*\//, "", run)
    next
}
split_csv($0, field) == columns && of("cache") == "cold" &&
    of("passes") + 0 == 1 && of("variant") != "best" { enter() }

# ---- choosing ---------------------------------------------------------------

# Means over launches, winners, and who is ever near to one.
function prepare(op,    mine, n, k, c, all, m, j, v) {
    n = split(op_cells[op], mine, " ")
    m = split(names[op], all, " ")
    candidates = 0
    for (k = 1; k <= n; ++k) {
        c = mine[k]
        for (j = 1; j <= m; ++j)
            if (times[c, all[j]]) {
                v = time[c, all[j]] /= times[c, all[j]]
                if (!(c in winner) || v < time[c, winner[c]]) winner[c] = all[j]
            }
    }
    for (j = 1; j <= m; ++j) {
        if (fails[op, all[j]]) continue
        v = 0
        for (k = 1; k <= n; ++k) {
            c = mine[k]
            if (times[c, all[j]]) {
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

# Where a part is best cut, into cut_at[1], a feature, and [2], a power of two.
# False: nowhere, for what it would save.
function cut(text, lost,    best, k, n, list, j, left, cost) {
    best = lost - split_gain
    cut_at[1] = 0
    for (k = 1; k <= features && best > 0; ++k) {
        n = split(cuts(text, feature[k]), list, " ")
        for (j = 1; j <= n; ++j) {
            left = side(text, feature[k], list[j], 1)
            cost = choose(left)
            if (cost >= best) continue
            cost += choose(side(text, feature[k], list[j], 0))
            if (cost >= best) continue
            best = cost
            cut_at[1] = k
            cut_at[2] = list[j]
        }
    }
    return cut_at[1] > 0
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

# Of the variants that refuse nothing in a string of cells the one that loses
# least: where a rule's own choices refuse, between what was measured.
function never_refuses(op, text,    part, n, k, all, m, j, sum, least, best) {
    n = split(text, part, " ")
    m = split(names[op], all, " ")
    for (j = 1; j <= m; ++j) {
        sum = 0
        for (k = 1; k <= n && !((part[k] SUBSEP all[j]) in refuses); ++k)
            sum += ((part[k] SUBSEP all[j]) in loss) ? \
                loss[part[k], all[j]] : unfit
        if (k > n && !fails[op, all[j]] && (best == "" || sum < least)) {
            least = sum
            best = all[j]
        }
    }
    return best
}

function root(op, low, high,    text) {
    text = inside(op, low, high, 0)
    sure = never_refuses(op, text)
    grow(op, text, low, high, "")
}

# ---- what comes out ---------------------------------------------------------

# The file of a variant: the longest name that its own begins with.
function family_of(op, variant,    id, name, folder, best, length_best) {
    folder = op ~ /cumsum/ ? "scan/" : op "/"
    for (id in known) {
        name = substr(id, length(folder) + 1)
        if (index(id, folder) == 1 && index(variant "_", name "_") == 1 &&
            length(name) > length_best) {
            best = id
            length_best = length(name)
        }
    }
    return best
}

# At most choices_most of a list, each once, of which one refuses nothing.
function shorten(list,    word, n, k, kept, short) {
    n = split(list " " sure, word, " ")
    for (k = 1; k <= n && kept < choices_most; ++k)
        if (index(short " ", " " word[k] " ") == 0) {
            if (kept == choices_most - 1 && sure != "" &&
                index(short " ", " " sure " ") == 0) word[k] = sure
            short = short " " word[k]
            ++kept
        }
    return short
}

function leaf(op, low, high, list,    lo, hi, word, n, k, id) {
    list = shorten(list)
    split(low, lo, " ")
    split(high, hi, " ")
    table = table "    { OP_" toupper(op) ",\n      { "
    for (k = 1; k <= features; ++k)
        table = table "{ " lo[k] ", " hi[k] " }" (k < features ? ", " : " },\n")
    n = split(list, word, " ")
    for (k = 1; k <= n; ++k) {
        id = family_of(op, word[k])
        if (id == "") { print "no file of " word[k] >"/dev/stderr"; exit 1 }
        sub("/", "__", id)
        if (!(id in family)) {
            family[id] = 1
            weak = weak "WEAK(" id ");\n"
        }
        table = table (k > 1 ? "        " : "      { ") "CHOICE(" id ", \"" \
            word[k] "\")" (k < n ? ",\n" : " } },\n")
    }
    ++rules
    measure(inside(op, low, high, without != ""), list)
}

# ---- the loss, of the cells of a leaf ----------------------------------------

function measure(text, list,    part, n, k, word, m, j, key, most) {
    n = split(text, part, " ")
    m = split(list, word, " ")
    for (k = 1; k <= n; ++k) {
        key = ""
        for (j = 1; j <= m && key == ""; ++j)
            if (!((part[k] SUBSEP word[j]) in refuses)) key = word[j]
        most = unfit
        if (times[part[k], key])
            most = log(time[part[k], key] / time[part[k], winner[part[k]]])
        printf "%.2f %s %s instead of %s\n", (exp(most) - 1) * 100, \
            label[part[k]], key, winner[part[k]] >losses
    }
}

END {
    if (losses == "") losses = "/dev/null"
    ops = split("cumsum cumsum_exclusive cumsum_reverse masked_cumsum sum flip",
                op, " ")
    for (o = 1; o <= ops; ++o) {
        if (!(op[o] in names)) continue
        prepare(op[o])
        # Contiguous lines and strided ones apart: few variants serve both.
        root(op[o], "0 0 0 0 0", "63 1 63 63 63")
        root(op[o], "0 1 0 0 0", "63 63 63 63 63")
    }
    print "/* SPDX-License-Identifier: MIT"
    print " *"
    print " * Made by variants/best/rules.sh --write from the runs under results: edit"
    print " * neither. See rules.h for the words. */"
    printf "%s", weak
    print "\nstatic const struct rule rules[] = {"
    printf "%s};\n", table
    print rules " rules" >losses
}
