#!/bin/sh
# SPDX-License-Identifier: MIT
#
# docs/glossary.md: its words as C, for `scanbench help`; without Markdown.
set -u
echo '#include "harness/cli/glossary.h"'
echo 'const struct row_word glossary_words[] = {'
awk -F ' [|] ' '/^[|] [^-]/ && $1 != "| word" {
    sub(/ [|]$/, "", $2)
    gsub(/[*]|\]\([^)]*\)|\[/, "", $2)
    gsub(/["\\]/, "\\\\&", $2)
    count = split(substr($1, 3), words, ", ")
    for (k = 1; k <= count; ++k)
        print "    { \"" words[k] "\", \"" $2 "\" },"
}' "$1"
echo '    { 0 } };'
