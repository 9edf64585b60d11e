#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What there is, as FOLDER/FILE POINT a line: the tuning points of every kernel
# file, whatever a build leaves out. Runs also have points that have gone since.
# Names are put together by macros, so the preprocessor reads them.
set -u
cd "$(dirname "$0")" || exit 2
for file in stream/*.cu scan/*.cu sum/*.cu flip/*.cu; do
    sed '/^# *include/d; /^# *if/d; /^# *el/d; /^# *endif/d' "$file" |
        ${CC:-cc} -E -P -x c - 2>/dev/null | tr '\n' ' ' |
        grep -o '\.name *= *\("[^"]*" *\)*' |
        sed "s/[^\"]*//; s/\" *\"//g; s/\"//g; s|^|${file%.cu} |; s/ *\$//"
done
