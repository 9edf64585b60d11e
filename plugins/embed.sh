#!/bin/sh
# SPDX-License-Identifier: MIT
#
# FILE...: the files that `scanbench new` begins with, as C (harness/cli/new.h).
set -u
echo '#include "harness/cli/new.h"'
echo 'const struct new_file new_files[] = {'
for file; do
    name=${file##*/}
    awk -v folder="${name%.*}" -v ending="${name##*.}" '
        BEGIN { print "    { \"" folder "\", \"" ending "\"," }
        {
            gsub(/\\/, "&&")
            gsub(/"/, "\\\"")
            print "      \"" $0 "\\n\""
        }
        END { print "    }," }' "$file"
done
echo '    { 0 } };'
