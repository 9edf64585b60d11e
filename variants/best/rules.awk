# SPDX-License-Identifier: MIT
#
# FAMILIES CSV...: from measured times, the rules of best.c: for every operation
# a tree that halves the space of shapes at powers of two, until one short list
# of variants serves a part about as well as its cells' own winners. A leaf is a
# rule. FAMILIES has the files of variants, FOLDER/NAME a line.
#
# Cells whose winner is not to be trusted are left out: see prepare().
# It takes read.awk and tree.awk, too: -f each.
#
# -v losses=FILE gets what following the rules costs there, in per cent, a cell
# a line. A run is named after its folder.
# -v without=OUTERxAXISxINNER derives the rules without that shape's cells, and
# tells what they lose there.
BEGIN {
    features = split("elem_bytes inner alignment axis lines", feature, " ")
    choices_most = 4
    own_most = 3       # of them a leaf's own; the others are its parents'
    split_gain = 0.03  # what a split must save, in cells times log of time
    unfit = 3          # the same lost by a choice that is slow or unknown
    near = 0.1         # a candidate comes that near to the winner somewhere
    incomplete = 0.1   # so much slower than best is no cell's winner
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
    table = table "    { " (op == "cumsum" ? "OPS_PLAIN_SCAN" : \
        "OP_BIT(OP_" toupper(op) ")") ",\n      { "
    for (k = 1; k <= features; ++k)
        table = table "{ " lo[k] ", " hi[k] " }" (k < features ? ", " : " },\n")
    n = split(list, word, " ")
    for (k = 1; k <= n; ++k) {
        id = family_of(op, word[k])
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
        if (!times[part[k], key]) {
            printf "unknown %s %s was not measured\n", label[part[k]], key >losses
            continue
        }
        most = log(time[part[k], key] / time[part[k], winner[part[k]]])
        printf "%.2f %s %s instead of %s\n", (exp(most) - 1) * 100, \
            label[part[k]], key, winner[part[k]] >losses
    }
}

END {
    if (losses == "") losses = "/dev/null"
    ops = split("cumsum masked_cumsum sum flip", op, " ") # by class_of()
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
