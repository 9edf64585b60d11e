#!/bin/sh
# SPDX-License-Identifier: MIT
#
# embed.sh STYLE BODY SCRIPT...: writes the parts of the page of `scanbench report` as
# C to stdout (cli/report/report_parts.h), all scripts as one. Each part has its SHA-256
# in base64 for the page's Content-Security-Policy.
set -eu

digest() { # prints that of stdin: three hexadecimal digits are two letters
    sha256sum | awk '{
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (k = 1; k <= 64; k += 3) {
            bits = 0
            for (j = k; j < k + 3; ++j)
                bits = 16 * bits + (j > 64 ? 0 : index("123456789abcdef", substr($1, j, 1)))
            printf "%s%s", substr(letters, int(bits / 64) + 1, 1),
                k < 64 ? substr(letters, bits % 64 + 1, 1) : "="
        }
    }'
}

part() { # NAME FILE...
    name=$1
    shift
    echo "static const unsigned char $name[] = {"
    cat "$@" | od -An -v -tu1 | sed 's/[0-9][0-9]*/&,/g'
    printf '0 };\nconst struct report_part report_%s = {\n    (const char *)%s, %s, "%s"\n};\n' \
        "$name" "$name" "sizeof $name - 1" "$(cat "$@" | digest)"
}

echo '#include "cli/report/report_parts.h"'
part style "$1"
part body "$2"
shift 2
part script "$@"
