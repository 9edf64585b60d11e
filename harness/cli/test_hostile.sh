#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: what is made of a stranger's run (tests/hostile/run, whose
# every text tries something) under a stranger's names: no command and no
# format runs anything, injects anything, or forges a row.
#
# shellcheck disable=SC2016 # no expansion is meant between single quotes
set -u
scanbench=$(realpath "$1") source=$(realpath "$2")
# shellcheck source=src/base/test.sh
. "$source/src/base/test.sh"
LC_ALL=C
export LC_ALL
controls=$(printf '[\001-\010\013-\037\177]')
c1=$(printf '\302[\200-\237]')
bidi=$(printf '\342\200[\213-\217\250-\256]')

# made STATUS COMMAND...: its output is in out, its messages in err, and
# neither holds what a terminal takes for a command.
made() {
    wanted=$1
    shift
    "$@" >out 2>err
    got=$?
    if [ "$got" -ne "$wanted" ]; then
        echo "status $got, not $wanted"
        head -n 20 err
        return 1
    fi
    tame out && tame err
}

tame() { # FILE
    ! grep -a "$controls" "$1" && ! grep -a "$c1" "$1" && ! grep -a "$bidi" "$1"
}

has() { # PATTERN: out has it
    grep -q -e "$1" out
}

# Code spans apart: no tag, mention, address, link or picture; every row of a
# table has its columns.
safe_markdown() {
    sed 's/`[^`]*`/CODE/g' out >text
    ! grep -e '[<@]' -e '://' -e 'www\.' -e '\](' text &&
        ! grep '``' out && whole_tables
}

whole_tables() {
    awk -F '|' '
        /^\|/ && !inside { columns = NF }
        { inside = /^\|/ }
        inside && NF != columns { print "columns: " $0; wrong = 1 }
        END { exit wrong }' out
}

# Every record has its columns, and no text begins a formula.
safe_csv() {
    awk '
        function split_csv(line,    n, c, quoted) {
            n = 1
            field[1] = ""
            while (line != "") {
                c = substr(line, 1, 1)
                line = substr(line, 2)
                if (c == "\"") quoted = !quoted
                else if (c == "," && !quoted) field[++n] = ""
                else field[n] = field[n] c
            }
            return quoted ? 0 : n
        }
        {
            n = split_csv($0)
            if (NR == 1) columns = n
            if (n != columns) { print "columns: " $0; wrong = 1 }
            for (k = 1; k <= n; ++k)
                if (field[k] ~ /^[=+@-]/ && field[k] !~ /^-[0-9.]/) {
                    print "formula: " field[k]
                    wrong = 1
                }
        }
        END { exit wrong || NR < 2 }' out
}

