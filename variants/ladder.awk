# SPDX-License-Identifier: MIT
#
# POINTS README LESSONS CSV...: the ladder of every operation as Markdown. A step is a
# file of variants, in the order of README's tables, from which its idea comes;
# its figure in a column is that of its best tuning point there, the mean over
# launches.
BEGIN {
    ops = split("cumsum cumsum_exclusive cumsum_reverse masked_cumsum sum " \
        "flip copy masked_copy read write", op_name, " ")
    # What stands over a column, and the shape; of a scan's, a sum's, a twin's.
    column("scan", "32768 lines", "32768,32768,1")
    column("scan", "odd lines", "65536,4097,1")
    column("scan", "one line", "1,1073741824,1")
    column("scan", "strided", "1,32768,32768")
    column("sum", "32768 lines", "32768,32768,1")
    column("sum", "one line", "1,1073741824,1")
    column("sum", "strided, even", "1,32768,32768")
    column("sum", "strided, odd", "128,4096,4095")
    column("stream", "2^30 elements", "1,1073741824,1")
    column("stream", "2^28 elements", "1,268435456,1")
    for (k = 1; k <= columns["scan"]; ++k)
        column("flip", head["scan", k], shape["scan", k])
}

function column(folder, text, extents) {
    head[folder, ++columns[folder]] = text
    shape[folder, columns[folder]] = extents
}

function folder_of(op) {
    return op ~ /cumsum/ ? "scan" : op ~ /^(sum|flip)$/ ? op : "stream"
}

# The step whose file has that point; none if it has gone since it was measured.
function step_of(folder, variant, k) {
    for (k = 1; k <= steps; ++k)
        if (id[k] == file_of[folder, variant])
            return k
    return ""
}

# Splits a CSV line with quotes into field[].
function split_csv(line, count, text) {
    split("", field)
    while (1) {
        ++count
        if (substr(line, 1, 1) == "\"") {
            match(line, /^"([^"]|"")*"/)
            text = substr(line, 2, RLENGTH - 2)
            gsub(/""/, "\"", text)
            line = substr(line, RLENGTH + 1)
        } else {
            match(line, /^[^,]*/)
            text = substr(line, 1, RLENGTH)
            line = substr(line, RLENGTH + 1)
        }
        field[count] = text
        if (line == "")
            return count
        line = substr(line, 2)
        if (line == "") {
            field[count + 1] = ""
            return count + 1
        }
    }
}

function value(column_name) {
    return field[place[column_name]]
}

# ---- the points that there are
FNR == 1 { ++files }
files == 1 {
    file_of[substr($1, 1, index($1, "/") - 1), $2] = $1
    next
}

# ---- the page: steps and their ideas
files == 2 {
    split($0, part, / *[|] */)
    if (match(part[2], /^\[[a-z0-9_]+\]\((stream|scan|sum|flip)\//)) {
        ++steps
        id[steps] = part[2]
        sub(/.*\(/, "", id[steps])
        sub(/[.]cu\).*/, "", id[steps])
        name[steps] = id[steps]
        sub(/.*\//, "", name[steps])
        idea[steps] = part[3]
    }
    next
}

# ---- the lessons
files == 3 {
    if (/^[a-z]+\/[a-z0-9_]+: /) {
        text = $0
        sub(/^[^:]*: /, "", text)
        lesson[substr($0, 1, index($0, ":") - 1)] = text
    }
    next
}

# ---- the runs
FNR == 1 {
    split("", place)
    count = split_csv($0)
    for (k = 1; k <= count; ++k)
        place[field[k]] = k
    next
}
{
    split_csv($0)
    if (value("dtype") != "f32" || value("cache") != "cold")
        next
    op = value("op")
    key = op SUBSEP value("variant") SUBSEP value("outer") "," \
        value("axis") "," value("inner")
    if (!(key in step))
        step[key] = step_of(folder_of(op), value("variant"))
    if (step[key] == "")
        next
    at = op SUBSEP step[key]
    there[at] = there[op] = 1
    if (passes[at] == "" || value("passes") + 0 < passes[at] + 0)
        passes[at] = value("passes") + 0
    spot = at SUBSEP value("outer") "," value("axis") "," value("inner")
    if (value("reason") ~ /^not tried/)
        untried[spot] = 1
    else if (value("reason") ~ /slow/)
        slow[spot] = 1
    run = FILENAME
    sub(/\/[^\/]*$/, "", run)
    if (!(key in first_run))
        first_run[key] = run
    if (value("status") == "ok" && value("pct_ceiling") + 0 > 0 &&
        first_run[key] == run) {
        pct_sum[key] += value("pct_ceiling")
        ++pct_count[key]
        error[key] = value("max_err")
    }
}

function digits(number) {
    return sprintf(number + 0 < 100 ? "%.3g" : "%.0f", number)
}

function best_of(op, at_step, extents, key, part, best) {
    best = best_key = ""
    for (key in pct_sum) {
        split(key, part, SUBSEP)
        if (part[1] == op && part[3] == extents && step[key] == at_step &&
            pct_sum[key] / pct_count[key] > best + 0) {
            best = pct_sum[key] / pct_count[key]
            best_key = key
        }
    }
    return best
}

function write_step(op, folder, at_step, c, line, best, err, first) {
    line = "| " name[at_step] " | " idea[at_step] " | " \
        sprintf("%.4g", passes[op, at_step]) " |"
    for (c = 1; c <= columns[folder]; ++c) {
        best = best_of(op, at_step, shape[folder, c])
        if (best != "" && err == "")
            err = error[best_key]
        if (best != "")
            best = sprintf("%.1f", best)
        else if ((op, at_step, shape[folder, c]) in slow)
            best = "slow"
        else if ((op, at_step, shape[folder, c]) in untried)
            best = "(slow)"
        else
            best = "–"
        line = line " " best " |"
    }
    if (folder == "scan" || folder == "sum")
        line = line " " (err == "" ? "–" : digits(err)) " |"
    first = !told[id[at_step]]++
    print line " " (first ? lesson[id[at_step]] : "see above") " |"
}

function write_ladder(op, folder, c, k, line, rule) {
    line = "| step | idea | passes |"
    rule = "| --- | --- | --- |"
    for (c = 1; c <= columns[folder]; ++c) {
        line = line " " head[folder, c] " |"
        rule = rule " --: |"
    }
    if (folder == "scan" || folder == "sum") {
        line = line " error |"
        rule = rule " --: |"
    }
    print "\n### " op "\n\n" line " lesson |\n" rule " --- |"
    for (k = 1; k <= steps; ++k)
        if ((op, k) in there)
            write_step(op, folder, k)
}

END {
    for (o = 1; o <= ops; ++o)
        if (op_name[o] in there)
            write_ladder(op_name[o], folder_of(op_name[o]))
}
