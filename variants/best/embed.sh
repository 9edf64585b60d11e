#!/bin/sh
# SPDX-License-Identifier: MIT
#
# FILE...: the files' text as C (built_in_rules.h).
set -u
echo '#include "variants/built_in_rules.h"'
echo 'const struct rules_text built_in_rules[] = {'
for file; do
    printf '{ "%s",\n' "${file##*/}"
    sed 's/[\\"]/\\&/g; s/^/"/; s/$/\\n"/' "$file"
    echo '},'
done
echo '{ 0 } };'
