# SPDX-License-Identifier: MIT
#
# Of a run of several processes (column process), one row a cell: the median of
# those that hold a time, with its own numbers, the lower one of two. It counts
# as no firmer than the least firm of them. A cell without a time, or with a
# wrong one, keeps the row that says so. Of ceilings, those of the start.

# Fields may be quoted, with commas and doubled quotes within.
function split_row(text, cell,    n, quoted, k, c) {
    n = 1; cell[1] = ""
    for (k = 1; k <= length(text); ++k) {
        c = substr(text, k, 1)
        if (c == "\"") quoted = !quoted
        if (c == "," && !quoted) cell[++n] = ""
        else cell[n] = cell[n] c
    }
    return n
}

function doubt(status) {
    return status == "ok" ? 1 : status == "unstable" ? 2 : \
        status == "suspect" ? 3 : status ~ /skip|slow|untried/ ? 4 : 5
}

# The launches of a cell that hold a time, slowest first.
function sort_times(key,    i, j, swap) {
    for (i = 2; i <= count[key]; ++i)
        for (j = i; j > 1 && rate[key, j - 1] > rate[key, j]; --j) {
            swap = rate[key, j]; rate[key, j] = rate[key, j - 1]
            rate[key, j - 1] = swap
            swap = row[key, j]; row[key, j] = row[key, j - 1]
            row[key, j - 1] = swap
        }
}

function print_cell(key,    n, k, cell, line) {
    if (worst[key] > 3 || !count[key]) { print kept[key]; return }
    sort_times(key)
    n = split_row(row[key, int((count[key] + 1) / 2)], cell)
    if (at["process"]) cell[at["process"]] = "median"
    if (at["status"]) cell[at["status"]] = status_of[key]
    line = cell[1]
    for (k = 2; k <= n; ++k) line = line "," cell[k]
    print line
}

NR == 1 {
    columns = split_row($0, cell)
    for (k = 1; k <= columns; ++k) at[cell[k]] = k
    names = split("kind,op,variant,twin,dtype,outer,axis,inner,elems,cache", \
                  name, ",")
    print
    next
}

split_row($0, cell) == columns && \
!(at["phase"] && cell[at["phase"]] == "end") {
    key = ""
    for (k = 1; k <= names; ++k)
        # A twin's best variant may be another one in each launch.
        if (at[name[k]] && !(name[k] == "variant" && at["twin"]))
            key = key "," cell[at[name[k]]]
    if (!(key in count)) { order[++cells] = key; count[key] = 0 }
    status = at["status"] ? cell[at["status"]] : "ok"
    if (!(key in worst) || doubt(status) > worst[key]) {
        worst[key] = doubt(status); status_of[key] = status; kept[key] = $0
    }
    figure = cell[at["gbps"]] != "" ? cell[at["gbps"]] : cell[at["gflops"]]
    if (doubt(status) <= 3 && figure != "") {
        rate[key, ++count[key]] = figure + 0
        row[key, count[key]] = $0
    }
}

END { for (k = 1; k <= cells; ++k) print_cell(order[k]) }
