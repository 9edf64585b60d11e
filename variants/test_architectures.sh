#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE NVCC FILE...: every file, whose record says that its code is not the
# same for all architectures (per_arch), compiles for each one that nvcc knows,
# and without a warning: one operation of each folder and one type. "no" for
# nvcc: there is none.
set -u
cd "$1" || exit 2
nvcc=$2
shift 2
if [ "$nvcc" = no ]; then
    echo 'skipped: there is no nvcc to compile for other architectures with'
    exit 77
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

cat >"$work/compile" <<'END'
nvcc=$1 work=$2 file=$3
object=$work/$(echo "$file" | tr / _)
"$nvcc" -arch=all -std=c++20 -O3 -I. -Werror=all-warnings \
    -Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers,-Werror \
    '-DSCANBENCH_OPS=(OP_BIT(OP_CUMSUM)|OP_BIT(OP_SUM)|OPS_TWIN)' \
    '-DSCANBENCH_DTYPES=DTYPE_BIT(DTYPE_F32)' \
    -c "$file" -o "$object.o" >"$object.said" 2>&1 && exit
echo "FAILED: $file:"
tail -n 20 "$object.said"
touch "$work/failed"
END
printf '%s\n' "$@" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' \
    sh "$work/compile" "$nvcc" "$work" '{}'
[ ! -e "$work/failed" ]