safe_svg() { # FOLDER
    for chart in "$1"/*.svg; do
        [ -f "$chart" ] || return 1
        ! grep -i -e '<script' -e '<b' -e '<img' -e ']]>' \
            -e "href=['\"][^#]" "$chart" && tame "$chart" || return 1
        if command -v xmllint >/dev/null 2>&1; then
            xmllint --nonet --noout "$chart" || return 1
        fi
    done
}

# Two scripts, and no tag of theirs: all their words stand in the first one.
safe_html() {
    [ "$(grep -c '<script' out)" -eq 2 ] && has '^"\\u003cscript' &&
        ! grep -i -e '<img' -e '<b>' -e ' onerror=.*>' out
}

nothing_ran() {
    [ -z "$(find "$work" "$source" -name 'PWNED*')" ]
}

cp -r "$source/tests/hostile/run" run

# ---- every command and format
ok 'text' made 2 "$scanbench" compare run run --all --top 0
ok 'its rows' has '^unchanged  *cumsum/a|b`c/'
ok 'markdown' made 2 "$scanbench" compare run run --all --top 0 \
    --format markdown
ok 'its rows' has "^| unchanged | .cumsum/a/b'c/"
ok 'is safe' safe_markdown
ok 'csv' made 2 "$scanbench" compare run run --all --format csv
ok 'its rows' has "^[a-z]*,cumsum,'@SUM(A1),"
ok 'is safe' safe_csv
for format in text markdown csv; do
    ok "against, $format" made 2 "$scanbench" compare run --against serial \
        --format $format
    ok 'something' test -s out
    [ $format != markdown ] || ok 'is safe' safe_markdown
    [ $format != csv ] || ok 'is safe' safe_csv
done
ok 'against a stranger' made 2 "$scanbench" compare run --against 'a|b`c' \
    --format markdown
ok 'is safe' safe_markdown
ok 'table' made 0 "$scanbench" table run --all
ok 'its rows' has 'a|b`c  *1[0-9]*\.'
ok 'table as csv' made 0 "$scanbench" table run --format csv
ok 'is safe' safe_csv
ok 'samples' made 0 "$scanbench" show run --samples
ok 'their lines' has '^cumsum/+1+1/f32'
ok 'as markdown' made 0 "$scanbench" show run --samples --format markdown
ok 'is safe' safe_markdown
ok 'as csv' made 0 "$scanbench" show run --samples --format csv
ok 'is safe' safe_csv
ok 'as json' made 0 "$scanbench" show run --samples --format json
ok 'ends no script' test "$(grep -c '<' out)" -eq 0
for name in '<script' '=cmd' '[+]1' '@SUM' 'a.b`c' '@every' '<b onload' forged; do
    ok "show $name" made 0 "$scanbench" show run -f "$name"
    ok 'as markdown' made 0 "$scanbench" show run -f "$name" --format markdown
    ok 'is safe' safe_markdown
    ok 'as csv' made 0 "$scanbench" show run -f "$name" --format csv
    ok 'is safe' safe_csv
    ok 'as json' made 0 "$scanbench" show run -f "$name" --format json
    ok 'ends no script' test "$(grep -c '<' out)" -eq 0
done
for format in github-action-benchmark google-benchmark bencher nvbench-json; do
    ok "export as $format" made 0 "$scanbench" export run --format "$format"
    ok 'has them' has 'CMD\|alert'
    ok 'ends no script' test "$(grep -c '<' out)" -eq 0
done
ok 'export as markdown' made 0 "$scanbench" export run --format markdown
ok 'is safe' safe_markdown
for format in text markdown csv cells; do
    ok "regret, $format" made 0 "$scanbench" regret run --format $format \
        --variant 'a|b`c' --top 0
    ok 'something' test -s out
    [ $format != markdown ] || ok 'is safe' safe_markdown
    [ $format != csv ] && [ $format != cells ] || ok 'is safe' safe_csv
done
ok 'rules know no stranger' made 2 "$scanbench" rules run
ok 'nothing of theirs' grep 'these runs have no rules' err
ladder() { # reads the kernels' headers where it stands
    (cd "$source" && "$scanbench" ladder "$work/run")
}
ok 'ladder' made 0 ladder
ok 'has nothing of theirs' test "$(grep -c 'script\|PWNED\|forged' out)" -eq 0
ok 'report' made 0 "$scanbench" report run
ok 'is safe' safe_html
ok 'convert refuses it' made 2 "$scanbench" convert run -o converted
ok 'and leaves nothing' test ! -e converted
"$scanbench" run --device host --op cumsum --resume run >out 2>err
ok 'resume is refused' grep 'cannot be resumed' err
ok 'is tame' tame err
ok 'nothing ran' nothing_ran

# ---- extents whose product has no 64 bits
cp -r run vast
sed 's/,64,4096,1,/,4294967296,4294967296,4294967296,/' run/cumsum.csv >vast/cumsum.csv
for words in 'table vast' 'table --charts drawn vast' 'show vast' 'report vast' \
    'export vast --format bencher' 'compare vast vast --all' 'regret vast'; do
    # shellcheck disable=SC2086 # words
    "$scanbench" $words >out 2>err
    ok "$words of vast extents" test $? -lt 128
    ok 'says so' grep 'cumsum.csv:2: more than 2^56 elements (the line is left out' err
done

# ---- as many families as cells: their grid has the product of both
cp -r run many
awk -F , -v OFS=, 'NR == 1 { print } NR == 2 { for (k = 1; k <= 20000; ++k) {
    $3 = $4 = "v" k; $6 = k; $25 = k * 32768; print } }' run/cumsum.csv \
    >many/cumsum.csv
ok 'charts of many families' made 0 "$scanbench" table --charts drawn many
ok 'leave some out' grep 'leave 19500 cells out' err

# ---- folders whose names try something
escape=$(printf '\033]0;owned\007')
if command -v gnuplot >/dev/null 2>&1; then
    for name in '<touch PWNED;#' '|touch PWNED;#' '$(touch PWNED)' \
        '`touch PWNED`' '-rf' 'a=b' "';touch PWNED;'" '"; !touch PWNED; "' \
        '{=60 x}^y' '@all'; do
        cp -r run "./$name"
        ok "charts of $name" made 0 env SCANBENCH="$scanbench" \
            "$source/plots/draw.sh" -- "$name"
        ok 'are safe' safe_svg "./$name/plots"
        [ "$name" != '-rf' ] || continue
        ok 'markdown' made 2 "$scanbench" compare "$name" run \
            --format markdown
        ok 'is safe' safe_markdown
    done
    cp -r run "$escape"
    ok 'charts of an escape sequence' made 2 env SCANBENCH="$scanbench" \
        "$source/plots/draw.sh" "$escape"
else
    skip 'charts: no gnuplot'
fi
[ -d "$escape" ] || cp -r run "$escape"
for command in compare show export table regret rules ladder convert report; do
    ok "$command of an escape sequence" made 2 "$scanbench" $command "$escape"
    ok 'says so' grep 'rename' err
done
mkdir outer && cp -r run "outer/$escape" && cp run/sum.csv "run/$escape.csv"
ok 'one inside' made 2 "$scanbench" compare outer run
ok 'a file' made 0 "$scanbench" table run
ok 'nothing ran' nothing_ran

tally
