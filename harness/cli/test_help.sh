#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: help by command and by word, which is what the pages say;
# lists other than of ids; and what is said of what cannot run here.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"

said() { # WANTED STATUS, WORDS...: what it says is in out and err
    wanted=$1
    shift
    "$scanbench" "$@" >out 2>err
    got=$?
    [ "$got" -eq "$wanted" ] && return
    echo "status $got, not $wanted"
    cat out err
    return 1
}

has() { # FILE PATTERN
    grep -e "$2" "$1" && return
    echo "no '$2' in:"
    cat "$1"
    return 1
}

# ---- commands
ok 'nothing' said 0
ok 'names the commands' has out '^  scanbench show  '
# shellcheck disable=SC2013 # words
for command in $(sed -n 's/^  scanbench \([a-z]*\)  .*/\1/p' out); do
    [ "$command" != help ] || continue
    ok "help $command" said 0 help "$command"
    mv out by_word
    ok "$command --help" said 0 "$command" --help
    ok "are one" cmp out by_word
    ok "has an example of $command" has out "^  scanbench $command [^ ]"
    ok "$command is short" test "$(wc -l <out)" -lt 72
    ok "$command is narrow" test "$(awk 'length > 80' out | wc -l)" -eq 0
done
ok 'help list' said 0 help list
ok 'has its options' has out '^      --families  '
ok 'and no others' test "$(grep -c -e --budget out)" -eq 0
ok 'version' said 0 --version
ok 'all of it' has out '^scanbench [0-9.]*, commit [^,]*, \(nvcc\|host\) '

# ---- words: those of the pages, in their words
words() { # PAGE FROM TO: WORD<tab>MEANING of the table's rows
    sed -n "/$2/,/$3/p" "$1" | grep '^| `' | tr -d '`' |
        sed 's/^| //; s/ |$//; s/ | /\t/'
}
meanings() { # PAGE FROM TO
    words "$@" | while IFS="$(printf '\t')" read -r names meaning; do
        for name in $(echo "$names" | tr , ' '); do
            "$scanbench" help "$name" | grep -F -- "): $meaning" >/dev/null ||
                echo "$name: $meaning"
        done
    done >wrong
    [ "$(words "$@" | wc -l)" -gt 3 ] && [ ! -s wrong ] && return
    cat wrong
    return 1
}
ok 'statuses' meanings "$source/docs/method.md" '^| status ' '^What was too'
ok 'marks' meanings "$source/docs/method.md" '^| mark ' '^## Cold'
ok 'verdicts' meanings "$source/docs/compare.md" '^| verdict ' '^## What is'
ok 'a column' said 0 help pct_ceiling
ok 'is that' has out '^pct_ceiling (column of <op>.csv): gbps / ceiling_gbps'
ok 'a key' said 0 help ceiling_drift_pct
ok 'an option' said 0 help --processes
ok 'is that' has out '^processes (option): Repeat the run'
ok 'a family' said 0 help chained_scan
ok 'a class' said 0 help few_lines
ok 'a sign' said 0 help %
ok 'a word that is none' said 2 help medain_us
ok 'names the near' has err 'near: median_us'

# ---- lists
ok 'families' said 0 list --families
ok 'each with its idea' test "$(awk 'NR > 1 && NF < 3' out | wc -l)" -eq 0
ok 'also of the host' has out '^host/serial .*one thread'
ok 'some' said 0 list --families --family host
ok 'are those' test "$(sed 1d out | grep -vc '^host/')" -eq 0
ok 'devices' said 0 list --devices
ok 'the host' has out '^host  .* threads '
ok 'shapes' said 0 list --shapes --grid headline
ok 'one per line' has out '^32768x32768x1$'
ok 'of none' said 2 list --shapes --grid aa --dtype f64
ok 'is told so' has err 'no shape of the grid'
ok 'not for run' said 2 run --families
if ! "$scanbench" check --device cuda -f none >out 2>err && [ $? -eq 77 ]; then
    ok 'what is of a GPU' said 2 list --device host -f '^cumsum/decoupled'
    ok 'is told apart' has err 'decoupled.* is a GPU variant'
fi

# ---- guesses
ok 'a capital X' said 2 check --shape 64X64:1
ok 'is told so' has err 'numbers with x between'
ok 'a thousand' said 2 check --shape 1Kx1K:1
ok 'is told so' has err 'numbers with x between'
ok 'JSON' said 2 run --json
ok 'is told so' has err 'show RUN --format json'
ok 'both caches' said 0 run -n --device host -f ^copy/loop/f32 --op copy \
    --shape 1x64x1 --cache cold,hot
ok 'are told apart' test "$(cut -d, -f1,2 out | sort | uniq -d | wc -l)" -eq 0

tally
