#!/bin/sh
# SPDX-License-Identifier: MIT
#
# embed.sh FILE...: prints the templates of `scanbench new` as C
# (cli/common/commands.h).
# embed.sh --texts NAME FILE...: prints NAME_texts[], each file after a line with its
# name.
set -u
literals() {
    awk '{
        gsub(/\\/, "&&")
        gsub(/"/, "\\\"")
        print "      \"" $0 "\\n\""
    }' "$1"
}
if [ "$1" = --texts ]; then
    echo "extern const char *const $2_texts[];"
    echo "const char *const $2_texts[] = {"
    shift 2
    for file; do
        name=${file##*/}
        printf '    "%s\\n"\n' "${name%.*}"
        literals "$file"
        echo '    ,'
    done
    echo '    0 };'
    exit
fi
echo '#include "cli/common/commands.h"'
echo 'const struct new_file new_files[] = {'
# The CUDA template is that of scan/ and, by another id, of reduce/.
for file; do
    case $file in *.cu) folders='scan reduce' ;; *) folders=host ;; esac
    for folder in $folders; do
        echo "    { \"$folder\", \"${file##*.}\","
        literals "$file" | sed "s|scan/my_idea|$folder/my_idea|"
        echo '    },'
    done
done
echo '    { 0 } };'
