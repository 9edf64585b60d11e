# SPDX-License-Identifier: MIT
"""Helpers of the tests in Python, as src/base/test.h has for those in C. A test's
arguments are SCANBENCH SOURCE; it runs in an empty folder, which is removed at its
end.

    transcript(r'''
    1 compare base slow => ^4 slower, 4 unchanged$
        ! a line of stderr
    ''')

runs each line's command, and expects its status and a line of stdout that matches
each pattern, which is one of grep's; `! ` stands for stderr, `@ FILE ` for a file,
`- `, `-! ` and `-@ FILE ` for no such line, `# N ` for N such lines of stdout."""
import atexit
import csv
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ARGUMENTS = [os.path.realpath(word) for word in sys.argv[1:]]  # before it goes elsewhere
SCANBENCH, SOURCE = ARGUMENTS[:2]
COUNT = {True: 0, False: 0}
# nohup, which CI may stand under, ignores it, and children would, too.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
os.environ.setdefault('SCANBENCH_CHECK_SEED', '0')  # tests draw the same every time
os.chdir(tempfile.mkdtemp())
WORK = os.getcwd()
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
out = err = ''


def ok(what, good, *seen):
    COUNT[bool(good)] += 1
    if not good:
        print('FAILED:', what, *seen, sep='\n')


def grep(pattern, text):
    """The lines of the text that match the pattern."""
    pattern = re.sub(r'(\\?)([+?|(){}])|(?<=[^[\\])\^',
                     lambda m: m[2] if m[1] else '\\' + (m[2] or '^'), pattern)
    return [line for line in text.splitlines() if re.search(pattern, line)]


def run(*words, program=SCANBENCH, timeout=600, **how):
    """Returns the exit status; stdout and stderr are in out and err."""
    global out, err
    how = {'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **how}
    done = subprocess.run([program, *words], stdin=subprocess.DEVNULL, timeout=timeout,
                          check=False, **how)
    out, err = ((text or b'').decode('utf-8', 'replace') for text in (done.stdout, done.stderr))
    return done.returncode


def start(*words, stderr=subprocess.DEVNULL):
    """In the background."""
    return subprocess.Popen([SCANBENCH, *words], stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=stderr)


def until(seen_yet, seconds=60):
    end = time.monotonic() + seconds
    while not seen_yet() and time.monotonic() < end:
        time.sleep(0.05)


def seen(pattern):
    kind, text = re.fullmatch(r'(?:(!|-!?|#|-?@) )?(.*)', pattern).groups(default='')
    where, _, rest = text.partition(' ')
    if kind == '#':
        return len(grep(rest, out)) == int(where)
    if '@' in kind:
        found = grep(rest, read(where))
    else:
        found = grep(text, err if '!' in kind else out)
    return not found if '-' in kind else found


def transcript(script, words=None, after=None, **how):
    """$NAME in the script stands for words[NAME]; after() must be true for each
    command's words."""
    command = ''
    for name, word in (words or {}).items():
        script = script.replace(f'${name}', word)
    for line in script.strip('\n').split('\n'):
        patterns = line.strip(' ').split(' => ')
        if not line.startswith('    '):
            command = patterns.pop(0)
            wanted, words = command.split(' ', 1)
            words = shlex.split(words)
            status = run(*words, **how)
            ok(command, status == int(wanted), f'status {status}', out, err)
            if after:
                ok(f'{command}: {after.__name__}', after(words), out, err)
        for pattern in patterns:
            ok(f'{command}: {pattern}', seen(pattern), out, err)


def skip(why):
    print('skipped:', why)


def read(path):
    with open(path, encoding='utf-8', newline='') as file:
        return file.read()


def table(path):
    """Returns the rows of a CSV, as dicts by column."""
    return list(csv.DictReader(read(path).splitlines()))


def write(path, *lines, mode='w'):
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    with open(path, mode, encoding='utf-8') as file:
        file.writelines(f'{line}\n' for line in lines)


def append(path, *lines):
    write(path, *lines, mode='a')


def edit(path, pattern, new):
    """As sed -E would, on every line; a pattern that is not there is a bug."""
    text = read(path)
    changed = re.sub(pattern, new, text, flags=re.MULTILINE)
    assert changed != text, f'{path} has no {pattern}'
    with open(path, 'w', encoding='utf-8') as file:
        file.write(changed)


def hostile(folder):
    """Copies the hostile run, which has the same rows of every operation."""
    shutil.copytree(f'{SOURCE}/tests/hostile/run', folder)
    for op in 'sum', 'copy':
        shutil.copy(f'{folder}/cumsum.csv', f'{folder}/{op}.csv')
        edit(f'{folder}/{op}.csv', ',cumsum,', f',{op},')


def tally():
    print(f'{COUNT[True]} passed, {COUNT[False]} failed')
    sys.exit(COUNT[False] > 0)
