# shellcheck shell=sh
# SPDX-License-Identifier: MIT
#
# For ./run and .ci/run: messages, and installs packages that the build lacks.

say() {
    printf 'run: %s\n' "$@" >&2
}

die() {
    say "$@"
    exit 2
}

have() {
    command -v "$1" >/dev/null 2>&1
}

# ---- what is missing -------------------------------------------------------

# A compiler may lack its headers: use it.
compiles() { # COMPILER LANGUAGE HEADER
    have "$1" && printf '#include <%s>\n' "$3" |
        "$1" -x "$2" -fsyntax-only - >/dev/null 2>&1
}

have_cc() {
    if [ -n "${CC:-}" ]; then
        have "${CC%% *}"
    else
        compiles cc c stdio.h || compiles gcc c stdio.h ||
            compiles clang c stdio.h
    fi
}

have_nvcc() {
    have nvcc && return
    for home in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /opt/cuda; do
        [ ! -x "$home/bin/nvcc" ] || return 0
    done
    return 1
}

# Prints what is missing, such as `cc g++ ninja xz`. nvcc's host compiler is g++.
missing() {
    have_cc || printf 'cc '
    ! have_nvcc || [ -n "${NVCC_CCBIN:-}" ] || compiles g++ c++ cmath ||
        printf 'g++ '
    have meson || printf 'meson '
    have ninja || have ninja-build || have samu || printf 'ninja '
    have xz || printf 'xz '
}

# ---- installing it ---------------------------------------------------------

packages() { # MANAGER THING…: the packages that bring the things
    manager=$1
    shift
    for thing; do
        case $manager:$thing in
        apt-get:cc) printf ' gcc libc6-dev' ;;
        dnf:cc) printf ' gcc' ;;
        dnf:g++) printf ' gcc-c++' ;;
        *:ninja) printf ' ninja-build' ;;
        apt-get:xz) printf ' xz-utils' ;;
        apt-get:gnuplot) printf ' gnuplot-nox fonts-dejavu-core' ;;
        dnf:gnuplot) printf ' gnuplot dejavu-sans-fonts' ;;
        *) printf ' %s' "$thing" ;;
        esac
    done
}

# Sets manager, and become to the command that makes us root; fails without either.
# sudo may ask for a password only in a terminal.
can_install() {
    for manager in apt-get dnf ''; do
        ! have "$manager" || break
    done
    [ "$manager" ] || return
    become=''
    [ "$(id -u)" -ne 0 ] || return 0
    become=sudo
    have sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }
}

install_command() { # PREFIX THING…
    prefix=$1
    shift
    if [ "$manager" = apt-get ]; then
        printf '%sapt-get update && %s%s apt-get install -y %s%s\n' \
            "$prefix" "$prefix" 'env DEBIAN_FRONTEND=noninteractive' \
            --no-install-recommends "$(packages apt-get "$@")"
    else
        printf '%sdnf install -y%s\n' "$prefix" "$(packages dnf "$@")"
    fi
}

install_things() { # THING…
    line=$(install_command "${become:+sudo }" "$@")
    say "installing: $line"
    sh -c "$line" >&2
}

provide() {
    things=$(missing)
    if [ -n "$things" ]; then
        # shellcheck disable=SC2086 # words
        if can_install; then
            install_things $things
        elif [ -z "$manager" ]; then
            die "missing: $things" "install them, then run this again"
        else
            die "missing: $things" "as root: $(install_command '' $things gnuplot)"
        fi
        things=$(missing)
        [ -z "$things" ] || die "still missing: $things"
    fi
    version=$(meson --version)
    case $version in
    0.*) die "Meson $version is too old, 1.0 is needed. With python3-pip:" \
        "python3 -m pip install --upgrade 'meson>=1.0'" ;;
    esac
    if [ -n "${GNUPLOT:-}" ]; then
        have "$GNUPLOT" ||
            say "GNUPLOT names $GNUPLOT, which is not there: no charts now"
    elif ! have gnuplot && ! { can_install && install_things gnuplot; }; then
        say "no gnuplot, hence no charts now: they can be drawn later"
    fi
}

# Makes a python3 for the tests: wheels, arrays, and torch if the disk has room for it.
provide_python() { # FOLDER
    python3 -m venv --system-site-packages "$1" >&2 || return
    for words in 'setuptools wheel' 'numpy jax'; do
        # shellcheck disable=SC2086 # words
        timeout 300 "$1/bin/python3" -m pip -q install $words >&2 ||
            say "not to be had: $words"
    done
    "$1/bin/python3" -c 'import torch' 2>/dev/null ||
        { [ "$(df -Pk "$1" | awk 'END { print $4 }')" -gt 16000000 ] &&
            timeout 600 "$1/bin/python3" -m pip -q install --no-cache-dir torch >&2; } ||
        say 'not to be had: torch (6 GB, of 16 that are to be free)'
}
