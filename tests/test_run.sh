#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE: the statuses and choices of ./run, with programs in front of PATH that
# record how they are called and end as the test sets.
set -u
source=$(realpath "$1") run=$(realpath "$1")/run
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"

mkdir -p bin build/plots build/cli
cat >bin/meson <<'END'
#!/bin/sh
echo "meson $*" >>"$CALLS"
case $* in
--version) echo 1.0.1 ;;
setup*) exit "${SETUP:-0}" ;;
compile*) exit "${COMPILE:-0}" ;;
*--list*unitt*) echo 'No suitable tests defined.'; exit 1 ;;
test*--list*) echo 'scanbench:unit / csv' ;;
test*) exit "${TESTS:-0}" ;;
esac
END
printf '#!/bin/sh\necho "installed $*" >>"$CALLS"\n' >bin/apt-get
for name in ninja nvcc cc g++; do
    printf '#!/bin/sh\n' >bin/$name
done
echo "$work/results" >build/plots/results_dir
cat >build/cli/scanbench <<'END'
#!/bin/sh
mkdir -p "$SCANBENCH_RESULTS/one"
[ "$1" != run ] || echo "$SCANBENCH_RESULTS/one"
[ "$1" = run ] || exit "${REPORT:-0}"
: >"$SCANBENCH_RESULTS/one/manifest.csv"
exit "${SWEEP:-0}"
END
chmod +x bin/* build/cli/scanbench
export PATH="$work/bin:$PATH" CALLS="$work/calls" CC=cc SCANBENCH_BUILD="$work/build" GNUPLOT=/nope

# Runs ./run with WORDS; CALLED is a pattern of the calls, or !PATTERN of none.
ends() { # STATUS CALLED VARIABLES -- WORDS...
    wanted=$1 called=$2 variables=$3
    shift 4
    : >calls
    # shellcheck disable=SC2086 # words
    status "$wanted" env $variables sh "$run" "$@" >output 2>&1 || { cat output; return 1; }
    case $called in
    !*) ! grep -e "${called#!}" calls ;;
    *) grep -e "$called" calls ;;
    esac
}

ok 'no command' ends 0 !. '' --
ok 'an unknown command' ends 2 !. '' -- tset
ok 'arguments without --' ends 2 !. '' -- test --suite unit
ok 'refused options' ends 2 '!^meson compile' SETUP=1 -- test
ok 'a failing build' ends 1 '!^meson test' COMPILE=1 -- test
ok 'tests' ends 0 '^meson test.*--print-errorlogs' '' -- test
ok 'a missing gnuplot is not installed' ends 0 !^installed '' -- test
ok 'failing tests' ends 3 '^meson test.*--suite unit' TESTS=3 -- test -- --suite unit
ok 'an unknown suite' ends 2 !--print-errorlogs '' -- test -- --suite unitt
touch build/build.ninja
ok 'options' ends 0 '--reconfigure.*-Da=1' SCANBENCH_SETUP=-Da=1 -- test
ok 'other options' ends 0 '--reconfigure.*-Dc=2' SCANBENCH_SETUP=-Dc=2 -- test
ok 'the option that the build keeps' grep 'the build keeps -Da=1' output

# ---- a benchmark: stdout is the run's folder alone; the status shows a failed chart
bench() { # STATUS VARIABLE
    status "$1" env "$2" sh "$run" bench >output && [ "$(cat output)" = "$work/results/one" ]
}
ok 'a benchmark' bench 0 SWEEP=0
ok 'a failing report' bench 1 REPORT=2
ok 'wrong cells' bench 1 SWEEP=1
ok 'an interrupt' bench 130 SWEEP=130

# ---- ./run and the build search nvcc in the same folders
sed -n 's/:-//g; s/.*for home in \(.*\); do/\1/p' "$source/.ci/provide.sh" |
    tr -d '{}' >homes
sed -n "s/.*\\\\n\" \(.*\)',\$/\1/p" "$source/variants/cuda/meson.build" \
    >homes.meson
ok 'homes' grep -q CUDA_HOME homes
ok 'the same homes' diff homes homes.meson
tally
