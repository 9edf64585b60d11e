# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: many families in one `check`: which are meant, and what one
that hangs costs the others."""
import re

import expect
from expect import ok, run, transcript

CHECK = {'check': 'check --device host -q --dtype f32 --shape 3x33:1'}


def passed(family):
    transcript(f'0 $check --family {family}', CHECK)
    return int(expect.out.split()[0])


every = passed('host')
ok('a folder is all its families', every == sum(
    passed(f'host/{name}') for name in ('stream', 'serial', 'chunked_two_pass', 'openmp_lines')
    if run('list', '--device', 'host', '--family', f'host/{name}') == 0))
ok('a list is fewer', passed('host/serial,host/stream') < every)
transcript(r'''
2 $check --family host/seri,host => ! 'host/seri'; did you mean host/serial
2 $check --family hos
1 $check --broken --family broken/host_hang,broken/host_operator_bugs -f '/(hang|off_by_one)/' --timeout 0.5 --shape 5x33:1
    ! cells of variants that hung, not tried => ! ^wrong: cumsum/off_by_one
''', CHECK)
ok('a variant hangs once', len(expect.grep('^timeout: ', expect.err)) == 1, expect.err)
transcript(r'''
1 $check --broken -f carry_down --contract monotone,deterministic --shape 4x1000:1 => ! again: .* --contract deterministic --contract monotone$
1 $check --broken -f falls_rarely --shape 1x2200000:1 => ! should be monotone, but
1 $check --must-fail --family host/serial => ! ^not caught: sum/serial
1 $check --broken -f cumsum/off_by_one/f32 --shape 1x4194305x1 => ! ^wrong: .*[0-9]); got [0-9]*$
1 $check --broken -f cumsum/head_of_tile/f32 --shape ragged:5000000:1000:equal => ! ^wrong: .*; expected [-0-9.]*; got [-0-9.]*$
1 $check --broken -f cumsum/off_by_one/f32 --shape 3x5x1 => ! ^wrong: .*; expected [0-9]*; got [0-9]*$
''', CHECK)
# how to see a wrong cell again
again = re.search('^  again: scanbench (.*)$', expect.err, re.M)[1]
transcript(f'1 {again} -q => ^0 passed, 1 failed, 0 skipped')
transcript('''
0 $check --repeat 10
1 $check --repeat 30 => ! launch [0-9]* of 31: 1 of 22 wrong
''', {'check': 'check -q --device host --broken --family broken/host_wrong_reordered --shape 22x1000:1'})
expect.tally()
