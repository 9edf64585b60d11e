#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: what `scanbench report` writes of runs made here, of a
# published one and of a stranger's: whole pages, with the figures of
# `scanbench table` and the verdicts of `scanbench compare`. What a browser
# makes of them is report/test_browser.py's.
set -u
# shellcheck source=harness/cli/made_runs.sh
. "$(realpath "$2")/harness/cli/made_runs.sh"
command -v python3 >/dev/null || { echo 'no python3'; exit 77; }
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

report() { # PAGE RUN...
    to=$1
    shift
    "$scanbench" report "$@" -o "$to"
}

figures() { # PAGE RUN [OTHER]
    "$scanbench" table "$2" --format csv >table.csv || return
    if [ $# -gt 2 ]; then
        "$scanbench" compare "$2" "$3" --format csv --fail-on never \
            >compare.csv 2>err
        case $?:$2 in 0:* | 2:*/hostile/run) ;; *) cat err; return 1 ;; esac
        set -- "$1" "$2" compare.csv
    fi
    python3 "$source/report/test_figures.py" "$1" table.csv ${3:+"$3"}
}

# ---- no room for it: what was there stays
"$scanbench" report base -o kept.html && cp kept.html before.html
ok 'a full disk' sh -c 'ulimit -f 8; trap "" XFSZ; "$1" report base -o kept.html 2>err; \
    test $? -eq 2' - "$scanbench"
ok 'says so' grep 'kept.html: File too large' err
ok 'and leaves the page' cmp kept.html before.html
ok 'and nothing else' test ! -e kept.html.part
ok 'a full device' sh -c '"$1" report base -o /dev/full 2>err; test $? -eq 2' - "$scanbench"
ok 'is one still' test -c /dev/full

# ---- pages
ok 'a run' report one.html base
ok 'has its figures' figures one.html base
for section in answer compare ladder map curves trade trust table; do
    ok "section $section" grep -q "<section id=\"$section\"" one.html
done
for other in slow fast same; do
    ok "against $other" report two.html base $other
    ok 'has the verdicts' figures two.html base $other
done
ok 'three runs' report three.html base slow fast
ok 'in order' says 'base, slow, fast - scanbench' cat three.html
ok 'a slash more' report slash.html base/
ok 'is no other page' cmp one.html slash.html
# shellcheck disable=SC2016 # $1 is the inner shell's
ok 'on stdout' sh -c '"$1" report base >out.html' - "$scanbench"
ok 'is the same' cmp one.html out.html
ok 'published' report default.html "$source/results/h200/default"
ok 'has its figures' figures default.html "$source/results/h200/default"
ok 'and its kernels' says 'Blelloch' cat default.html
mkdir sides && cp -r base sides/1 && cp -r base sides/2
manifest other 'device_name,Other GPU' commit,abc
cell other cumsum v100 50 3
ok 'GPUs' report gpus.html base other
ok 'have ratios only' says '"mode":"ratios"' cat gpus.html

# ---- a stranger's
hostile=$source/tests/hostile/run
ok 'a stranger' report hostile.html "$hostile" "$hostile"
ok 'has the figures' figures hostile.html "$hostile" "$hostile"
name='<script>x="&'"'"
cp -r base "$name"
ok 'a name' report name.html "$name"
ok 'is only text' figures name.html "$name"
ok 'and no markup' says '<title>&#60;script&#62;x=&#34;&#38;&#39; - ' \
    cat name.html

# ---- mistakes
ok 'no run' status 2 "$scanbench" report
ok 'says so' says 'takes a run' "$scanbench" report
ok 'none there' status 2 "$scanbench" report nothing -o x.html
ok 'writes nothing then' test ! -e x.html
ok 'no such folder' status 2 "$scanbench" report base -o no/x.html
ok 'an option' status 2 "$scanbench" report base --format csv
# shellcheck disable=SC2046 # words
ok 'too many' status 2 "$scanbench" report $(yes base | head -n 17) -o x.html
ok 'help' says 'needs no network' "$scanbench" report --help

tally
