# SPDX-License-Identifier: MIT
#
# A CSV as gnuplot can read it: without its damaged lines (what was torn off, or
# never was a row), each of which is told on stderr, and without quoted commas.
# `file` is the name to tell.

# Fields may be quoted, with commas and doubled quotes within.
function fields(text,    n, quoted, k, c) {
    n = 1
    for (k = 1; k <= length(text); ++k) {
        c = substr(text, k, 1)
        if (c == "\"") quoted = !quoted
        if (c == "," && !quoted) ++n
    }
    return quoted ? 0 : n
}

# gnuplot ends a quoted field at its first comma: a sign that looks like one.
function drawable(text,    n, parts, k) {
    n = split(text, parts, "\"")
    text = parts[1]
    for (k = 2; k <= n; ++k) {
        if (k % 2 == 0) gsub(",", "\342\200\232", parts[k])
        text = text "\"" parts[k]
    }
    return text
}

NR == 1 { columns = fields($0); print; next }
fields($0) == columns { print drawable($0); next }
{ print file ":" NR ": no whole row, left out of the charts" >"/dev/stderr" }
