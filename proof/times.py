# SPDX-License-Identifier: MIT
"""A chart of times relative to another's."""
import os
import pathlib
import subprocess

import lib


def draw(out, title, subtitle, rows, least):
    """Each row is a label, a median and points (times, number of the colour); `least` is where the
    axis begins. Returns the exit status."""
    data = pathlib.Path(lib.SCRATCH.name, 'points')
    places = dict.fromkeys(  # one point where several coincide
        f'{number} {colour} {times:.3g}\n'
        for number, (_, _, points) in enumerate(rows, 1) for times, colour in points)
    data.write_text(''.join(f'{number} "{label}" {median:.6g}\n' for number, (label, median, _)
                            in enumerate(rows, 1)) + '\n\n' + ''.join(places))
    return subprocess.run(
        [os.environ.get('GNUPLOT', 'gnuplot'), '-c', lib.HERE.parent / 'plots' / 'times.gp',
         out, data, str(len(rows)), subtitle, title, str(least)],
        env={**os.environ, 'LC_ALL': 'C.UTF-8'}, check=False).returncode
