#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE: the statuses and choices of ./run, with programs in front of PATH that
# record how they are called and end as the test sets.
set -u
source=$(realpath "$1") run=$(realpath "$1")/run
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"

mkdir bin build
cat >bin/meson <<'END'
#!/bin/sh
echo "meson output"
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
chmod +x bin/*
export PATH="$work/bin:$PATH" CALLS="$work/calls" CC=cc SCANBENCH_BUILD="$work/build"

ends() { # STATUS COMMAND...: its calls are in `calls`, its messages in `output`
    : >calls
    status "$@" >output 2>&1 || { cat output; return 1; }
}
no() { ! "$@"; }

ok 'no command' ends 0 sh "$run"
ok 'an unknown command' ends 2 sh "$run" tset
ok 'arguments without --' ends 2 sh "$run" test --suite unit

ok 'refused options' ends 2 env SETUP=1 sh "$run" test
ok 'nothing is built then' no grep '^meson compile' calls
ok 'a failing build' ends 1 env COMPILE=1 sh "$run" test
ok 'nothing is tested then' no grep '^meson test' calls
touch build/build.ninja
ok 'options' ends 0 env SCANBENCH_SETUP='-Da=1 -Db=2' sh "$run" test
ok 'other options' ends 0 env SCANBENCH_SETUP='-Da=3' sh "$run" test
ok 'what the build keeps' grep 'the build keeps -Db=2' output
ok 'and nothing else' no grep 'keeps -Da' output
rm build/build.ninja build/scanbench-setup.txt

ok 'tests' ends 0 sh "$run" test
ok 'were run' grep '^meson test.*--print-errorlogs' calls
ok 'failing tests' ends 3 env TESTS=3 sh "$run" test -- --suite unit
ok 'an unknown suite' ends 2 sh "$run" test -- --suite unitt
ok 'nothing was run' no grep -e --print-errorlogs calls
ok 'a missing gnuplot of the user' ends 0 env GNUPLOT=/nope sh "$run" test
ok 'is not installed' no grep '^installed' calls

# ---- a benchmark: stdout is the run's folder alone; the status shows a failed chart
mkdir -p build/plots build/cli
echo "$work/results" >build/plots/results_dir
cat >build/cli/scanbench <<'END'
#!/bin/sh
mkdir -p "$SCANBENCH_RESULTS/one"
[ "$1" != run ] || echo "$SCANBENCH_RESULTS/one"
[ "$1" = run ] || exit "${REPORT:-0}"
: >"$SCANBENCH_RESULTS/one/manifest.csv"
exit "${SWEEP:-0}"
END
chmod +x build/cli/scanbench
bench() { # STATUS [VARIABLE]...
    wanted=$1
    shift
    status "$wanted" env "$@" GNUPLOT=/nope sh "$run" bench >output &&
        [ "$(cat output)" = "$work/results/one" ]
}
ok 'a benchmark' bench 0
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
