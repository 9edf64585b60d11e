# SPDX-License-Identifier: MIT
"""SCANBENCH SOURCE: a run and all output from it has no user, path or host name, and
ids only as hashes, which outlive the host's name (docs/security.md)."""
import glob
import os
import pwd
import re
import shutil
import subprocess

import expect
from expect import SOURCE, ok, read, run, skip

WORDS = '--device host --op cumsum --dtype f32 --shape 3x1025:1 -f serial --budget 1'.split()
SECRETS = {'LOGNAME': 'jane-roe', 'USER': 'jane-roe', 'HOSTNAME': 'roe-tower',
           'HOME': '/home/jane-roe', 'PWD': expect.WORK}
ENVIRONMENT = {**os.environ, **SECRETS}
CANNOT = subprocess.run(['unshare', '--uts', 'hostname', 'x'], capture_output=True,
                        check=False).returncode if shutil.which('unshare') else 1


def at(host, *words):
    """On a host of that name, where it can be given one."""
    if CANNOT:
        return run(*words, env=ENVIRONMENT)
    return run('--uts', 'sh', '-c', 'hostname "$0" && exec "$@"', host, expect.SCANBENCH, *words,
               program='unshare', env=ENVIRONMENT)


def said_of(folder):
    """Every file of a run, and the outputs that each command makes of it."""
    texts = {path: read(path) for path in glob.glob(f'{folder}/**/*.csv', recursive=True)}
    for words in ('table', 'show', 'show --format json',
                  'compare --against serial', 'table --format google-benchmark'):
        at('roe-tower', *words.split(), folder)
        texts[words] = expect.out
    at('roe-tower', 'report', folder, '-o', 'report.html')
    return {**texts, 'report': read('report.html')}


ok('a run', at('roe-tower', 'run', *WORDS, '--samples', '-q', '-o', f'{expect.WORK}/run') == 0,
   expect.err)
secrets = {*SECRETS.values(), SOURCE, os.path.dirname(expect.SCANBENCH), os.path.expanduser('~')}
if os.path.exists('/etc/machine-id'):
    secrets.add(read('/etc/machine-id').strip())
secrets = [secret for secret in secrets if len(secret) > 5]
for name, text in said_of('run').items():
    ok(f'{name}: something', text)
    ok(f'{name}: nobody', not any(secret in text for secret in secrets),
       [secret for secret in secrets if secret in text])
names = f'{re.escape(pwd.getpwuid(os.getuid()).pw_name)}|{re.escape(os.uname().nodename)}'
for path in glob.glob('run/*.csv'):
    ok(f'{path}: neither user nor host', not re.search(rf'(?i)\b({names})\b', read(path)), names)
if CANNOT:
    skip('a host of another name: this user cannot give it one')
else:
    os.remove('run/cumsum.csv')
    ok('resumed under another name', at('doe-tower', 'run', '--resume', 'run') == 0, expect.err)
    at('doe-tower', 'run', *WORDS, '-q', '-o', 'other')
    hashes = [expect.grep('^host_hash,', read(f'{folder}/manifest.csv'))
              for folder in ('run', 'other')]
    ok('one hash under both', hashes[0] == hashes[1], hashes)
expect.tally()
