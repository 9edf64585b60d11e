#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SANITIZER TOOL PROGRAM ARGUMENT...: runs a GPU test, or a `scanbench check` of
# yours, under a tool of compute-sanitizer. A kernel takes tens of times longer
# there, so a check without --shape gets a few shapes that reach every path:
# several tiles of a line, odd lengths, one element, many lines, narrow and odd
# inner extents. In one process, which the sanitizer watches best. What has to
# fail is skipped (77), and so is what changes when kernels and blocks run, but
# not what they do. Blocks that walk on (--blocks) reuse their shared memory.
set -u
if [ $# -lt 3 ]; then
    echo 'usage: sanitize.sh SANITIZER TOOL PROGRAM [ARGUMENT...]' >&2
    exit 2
fi
sanitizer=$1 tool=$2
shift 2
if ! command -v "$sanitizer" >/dev/null; then
    echo "sanitize.sh: no program $sanitizer: give the path of the CUDA" \
        "Toolkit's, such as /usr/local/cuda/bin/compute-sanitizer" >&2
    exit 2
fi
shapes=3x4097x1,1x40001x1,300x33x1,5x1x1,2x129x33,1x4097x4,1x5000x7,2x20x1001,3x2x1203

shaped=''
for word; do
    case $word in
    */test_broken.sh | --must-fail | --repeat | --room | --streams) exit 77 ;;
    --shape | --shape=* | --grid | --grid=* | --quick) shaped=1 ;;
    esac
done
if [ "${2-}" = check ]; then
    set -- "$@" --in-process
    [ -n "$shaped" ] || set -- "$@" --shape "$shapes"
fi

# The host's clock runs far ahead of the device's events: nothing is hidden.
SCANBENCH_NO_CLOCK_CHECK=1 exec "$sanitizer" --tool "$tool" \
    --target-processes all --report-api-errors no --error-exitcode 1 \
    --quiet "$@"
