#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs all proofs but cost.py, with the options that they share. About 15 minutes on an H200."""
import subprocess
import sys

import lib


def main():
    lib.parse(__doc__)
    worst = 0
    for proof in 'repeat', 'sensitivity', 'agreement', 'aa':
        print(f'## {proof}', flush=True)
        status = subprocess.run([lib.HERE / f'{proof}.py', *sys.argv[1:]], check=False).returncode
        worst = max(worst, status)
        if status in (77, 130):
            return status
    return worst


lib.run(main)
