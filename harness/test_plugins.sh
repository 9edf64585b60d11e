#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH FAKE OLD: plugins: what is right runs like what is built in, what is
# wrong has one message, and nothing of it takes scanbench along. FAKE is
# fake_plugin.c; OLD the same, of before a field was added.
set -u
scanbench=$(realpath "$1") fake=$(realpath "$2") old=$(realpath "$3")
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"
cp "$fake" fake.so
export OMP_NUM_THREADS=1
# What crashes is to die of its signal under AddressSanitizer, too.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:handle_segv=0:handle_sigbus=0"

refused() { # TEXT WORDS...: status 2, one message, no data
    text=$1
    shift
    "$scanbench" list --device host --grid quick "$@" >out 2>err
    got=$?
    [ "$got" -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] &&
        grep -e "^scanbench: plugin .*$text" err && return
    echo "status $got"
    cat out err
    return 1
}
check() { # WORDS...: sets status
    "$scanbench" check --device host -q --op cumsum --dtype f32 \
        --shape 3x5x2,1x7x1 "$@" >out 2>err
    status=$?
}
is_status() {
    [ "$status" -eq "$1" ] || { echo "status $status"; cat out err; return 1; }
}

# ---- what is right
check --plugin fake.so --family scan/fake
ok 'a plugin' is_status 0
ok 'a cell, and what it refuses' grep '^1 passed, 0 failed, 1 skipped' out
check --plugin fake.so --family scan/fake --in-process
ok 'in this process' is_status 0
check --plugin "$old" --family scan/fake
ok 'of before a field was added' is_status 0
ok 'in the list' says '^cumsum/fake/f32/1x4096x1$' "$scanbench" list \
    --plugin fake.so --device host --grid quick -f fake
ok 'of families' says '^scan/fake  *plugin fake  *one loop' "$scanbench" list \
    --families --plugin fake.so
ok 'beside others' says '^host/serial ' "$scanbench" list --families \
    --plugin fake.so
run() { # WORDS...
    "$scanbench" run --device host --shape 3x500x2 --op cumsum --dtype f32 \
        --budget 0 -q "$@"
}
ok 'a run' run -f 'fake|serial' --plugin "$work/fake.so" -o one
ok 'its row' grep ',cumsum,fake,fake,f32,.*,ok,' one/cumsum.csv
ok 'its digest' grep "^plugins,fake:$(sha256sum <fake.so | cut -d ' ' -f 1)$" \
    one/manifest.csv
ok 'no path' test "$(grep -c -e "$work" -e plugin= -e --plugin \
    one/manifest.csv)" -eq 0
ok 'resumed' says 'is complete' "$scanbench" run --resume one --plugin fake.so
ok 'without it' says "its plugins are 'fake:" "$scanbench" run --resume one
cp fake.so more.so
echo more >>more.so
ok 'with another' says "its plugins are 'fake:" "$scanbench" run --resume one \
    --plugin more.so
cp -r one two
sed -i 's/^plugins,fake:./plugins,fake:x/' two/manifest.csv
ok 'another run' says 'not the same: plugins fake:' "$scanbench" compare one two
ok 'a filter for nothing' says 'near: fake' "$scanbench" list --device host \
    --plugin fake.so -f faek

# ---- what goes wrong in a cell costs that cell
with() { # VARIABLE=VALUE WORDS...
    setting=$1
    shift
    env "$setting" "$scanbench" check --device host -q --op cumsum \
        --dtype f32 --shape 3x5x2 --plugin fake.so "$@"
}
ok 'wrong' status 1 with FAKE_PLUGIN=wrong -f fake
ok 'is told' says "^wrong: cumsum/fake/f32/3x5x2" with FAKE_PLUGIN=wrong
ok 'again' says "again: .* --plugin 'fake.so'" with FAKE_PLUGIN=wrong
ok 'a crash' says '^error: cumsum/fake.*died of signal 9' with FAKE_PLUGIN=kills
ok 'others go on' says '^[1-9][0-9]* passed, 1 failed' with FAKE_PLUGIN=kills
cp fake.so changed.so
ok 'another file' says 'changed.so: the file is another one now' env \
    FAKE_FIELD=changed FAKE_FILE=changed.so "$scanbench" check --device host \
    -q --op cumsum --dtype f32 --shape 3x5x2 --plugin changed.so

