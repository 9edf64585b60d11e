#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH: prints its man page, which is every command's --help verbatim.
set -u
scanbench=$1

# Escapes text, so that no line is a request and no backslash an escape.
verbatim() {
    echo .nf
    sed 's/\\/\\e/g; s/^\([.'\'']\)/\\\&\1/; s/-/\\-/g'
    echo .fi
}

overview=$("$scanbench" --help) || exit 1
version=$("$scanbench" --version | sed 's/,.*//') || exit 1
cat <<EOF
.\\" made by cli/install/man.sh
.TH SCANBENCH 1 "" "$version"
.SH NAME
scanbench \\- measure and verify scans and reductions along one axis on a GPU
.SH SYNOPSIS
.B scanbench
.I COMMAND
[\\fIOPTIONS\\fR]
.SH DESCRIPTION
EOF
printf '%s\n' "$overview" | verbatim
for command in $(printf '%s\n' "$overview" |
    sed -n 's/^  scanbench \([a-z]*\)  .*/\1/p'); do
    [ "$command" != help ] || continue
    printf '.SH SCANBENCH %s\n' "$(echo "$command" | tr '[:lower:]' '[:upper:]')"
    help=$("$scanbench" "$command" --help) || exit 1
    printf '%s\n' "$help" | verbatim
done
cat <<'EOF'
.SH FILES
A run is a folder of CSVs; results/README.md explains every file.
EOF
