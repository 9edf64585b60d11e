# SPDX-License-Identifier: MIT
#
# A CSV without its damaged lines (what was torn off, or never was a row): each
# is told on stderr. `file` is the name to tell.

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

NR == 1 { columns = fields($0); print; next }
fields($0) == columns { print; next }
{ print file ":" NR ": no whole row, left out of the charts" >"/dev/stderr" }
