#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A hash of the sources that measure and of what builds them, without tests:
# `sources_hash` of a manifest.
set -u
cd "$1" || exit
hash=$(find meson.build meson_options.txt src harness cli variants \
    results/best -type f \
    \( -name meson.build -o -name meson_options.txt -o -name '*.[ch]' \
    -o -name '*.cu' -o -name '*.cuh' -o -name '*.in' -o -name '*.sh' \
    -o -name '*.py' -o -name '*.awk' -o -path 'results/best/*.csv' \) \
    ! -name 'test*' ! -name 'fake_*' ! -path '*/measured/*' | LC_ALL=C sort | tr '\n' '\0' |
    xargs -0 sha256sum | sha256sum | cut -c 1-16)
echo "#define SCANBENCH_SOURCES \"$hash\""
