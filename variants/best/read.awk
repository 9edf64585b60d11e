# SPDX-License-Identifier: MIT
#
# Of rules.awk: the runs, cell by cell: who took how long, or refused; and what
# best took, which is no candidate itself. Times are in those of the ceiling, of
# the same run: runs are of more than one card.

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

function new_cell(problem, axis, inner, lines, bytes) {
    number[problem] = ++cells
    named[cells] = problem
    label[cells] = run " " problem
    value[cells, "elem_bytes"] = bytes
    value[cells, "inner"] = inner
    value[cells, "alignment"] = alignment((inner > 1 ? inner : axis) * bytes)
    value[cells, "axis"] = axis
    value[cells, "lines"] = lines
}

# The file of a variant; none, if it has gone since it was measured.
function family_of(op, variant) {
    return file_of[op ~ /cumsum/ ? "scan" : op, variant]
}

# The scans without a mask choose together: where one was not measured, the
# others tell.
function class_of(op) {
    return op ~ /^cumsum/ ? "cumsum" : op
}

# Whether this run is the first, and so the newest, that tells of a variant at
# a problem. What it leaves out, another may tell.
function first_to_tell(problem, variant) {
    if (!((problem, variant) in teller)) teller[problem, variant] = run
    return teller[problem, variant] == run
}

function enter(    problem, bytes, cell, variant, class) {
    class = class_of(of("op"))
    problem = of("op") " " of("dtype") " " of("outer") "x" of("axis") "x" \
        of("inner")
    variant = of("variant")
    if (!first_to_tell(problem, variant)) return
    if (variant == "best") {
        if (of("pct_ceiling") + 0 > 0) {
            best_times[problem] += 1
            best_time[problem] += 100 / of("pct_ceiling")
        }
        return
    }
    bytes = of("dtype") == "f64" ? 8 : of("dtype") == "f32" ? 4 : 2
    if (!(problem in number)) {
        new_cell(problem, of("axis") + 0, of("inner") + 0,
                 of("outer") * of("inner"), bytes)
        shape[cells] = of("outer") "x" of("axis") "x" of("inner")
        op_cells[class] = op_cells[class] " " cells
    }
    cell = number[problem]
    if (of("pct_ceiling") + 0 > 0) {
        times[cell, variant] += 1
        time[cell, variant] += 100 / of("pct_ceiling")
        if (!((class, variant) in seen)) {
            seen[class, variant] = 1
            names[class] = names[class] " " variant
        }
    } else if (of("status") == "skip" && of("reason") !~ /slow/)
        refuses[cell, variant] = 1
    else if (of("status") ~ /^(wrong|error)$/)
        fails[class, variant] = 1 # is not chosen anywhere; a timeout is slow
}

function of(column) { return field[at[column]] }

FNR == 1 { ++file }
file == 1 { file_of[substr($1, 1, index($1, "/") - 1), $2] = $1; next }
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
    of("passes") + 0 == 1 && (of("variant") == "best" || \
        family_of(of("op"), of("variant"))) { enter() }
