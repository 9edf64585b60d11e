#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE: the sources keep the rules of CONTRIBUTING.md. What is allowed there
# and not needed fails, too. The checks themselves are tried on a small tree
# that breaks every rule.
# shellcheck disable=SC2016 # the backticks are Markdown
set -u
here=$(cd "$1" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

section() { # HEADING: of CONTRIBUTING.md, without its code
    awk -v heading="## $1" '
        /^## / { inside = $0 == heading }
        inside' CONTRIBUTING.md
}

sources() {
    # shellcheck disable=SC2046 # words
    find $(ls -d src variants harness lib proof report tests 2>/dev/null) -name '*.c' -o \
        -name '*.h' -o -name '*.cu' -o -name '*.cuh' -o -name '*.inc' | sort
}

# Rows "| `FOLDER/` | `WORD` ... |": beside a file's own folder, FOLDER/ (its
# files) or one header.
check_includes() {
    section 'Who may know whom' | grep '^| `' | cut -d '|' -f 2,3 |
        tr -d '|`,' >"$work/rules"
    # shellcheck disable=SC2046 # no source has a blank in its name
    grep -H '^ *# *include "' $(sources) |
        sed 's/: *# *include "/ /; s/".*//' >"$work/includes"
    awk '
        function folder(path) { sub(/[^\/]*$/, "", path); return path }
        FNR == NR {
            rules[$1] = 1
            for (k = 2; k <= NF; ++k)
                may[$1, k] = $k
            count[$1] = NF
            next
        }
        {
            own = folder($1)
            if (!(own in rules)) {
                print "FAILED: " $1 ": no row of CONTRIBUTING.md is " own
                next
            }
            found = folder($2) == own
            for (k = 2; k <= count[own]; ++k) {
                word = may[own, k]
                if (word == $2 || word == folder($2))
                    found = used[own, k] = 1
            }
            if (!found)
                print "FAILED: " $1 " may not include " $2
        }
        END {
            for (own in rules)
                for (k = 2; k <= count[own]; ++k)
                    if (!((own, k) in used))
                        print "FAILED: nothing in " own " includes " \
                            may[own, k] ", which CONTRIBUTING.md allows"
        }' "$work/rules" "$work/includes"
}

# What is left when those that include nothing, and those that nothing includes,
# are taken away again and again. A header that the table names stands alone.
check_circles() {
    awk '
        function room(path) {
            if (!(path in named))
                sub(/[^\/]*$/, "", path)
            return path
        }
        FNR == NR {
            for (k = 2; k <= NF; ++k)
                if ($k !~ /[\/*]$/)
                    named[$k] = 1
            next
        }
        room($1) != room($2) {
            from[$0] = room($1)
            to[$0] = room($2)
        }
        END {
            do {
                split("", includes)
                split("", included)
                for (k in from) {
                    includes[from[k]] = 1
                    included[to[k]] = 1
                }
                again = 0
                for (k in from)
                    if (!(from[k] in included) || !(to[k] in includes)) {
                        delete from[k]
                        delete to[k]
                        again = 1
                    }
            } while (again)
            for (k in from)
                text = text "; " k
            if (text)
                print "FAILED: a circle of includes: " substr(text, 3)
        }' "$work/rules" "$work/includes"
}

# "- `NAME`: why" lists what two files may share as a name.
check_names() {
    section Names | sed -n 's/^- `\([a-z0-9_]*\)`: .*/\1/p' >"$work/allowed"
    sources | sed 's/\.[a-z]*$//' | sort -u |
        awk '
        FILENAME != "-" { allowed[$0] = 1; next }
        {
            name = $0
            sub(/.*\//, "", name)
            # a method, in the folders of kernels
            kernels = /^variants\/(scan|sum|flip|common)\//
            if (name in first && !(kernels && of_kernels[name])) {
                if (!(name in allowed))
                    print "FAILED: " first[name] " and " $0 " share a name"
                used[name] = 1
            } else if (!(name in first)) {
                first[name] = $0
                of_kernels[name] = kernels
            }
        }
        END {
            for (name in allowed)
                if (!(name in used))
                    print "FAILED: no two files share the name " name
        }' "$work/allowed" -
}

# "- why: `NAME`, `NAME`", over several lines, lists what may be longer than 60
# lines.
check_lengths() {
    section 'Long functions' | grep -E '^(- |  )' | grep -o '`[a-z0-9_]*`' |
        tr -d '`' >"$work/allowed"
    # shellcheck disable=SC2046 # no source has a blank in its name
    awk '
        FILENAME == ARGV[1] { allowed[$1] = 1; next }
        FNR == 1 { open = first = 0; head = "" }
        /^[A-Za-z_]/ && !first { first = FNR }
        !open && (/^$/ || /^#/ || /;$/ || /\*\/$/) { first = 0; head = "" }
        first && !open { head = head " " $0 }
        /^\{$/ && first { open = first }
        /^}/ {
            lines = FNR - open + 1
            if (open && lines > 60) {
                gsub(/__launch_bounds__\([^()]*(\([^()]*\))*[^()]*\)/, "", head)
                match(head, /[A-Za-z_0-9]+\(/)
                name = substr(head, RSTART, RLENGTH - 1)
                used[name] = 1
                if (!(name in allowed))
                    print "FAILED: " FILENAME ": " name " has " lines " lines"
            }
            open = first = 0
            head = ""
        }
        END {
            for (name in allowed)
                if (!(name in used))
                    print "FAILED: " name " is not long any more"
        }' "$work/allowed" $(sources)
}

check_scripts() {
    # shellcheck disable=SC2046 # words
    for script in $(ls run .ci/run 2>/dev/null) \
        $(find $(ls -d .ci src variants harness lib proof plots report tests 2>/dev/null) \
            -name '*.sh'); do
        case $script in
        */test*.sh) most=250 ;;
        *) most=150 ;;
        esac
        lines=$(($(wc -l <"$script")))
        [ "$lines" -le $most ] || echo "FAILED: $script has $lines lines"
    done
}

bans() { # WHAT PATTERN FILE...
    what=$1
    shift
    grep -lE "$@" /dev/null | sed "s/\$/ has $what/; s/^/FAILED: /"
}

# Broken variants and tests may do what is to be found out.
# shellcheck disable=SC2086,SC2046 # no source has a blank in its name
check_bans() {
    own=$(sources | grep -vE '/(broken|fuzz)/|/test_|/fake_')
    kernels=$(echo "$own" | grep '^variants/')
    bans 'stdio, allocation or timing' \
        '<(stdio|stdlib|time|chrono|iostream|sys/time)' $kernels
    bans 'a call that prints, allocates or times' \
        'cuda(Malloc|Free|Event)|[^a-z_](printf|malloc|calloc|free) *\(' $kernels
    bans CUDA '__global__|<cuda|cuda[A-Z][A-Za-z]*\(' \
        $(echo "$own" | grep -vE '^(variants|harness/device)/|^lib/gpu_cuda')
    bans CUB '<cub/|cub::' $(echo "$own" | grep -v '/cub_')
    bans 'a figure' '[0-9] *[GT](B/s|FLOP|Hz)|peak[a-z_]* *= *[0-9]' \
        $(find $(ls -d plots proof 2>/dev/null) -type f ! -name 'test_*')
}

check_all() {
    check_bans
    check_includes
    check_circles
    check_names
    check_lengths
    check_scripts
}

# ---- a tree that breaks every rule
mkdir -p "$work/tree/src/base" "$work/tree/src/runs" "$work/tree/variants" \
    "$work/tree/harness"
cd "$work/tree" || exit 2
printf '## %s\n\n| `src/base/` | `src/idle.h` |\n| `src/runs/` | `src/base/` |\n' \
    'Who may know whom' >CONTRIBUTING.md
printf '## Names\n\n- `idle`: no\n\n## Long functions\n\n- no: `idle`\n' \
    >>CONTRIBUTING.md
printf '#include "src/runs/up.h"\n' >src/base/twin.c
awk 'BEGIN { print "#include \"src/base/twin.h\"\n\nint tall(void)\n{"
    for (k = 0; k < 58; ++k) print "    ;"
    print "}" }' >src/runs/twin.c
printf '#include "src/base/twin.h"\n' >harness/lost.c
mkdir plots
printf 'cudaFree(cub::x);\n#include <stdio.h>\n' >variants/banned.cu
printf 'cudaFree(x);\n' >src/base/banned.c
printf 'peak = 4800\n' >plots/banned.gp
yes : | head -n 151 >harness/long.sh
yes : | head -n 251 >harness/test_long.sh
yes : | head -n 250 >harness/test_tall.sh
check_all >"$work/said"
wanted='src/base/twin.c may not include|no row of CONTRIBUTING.md is harness/'
wanted="$wanted|nothing in src/base/ includes|share a name|the name idle"
wanted="$wanted|a circle of includes|tall has 61 lines|idle is not long"
wanted="$wanted|banned.*has (stdio|a call|CUDA|CUB|a figure)"
wanted="$wanted|/long.sh has 151 lines|/test_long.sh has 251 lines"
found=$(grep -cE "$wanted" "$work/said")
if [ "$found" -ne 16 ] || [ "$(wc -l <"$work/said")" -ne 16 ]; then
    echo "FAILED: of 16 faults planted, these were seen:"
    cat "$work/said"
    exit 1
fi

# ---- our own
cd "$here" || exit 2
check_all >"$work/said"
cat "$work/said"
! grep -q . "$work/said"
