#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: the workflows are sound YAML, and the steps of compare.yml work,
# without a GPU, builds and artifacts: the host measures one small shape once, and
# the other runs are copies of that one.
set -u
scanbench=$(realpath "$1") source=$(realpath "$2")
# shellcheck source=src/base/test.sh disable=SC1091
. "$source/src/base/test.sh"
for need in bash git; do
    command -v $need >/dev/null 2>&1 || {
        echo "skipped: no $need"
        exit 77
    }
done

if command -v yamllint >/dev/null 2>&1; then
    ok 'yamllint' yamllint --strict "$source/docs/ci"
else
    skip 'yamllint is not installed'
fi
if command -v actionlint >/dev/null 2>&1; then
    ok 'actionlint' actionlint "$source"/docs/ci/*.yml
else
    skip 'actionlint is not installed'
fi

# The script of a job's step, without its indentation.
script() { # FILE JOB STEP
    awk -v job="$2" -v step="$3" '
        /^  [a-z]*:$/ { in_job = $1 == job ":" }
        /^      - / { in_step = in_job && $0 == "      - name: " step; run = 0 }
        in_step && /^        run: [^|]/ { sub(/^ *run: /, ""); print }
        in_step && run && (/^          / || /^$/) { print substr($0, 11) }
        in_step && /^        run: [|]$/ { run = 1 }' "$source/docs/ci/$1.yml"
}

# As the runner does: `bash -e`, with the variables of env.
step() { # FILE JOB STEP
    script "$1" "$2" "$3" >step.sh
    [ -s step.sh ] || { echo "no such step"; return 1; }
    if command -v shellcheck >/dev/null 2>&1; then
        shellcheck -s bash step.sh || return
    fi
    PATH=$work/bin:$PATH bash --noprofile --norc -eo pipefail step.sh
}

# Builds are this one: `meson setup BUILD` brings it, and the rest is nothing.
mkdir bin
cat >bin/scanbench <<END
#!/bin/sh
[ "\$1" = run ] || exec '$scanbench' "\$@"
for folder; do :; done # the last word
echo "\$folder" >>'$work/order'
mkdir -p "\${folder%/*}"
[ ! -d '$work/once' ] || exec cp -r '$work/once' "\$folder"
'$scanbench' "\$@" && cp -r "\$folder" '$work/once'
END
cat >bin/meson <<END
#!/bin/sh
[ "\$1" = setup ] || exit 0
mkdir -p "\$2/cli" && ln -s '$work/bin/scanbench' "\$2/cli/scanbench"
END
printf '#!/bin/sh\n' >bin/pip
chmod +x bin/*
export GITHUB_STEP_SUMMARY="$work/summary.md" DEVICE=host PROCESSES=3
export WORDS='-f ^cumsum/serial --shape 3x2049:1 --dtype f32
--budget 0'
for word in DEVICE PROCESSES WORDS; do
    ok "$word is in env" test "$(grep -l "^  $word: " "$source"/docs/ci/*.yml |
        wc -l)" -eq 2
done

# ---- before and after
git init -q head && cd head && git config user.name n && git config user.email e
echo 1 >file && git add file && git commit -qm base
BASE=$(git rev-parse HEAD)
export BASE
echo 2 >file && git commit -qam head
cd "$work" || exit 2
for name in Base Build; do
    ok "$name" step compare compare $name
done
ok 'the base' grep 1 base/file
# All variants on all awkward shapes would take minutes here.
script compare compare Check >check.sh
ok 'Check' grep -q 'scanbench check -q --device ' check.sh
ok 'Measure' step compare compare Measure
ok 'in turns' test "$(sed 's|runs/||' order | tr '\n' ' ')" = \
    'base/1 head/1 head/2 base/2 base/3 head/3 '
ok 'Compare' step compare compare Compare
ok 'its summary' grep -q '^| verdict ' summary.md
ok 'Report' step compare compare Report
ok 'of both' grep -q '<title>base, head - scanbench' runs/report.html

tally
