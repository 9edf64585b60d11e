#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SCANBENCH SOURCE: the workflows are sound YAML, their commands exist, and the steps of
# compare.yml and the lines for a repository of one's own work, without a GPU, builds
# and artifacts: the host measures one small shape once, and the other runs are copies
# of that one.
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

lint() { # PROGRAM WORDS...
    if command -v "$1" >/dev/null 2>&1; then
        ok "$*" "$@"
    else
        skip "$1 is not installed"
    fi
}

# The scripts of all steps of a job but Check, which would take minutes, each in a
# subshell: of lines `run: COMMAND` and `run: |`.
job() { # FILE JOB
    awk -v job="$2" '
        function end() { if (run) print ")"; run = 0 }
        /^  [a-z]*:$/ { end(); in_job = $1 == job ":" }
        /^      - / { end(); in_step = in_job && !/name: Check$/ }
        run { print substr($0, 11) }
        in_step && /^        run: / {
            run = 1
            print "("
            if (!/[|]$/)
                print substr($0, 14)
        }
        END { end() }' "$source/docs/ci/$1.yml"
}

lint yamllint --strict "$source/docs/ci"
for words in 'compare compare' 'gpus measure' 'gpus compare' 'nightly architectures'; do
    # shellcheck disable=SC2086 # words
    job $words >"${words% *}_${words#* }.sh"
    lint shellcheck -s bash "${words% *}_${words#* }.sh"
done
for command in $(grep -ho 'cli/scanbench"* [a-z]*' "$source"/docs/ci/*.yml |
    sed 's/.* //' | sort -u); do
    ok "$command" "$scanbench" help "$command"
done

# ---- builds are this one: `meson setup BUILD` brings it, and the rest is nothing
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
chmod +x bin/*
export GITHUB_STEP_SUMMARY="$work/summary.md" DEVICE=host PROCESSES=3
export WORDS='-f ^cumsum/serial --shape 3x2049:1 --dtype f32
--budget 0'
git init -q head && cd head && git config user.name n && git config user.email e
echo 1 >file && git add file && git commit -qm base
BASE=$(git rev-parse HEAD)
export BASE
echo 2 >file && git commit -qam head
cd "$work" || exit 2
ok 'compare.yml' env PATH="$work/bin:$PATH" bash --noprofile --norc -eo pipefail compare_compare.sh
ok 'the base' grep 1 base/file
ok 'alternately' test "$(sed 's|runs/||' order | tr '\n' ' ')" = \
    'base/1 head/1 head/2 base/2 base/3 head/3 '
ok 'a summary' grep -q '^BASE: .runs/base' summary.md
ok 'a report of both' grep -q '<title>base, head - scanbench' runs/report.html

# ---- docs/ci.md: a kernel and a function in one's own repository, here for the host
recipe() { # NUMBER PREFIX: that one of the page, in a new repository of the folder's files
    rm -rf ../once ../order
    awk -v number="$1" '/^set -e$/ { ++recipes }
        /^```$/ { if (recipes == number) exit }
        recipes == number' "$source/docs/ci.md" | sed "s/--grid headline/--shape 3x2049:1 --budget 0/
        s/ -q/& --device host/; s/check.*my_idea/& --op sum --dtype f32/
        s/-on unclear/-on slower/" >own.sh
    lint shellcheck -s sh -e SC2086 own.sh
    git init -q . && git config user.name n && git config user.email e
    git add . && git commit -qm base && git branch -q origin/main
    ok "recipe $1 of ci.md" env PATH="$work/bin:$PATH" SOURCE="$source" PREFIX=/usr sh own.sh
    ok 'alternately' test "$(sed 's|runs/||' ../order | tr '\n' ' ')" = \
        'base/1 head/1 head/2 base/2 base/3 head/3 head/4 base/4 base/5 head/5 '
}
cat >bin/nvcc <<'END'
#!/bin/sh
while [ "$1" != -I ]; do shift; done
exec cc -shared -fPIC "-I$SOURCE" -x c "$3" -o "$5"
END
chmod +x bin/nvcc
mkdir own && cd own || exit 2
"$scanbench" new host/my_idea >/dev/null 2>&1
sed 's|host/my_idea|scan/my_idea|' my_idea.c >my_idea.cu
recipe 1
mkdir ../function && cd ../function || exit 2
if "${SCANBENCH_PYTHON:-python3}" -c 'import numpy' 2>/dev/null; then
    printf 'import numpy\ndef scan(x, dim): return numpy.cumsum(x, dim)\n' >mine.py
    recipe 2
else
    skip 'no NumPy'
fi
tally
