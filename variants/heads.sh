#!/bin/sh
# SPDX-License-Identifier: MIT
#
# FILE...: the comment at the head of every variant's file, as C
# (cli/common/commands.h), for what shows it where there are no sources.
set -u
echo '#include "cli/common/commands.h"'
echo 'const struct kernel_head kernel_heads[] = {'
for file; do
    path=${file##*variants/} name=${file##*/}
    awk -v id="${path%%/*}/${name%.*}" -v file="$path" '
        BEGIN { print "    { \"" id "\"," }
        {
            gsub(/\\/, "&&")
            gsub(/"/, "\\\"")
            print "      \"" $0 "\\n\""
        }
        /\*\// { exit }
        END { print "    , \"" file "\" }," }' "$file"
done
echo '    { 0 } };'
