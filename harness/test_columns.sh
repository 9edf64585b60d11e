#!/bin/sh
# SPDX-License-Identifier: MIT
#
# CSV DOC: a CSV's header must be the columns that results/README.md explains,
# in order, between its markers.
set -u
header=$(head -n 1 "$1")
documented=$(sed -n '/<!-- columns -->/,/<!-- \/columns -->/p' "$2" |
    sed -n 's/^| `\{0,1\}\([a-z0-9_]*\)`\{0,1\} |.*/\1/p' |
    grep -v '^name$\|^column$' | paste -sd, -)
[ "$header" = "$documented" ] && exit 0
echo "the CSV has: $header"
echo "documented:  $documented"
exit 1
