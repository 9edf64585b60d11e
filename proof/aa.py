#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares one build with itself: two sides of three processes each, over the grid aa in both
cache states. The processes alternate as A B B A A B, so that drift affects both sides, and so does
any effect with a period of two processes, such as the placement in memory. The findings cover all
ways to split the processes into halves.

About 6 minutes on an H200 (six processes, each about a minute)."""
import compare_rates
import lib


PROCESSES = '--processes', {'type': int, 'metavar': 'N', 'default': 3,
                            'help': 'processes per side of aa, 2 to 6 (3)'}


def judge(asked):
    folder = lib.unpacked(asked.results / 'aa')
    for process in range(1, asked.processes + 1):
        for side in 'ab' if process % 2 else 'ba':
            # A complete side may also have all its processes in one folder.
            if not lib.is_complete(folder / side):
                lib.measure(asked, folder / side / str(process), '--seed', str(process),
                            *(asked.plan or ['--grid', 'aa', '--cache', 'cold,hot']))
    return compare_rates.judge([folder])


if __name__ == '__main__':
    lib.run(lambda: judge(lib.parse(__doc__, [PROCESSES])))
