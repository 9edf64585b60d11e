#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Unpacks every archive of published sets in its own folder, where git ignores the
# files:
#
#   unpack.sh [RESULTS]      default: results/ of this tree
#
# Needs xz. Exit status: 0 unpacked, 2 failed.
set -u
results=${1:-$(dirname "$0")/../results}
command -v xz >/dev/null || {
    echo 'unpack.sh: xz is missing: install xz-utils (dnf: xz)' >&2
    exit 2
}
find "$results" -name '*.tar.xz' -exec sh -c 'for archive; do
    tar -xJf "$archive" -C "${archive%/*}" || exit
done' sh {} + || exit 2
