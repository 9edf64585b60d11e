#!/bin/sh
# SPDX-License-Identifier: MIT
#
# RUN...: runs under results/h200, the newest first, a line each; for what takes
# a problem that several have from the first. In the source's root.
for run; do
    printf '%s %s\n' \
        "$(sed -n 's/^utc,//p' "results/h200/$run/manifest.csv")" "$run"
done | sort -r | cut -d ' ' -f 2
