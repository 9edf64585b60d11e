#!/bin/sh
# SPDX-License-Identifier: MIT
#
# SOURCE: ./run with a Meson, a package manager and a gnuplot that end as told;
# and it looks for nvcc where the build does.
set -u
source=$(realpath "$1") run=$(realpath "$1")/run
# shellcheck source=src/base/test.sh
. "$(dirname "$(realpath "$0")")/../src/base/test.sh"

mkdir bin build
cat >bin/meson <<'END'
#!/bin/sh
echo "meson speaks"
echo "meson $*" >>"$DONE"
case $* in
--version) echo 1.0.1 ;;
setup*) exit "${SETUP:-0}" ;;
compile*) exit "${COMPILE:-0}" ;;
*--list*unitt*) echo 'No suitable tests defined.'; exit 1 ;;
test*--list*) echo 'scanbench:unit / csv' ;;
test*) exit "${TESTS:-0}" ;;
esac
END
printf '#!/bin/sh\necho "installed $*" >>"$DONE"\n' >bin/apt-get
printf '#!/bin/sh\n' >bin/ninja
printf '#!/bin/sh\n' >bin/nvcc
cp bin/ninja bin/cc
cp bin/ninja bin/g++
chmod +x bin/*

ends() { # STATUS COMMAND...: what it did is in `done`, what it said in `told`
    wanted=$1
    shift
    : >"$work/done"
    env PATH="$work/bin:$PATH" DONE="$work/done" CC=cc \
        SCANBENCH_BUILD="$work/build" "$@" >told 2>&1
    got=$?
    cat told
    [ "$got" -eq "$wanted" ] && return
    echo "status $got, not $wanted"
    return 1
}
did() { grep -e "$1" "$work/done"; }
did_not() { ! did "$1"; }
told() { grep -e "$1" "$work/told"; }

ok 'no command' ends 0 sh "$run"
ok 'its help' told '^Exit status'
ok 'a command that is none' ends 2 sh "$run" tset
ok 'which there are' told 'there are bench, test and help'
ok 'words without --' ends 2 sh "$run" test --suite unit

# ---- configuring and building
ok 'options that are refused' ends 2 env SETUP=1 sh "$run" test
ok 'nothing is built then' did_not '^meson compile'
ok 'a build that fails' ends 1 env COMPILE=1 sh "$run" test
ok 'nothing is tested then' did_not '^meson test'

touch build/build.ninja
ok 'options' ends 0 env SCANBENCH_SETUP='-Da=1 -Db=2' sh "$run" test
ok 'others' ends 0 env SCANBENCH_SETUP='-Da=3' sh "$run" test
ok 'what stays is told' told 'the build keeps -Db=2'
no() { ! "$@"; }
ok 'what is replaced is not' no told 'keeps -Da'
rm build/build.ninja build/scanbench-setup.txt

# ---- tests
ok 'tests' ends 0 sh "$run" test
ok 'were run' did '^meson test.*--print-errorlogs'
ok 'tests that fail' ends 3 env TESTS=3 sh "$run" test -- --suite unit
ok 'a suite that is none' ends 2 sh "$run" test -- --suite unitt
ok 'which there are' told 'suites are unit, host, e2e'
ok 'nothing was run' did_not '--print-errorlogs'

# ---- a benchmark: stdout is the run's folder
mkdir -p build/plots build/cli
echo "$work/results" >build/plots/results_dir
cat >build/cli/scanbench <<'END'
#!/bin/sh
mkdir -p "$SCANBENCH_RESULTS/one"
: >"$SCANBENCH_RESULTS/one/manifest.csv"
echo "swept" >&2
echo "$SCANBENCH_RESULTS/one"
END
chmod +x build/cli/scanbench
bench() {
    env PATH="$work/bin:$PATH" DONE="$work/done" CC=cc \
        SCANBENCH_BUILD="$work/build" sh "$run" bench >bench.out 2>bench.err
    [ "$(cat bench.out)" = "$work/results/one" ] && return
    cat bench.out bench.err
    return 1
}
ok 'a benchmark says its folder' bench
ok 'and all else elsewhere' sh -c \
    'grep -q "meson speaks" bench.err && grep -q swept bench.err'

# ---- a gnuplot that was named is the user's own
ok 'a gnuplot that is not there' ends 0 env GNUPLOT=/nope sh "$run" test
ok 'is told' told 'GNUPLOT names /nope, which is not there'
ok 'nothing is installed' did_not '^installed'
ok 'one that is there' ends 0 env GNUPLOT=true sh "$run" test
ok 'is not told' sh -c '! grep gnuplot told'

# ---- nvcc's homes, in two languages
sed -n 's/:-//g; s/.*for home in \(.*\); do/\1/p' "$source/.ci/provide.sh" |
    tr -d '{}' >homes
sed -n "s/.*\\\\n\" \(.*\)',\$/\1/p" "$source/variants/cuda/meson.build" \
    >homes.meson
ok 'homes' grep -q CUDA_HOME homes
ok 'of both' diff homes homes.meson

tally
