#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Reads charts from stdin, one "NAME.svg<tab>TITLE" per line, and writes an HTML page of
# them to stdout: from the limit to the kernels and the choice among them. The page runs
# no script and loads nothing else.
cat <<'END'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; img-src 'self' file:">
<meta name="color-scheme" content="light dark">
<title>Charts - scanbench</title>
END
exec awk -F '\t' '
    BEGIN {
        sections = split("roofline ladder bandwidth_length bandwidth_size distribution", kind, " ")
        split("What limits every kernel;Every kernel at one shape;By length of line;" \
            "By size;The choice, over all shapes", heading, ";")
    }
    $1 ~ /^[a-zA-Z0-9_.-]*[.]svg$/ {
        gsub(/&/, "\\&amp;", $2)
        gsub(/</, "\\&lt;", $2)
        gsub(/>/, "\\&gt;", $2)
        gsub(/"/, "\\&quot;", $2)
        for (k = 1; k <= sections; ++k)
            if (index($1, kind[k]))
                charts[k] = charts[k] "<p><img src=\"" $1 "\" alt=\"" $2 "\">\n"
    }
    END {
        for (k = 1; k <= sections; ++k)
            if (charts[k])
                printf "<h2>%s</h2>\n%s", heading[k], charts[k]
    }'
