#!/bin/sh
# SPDX-License-Identifier: MIT
#
# FILE...: the files that `scanbench new` begins with, as C (harness/cli/new.h).
# --text NAME FILE: the file as const char NAME_text[].
set -u
literals() {
    awk '{
        gsub(/\\/, "&&")
        gsub(/"/, "\\\"")
        print "      \"" $0 "\\n\""
    }' "$1"
}
if [ "$1" = --text ]; then
    echo "extern const char $2_text[];"
    echo "const char $2_text[] ="
    literals "$3"
    echo ';'
    exit
fi
echo '#include "harness/cli/new.h"'
echo 'const struct new_file new_files[] = {'
for file; do
    name=${file##*/}
    echo "    { \"${name%.*}\", \"${name##*.}\","
    literals "$file"
    echo '    },'
done
echo '    { 0 } };'
