#!/bin/sh
# SPDX-License-Identifier: MIT
#
# registry.sh all|rules REGISTRY POINTS RULES...: prints the library's registry.c,
# with all families that are built except `best`. `rules` keeps the families that are
# within 25 % of the fastest somewhere in a file of rules, those of operators other
# than addition, and the fallbacks: one thread per line, and the plain flip. The
# linker drops all other objects.
set -u
which=$1 registry=$2
shift 2
# shellcheck disable=SC2016 # awk's
awk -v which="$which" '
    function quoted(text) { # its first string
        sub(/^[^"]*"/, "", text)
        sub(/".*/, "", text)
        return text
    }
    # { "scan/thread_per_line", "thread_per_line" "_b" "128", "the idea" },
    FILENAME ~ /points\.c$/ && /^ *\{ "/ {
        id = quoted($0)
        sub(/^[^"]*"[^"]*", "/, "")
        sub(/", ".*/, "")
        gsub(/" *"/, "")
        folder = id
        sub(/\/.*/, "", folder)
        of[folder, $0] = id
        folders[folder] = 1
    }
    FNR == 1 {
        split("", numbered)
    }
    # variant,7,NAME
    FILENAME ~ /\.csv$/ && /^variant,/ {
        split($0, field, ",")
        numbered[field[2]] = field[3]
    }
    # problem,sum,f32,1,8,1,7=0 NAME=12.5: the losses in per cent
    FILENAME ~ /\.csv$/ && /^problem,/ {
        split($0, field, ",")
        kind = field[2] ~ /cum/ ? "scan" : field[2] == "flip" ? "flip" : "reduce"
        count = split(field[7], losses, " ")
        for (k = 1; k <= count; ++k) {
            split(losses[k], loss, "=")
            name = loss[1] in numbered ? numbered[loss[1]] : loss[1]
            if (loss[2] + 0 <= 25 && (kind, name) in of)
                named[of[kind, name]] = 1
        }
    }
    FILENAME ~ /registry\.c$/ {
        if (/^const struct family registry_broken/)
            exit
        id = /^ *\{ "/ ? quoted($0) : ""
        if (id == "" || id ~ /^host\// || (id !~ /^best\// &&
            (which == "all" || id in named || id ~ /\/thread_per_line$/ ||
             /variants__others__/ || id == "flip/element" ||
             id == "stream/masked_copy")))
            print
    }' "$@" "$registry"
