#!/bin/sh
# SPDX-License-Identifier: MIT
#
# kill_matrix.sh [--device cuda|host] [MECHANISM...]: switches off one mechanism of the
# verifier after the other in a copy of the tree, and prints which planted bugs a command
# misses then: MECHANISM|COMMAND|BUG|what caught it with all of them.
# SCANBENCH_SETUP: options for `meson setup`.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)

# NAME|FILE|the sed script that switches the mechanism off there
mechanisms() {
    cat <<'END'
exact|src/verify/input_line.h|/case INPUT_EXACT:/{n;s/return.*/return false;/}
special|src/verify/input_line.h|/case INPUT_SPECIAL:/{n;s/return/return 0 \&\&/}
bits|src/verify/input_line.h|/case INPUT_BITS:/{n;s/return.*/return false;/}
nonfinite|harness/measure/nonfinite.c|/^void job_contain/,/^}/s/if (!plan/if (true || !plan/
rising|harness/measure/rising.c|s/if (run->report->status/if (true || run->report->status/
poison|harness/measure/buffers.c|/^const char \*buffers_poison/,/^}/s/return why ? why/return true ? why/
guards|harness/measure/job_verify.c|/^bool job_guards_intact/,/^}/s/if (!where)/if (true)/
nan_guards|harness/measure/buffers.c|/^static void add_input/,/^}/s/POISON_BYTE/0/
input|harness/measure/job_verify.c|s/if (result.input_changed)/if (false)/
garbage|harness/measure/buffers.c|/^const char \*buffers_garbage/,/^}/s/return buffers/if (true) return NULL; return buffers/
sets|harness/measure/buffers.c|s/? BUFFER_SETS :/? 1 :/
checks|harness/measure/job_sample.c|/^static bool checks_output/,/^}/s/return/return 0 \&\&/
small|harness/measure/job_sample.c|s/SMALL_SAMPLES = 128/SMALL_SAMPLES = 0/
bits_same|harness/measure/job_verify.c|s/run->cell->variant->deterministic)$/0)/
canary|harness/measure/job_sample.c|/^static bool canary_possible/,/^}/s/return/return 0 \&\&/
batch|harness/measure/job_sample.c|/^static void finish_batch/,/^}/s/if (run->cell->ranks/if (true || run->cell->ranks/
changed|harness/measure/measure.c|s/draw_version(&g->m->check_seed)/0/
every|harness/measure/buffers.c|/^struct input buffers_input/,/^}/s/input_is_rare(input.version) ^ (set & 1)/true/
few|harness/measure/buffers.c|/^struct input buffers_input/,/^}/s/input_is_rare(input.version) ^ (set & 1)/false/
repeat|harness/measure/job_verify.c|/^static const char \*ready/,/^}/s/const size_t from/if (true) return NULL; const size_t from/
gate|harness/measure/measure.c|s/if (report->waits == report->count && !t/if (false \&\& !t/
clock|harness/measure/job_sample.c|/^bool job_hides_work/,/^}/s/return/return 0 \&\&/
float_mode|src/verify/float_mode.h|/^static inline bool float_mode_[a-z]*_default/,/^}/s/return.*/return true;/
END
}

# WORDS...: a command on planted bugs; its messages, as tests/caught.awk has them
bugs() {
    "$work/tree/build/cli/scanbench" "$@" -q --broken --device "$device" 2>"$work/err" \
        >"$work/out" || :
    awk -f "$source/tests/caught.awk" "$work/err"
}

timed() { # WORDS...: a run of small cells
    rm -rf "$work/run"
    bugs run --op cumsum --dtype f32 --budget 0 -o "$work/run" "$@"
}

each_seed() { # caught only if it is with each
    for seed in 1 2 3 4 5 6 7 8; do
        SCANBENCH_CHECK_SEED=$seed timed -f cumsum/skips_tenth --shape 1x262144:1
    done | sort | uniq -c | awk '$1 == 8 { sub(/^ *8 /, ""); print }'
}

# COMMAND|BUG|WORDS of all that is caught
cases() {
    bugs check --must-fail --family broken --timeout "$limit" | sed 's/^/check|/'
    bugs check -f 'cumsum/(serial|thread_per_line|unwritten_output)/f32' --op cumsum \
        --dtype f32 --shape 3x33:1 | sed 's/^/check beside a right variant|/'
    bugs check -f "cumsum/($long)/f32" --op cumsum --dtype f32 --shape 1x1100000:1 |
        sed 's/^/check of a long line|/'
    timed -f "cumsum/($small)/" --shape 3x33:1 --cache cold | sed 's/^/run cold|/'
    timed -f "cumsum/($small)/" --shape 3x33:1 --cache hot | sed 's/^/run hot|/'
    timed -f cumsum/wrong_hundredth --shape "$six" | sed 's/^/run of six cells|/'
    each_seed | sed 's/^/run with eight seeds|/'
}
six=3x33:1,3x34:1,3x35:1,3x36:1,3x37:1,3x38:1
long='changes_input|coarse_carry|long_axis|remembers|knows_a_part|skips_tenth'
small='wrong_third|wrong_fifth|rests|remembers|remembers_pointer|skips_unless_poisoned'
small="$small|skips_close_behind|copies_last_output|knows_one_buffer|nondeterministic"
small="$small|changes_input|works_when_asked|writes_past_end|side_stream|waits_in_launch"

die() {
    echo "kill_matrix: $1" >&2
    exit 2
}

device=host
if [ "${1-}" = --device ]; then device=$2 && shift 2; fi
if [ "$device" = host ]; then limit=5 setup=-Dcuda=disabled; else limit=60 setup=''; fi
export SCANBENCH_CHECK_SEED=0 SCANBENCH_HOST_CACHE=4M OMP_WAIT_POLICY=passive
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
tar -C "$source" --exclude='./build*' --exclude=./.git --exclude='./results/h*' -cf - . |
    tar -C "$work/tree" -xf -
# shellcheck disable=SC2086
meson setup $setup ${SCANBENCH_SETUP-} "$work/tree/build" "$work/tree" >"$work/log" || die "$(cat "$work/log")"
ninja -C "$work/tree/build" cli/scanbench >"$work/log" || die "$(cat "$work/log")"
cases | sort >"$work/whole"
mechanisms | while IFS='|' read -r name file script; do
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    sed -i "$script" "$work/tree/$file"
    ! cmp -s "$source/$file" "$work/tree/$file" || die "$name is not in $file"
    ninja -C "$work/tree/build" cli/scanbench >"$work/log" || die "$name: $(cat "$work/log")"
    cases | sed 's/[^|]*$//' >"$work/without"
    grep -vFf "$work/without" "$work/whole" | sed "s/^/$name|/" || : # nothing is missed
    cp "$source/$file" "$work/tree/$file"
done