ok 'an output elsewhere' status 0 with FAKE_FIELD=elsewhere -f fake --repeat 5
ok 'that is old' says '^wrong: cumsum/fake' with FAKE_FIELD=stale -f fake
ok 'that is nowhere' says 'not know where its output' with FAKE_FIELD=nowhere \
    -f fake
ok 'timed, too' env FAKE_FIELD=elsewhere "$scanbench" run --device host -f \
    'fake|copy/loop/' --shape 3x5x2 --op cumsum,copy --dtype f32 --budget 0 -q \
    --plugin fake.so --cache hot -o elsewhere
first() { # FIELD: the status of a cell whose first launch takes long
    env FAKE_FIELD="$1" "$scanbench" run --device host -f 'fake|copy/loop/' \
        --shape 3x5x2 --op cumsum,copy --dtype f32 --budget 0 -q --slow 50 \
        --plugin fake.so -o "$1" && grep -o ',fake,.*,\(ok\|slow\),' "$1/cumsum.csv"
}
ok 'slow at first' says ',slow,$' first dawdles
ok 'it compiled' says ',ok,$' first compiles

# ---- what is wrong with a file
echo 'int x;' >text.so
: >empty.so
head -c 3000 fake.so >torn.so
ok 'none' refused 'No such file' --plugin none.so
ok 'a folder' refused 'it is no file' --plugin .
ok 'an empty file' refused 'it is empty' --plugin empty.so
ok 'a text' refused 'cannot be loaded: .*shared object' --plugin text.so
ok 'half of it' refused . --plugin torn.so
ok 'a program' refused 'cannot be loaded' --plugin "$scanbench"
ok 'an empty name' status 2 "$scanbench" list --plugin ''
ok 'twice' refused 'another plugin has its name' --plugin fake.so \
    --plugin more.so
ok 'with --broken' status 2 "$scanbench" check --broken --plugin fake.so
for library in /lib*/*/libm.so.6 /lib*/libm.so.6; do
    [ -e "$library" ] || continue
    ok 'a library' refused 'exports no scanbench_plugin' --plugin "$library"
    break
done

# ---- what is wrong with what it says
fault() { # VARIABLE VALUE TEXT
    export "$1=$2"
    ok "$2" refused "$3" --plugin fake.so
    unset "$1"
}
while read -r value text; do
    fault FAKE_PLUGIN "$value" "$text"
done <<'END'
crashes it crashed .* signal 11
exits it ended the process .* status 0
nothing returned NULL
version built for version 7 .* has version 1: rebuild
newer struct variant has .*: rebuild
garbage built for version 1515870810
garbage_behind it crashed
no_name its name is ''
no_families no family
no_variants variants is NULL
empty has no variant
id 'scan/Fake'
old_id a family host/serial already
twice a variant fake already
endless more than 4096 variants
END
while read -r value text; do
    fault FAKE_FIELD "$value" "$text"
done <<'END'
no_launch variant fake of scan/fake: launch is NULL
no_idea idea is no line
control idea is no line
name '../x'
built_in a variant serial already
of_gpus already
device runs_on
no_ops ops are none
ops ops are none
dtypes dtypes are none
passes passes are none
growth error_growth
tile error_tile
END
export FAKE_PLUGIN=hangs
ok 'a hang' says 'not loaded after 0.3 s' "$scanbench" check --timeout 0.3 \
    --device host --plugin fake.so
ok 'its status' status 2 "$scanbench" check --timeout 0.1 --device host \
    --plugin fake.so
FAKE_PLUGIN=prints
"$scanbench" list --plugin fake.so --device host -f fake >out 2>err
ok 'what it prints' grep 'not data' err
ok 'is no data' test "$(grep -c 'not data' out)" -eq 0
unset FAKE_PLUGIN

# ---- any byte of it another: taken or refused, and nothing worse
bytes=$(wc -c <fake.so) at=0 worse=0 refusals=0
while [ "$at" -lt "$bytes" ]; do
    cp fake.so hurt.so
    printf '\377\376\001\200' | dd of=hurt.so bs=1 seek="$at" conv=notrunc \
        2>dd.said
    timeout 30 "$scanbench" list --plugin hurt.so -f fake >out 2>err
    case $? in
    0) ;;
    2) refusals=$((refusals + 1)) ;;
    *) worse=$((worse + 1)) && echo "$at:" && cat err ;;
    esac
    at=$((at + bytes / 101 + 1))
done
ok 'nothing worse' test "$worse" -eq 0
ok 'some were refused' test "$refusals" -gt 0
tally
