#!/bin/sh
# SPDX-License-Identifier: MIT
#
# TABLE CC... -- FILE...: the catalogue (src/choose/catalogue.h) of the variants in
# the files, as C: what there is, whatever a build leaves out; operator_points has
# the fewer points of operators other than addition. Names and contracts come
# from macros, so the preprocessor reads them: the host's, since a build without
# nvcc needs the whole list, too, for the ladders and rules of published runs.
# cli/common/test_points.c compares it with the tables that the compilers made.
set -u
table=$1 cc=''
case $table in
operator_points) left_out='/^#if.*OTHER_OPERATORS/,/^#endif/d' ;;
*) left_out='' ;;
esac
shift
while [ "$1" != -- ]; do
    cc="$cc $1"
    shift
done
shift
echo '#include "src/choose/catalogue.h"'
echo "const struct catalogue_point ${table}[] = {"
text='"[^"]*"\( *"[^"]*"\)*'
contracts='s/$/@0 },/'
for contract in deterministic portable_bits monotone; do
    constant=CONTRACT_$(echo $contract | tr '[:lower:]' '[:upper:]')
    contracts="$contracts; /\\.$contract *= *true/s/ },\$/ | $constant&/"
done
for file; do
    path=${file##*variants/} name=${file##*/}
    # shellcheck disable=SC2086 # a compiler with its options
    sed -e "$left_out" -e '/^# *include/d; /^# *if/d; /^# *el/d; /^# *endif/d' "$file" |
        $cc -E -P -x c - 2>/dev/null | tr '\n' ' ' |
        sed '$s/$/\
/; s/\.name *=/\
&/g' | sed -n "$contracts"'; s#^\.name *= *\('"$text"'\).*\.idea *= *\('"$text"'\).*@#    { "'"${path%%/*}/${name%.*}"'", \1, \3, "'"$path"'", #p'
done
echo '    { 0 } };'
