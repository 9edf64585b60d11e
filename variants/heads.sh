#!/bin/sh
# SPDX-License-Identifier: MIT
#
# FILE...: the comment at the head of every variant's file, as C
# (cli/common/points.h), for what shows it where there are no sources.
set -u
echo '#include "cli/common/points.h"'
echo 'const struct kernel_head kernel_heads[] = {'
for file; do
    id=${file%.*} name=${file##*/}
    folder=${id%/*}
    awk -v id="${folder##*/}/${name%.*}" -v ending="${name##*.}" '
        BEGIN { print "    { \"" id "\"," }
        {
            gsub(/\\/, "&&")
            gsub(/"/, "\\\"")
            print "      \"" $0 "\\n\""
        }
        /\*\// { exit }
        END { print "    , \"" ending "\" }," }' "$file"
done
echo '    { 0 } };'
