# SPDX-License-Identifier: MIT
"""SOURCE NVCC ARCHITECTURES FILE...: every file that asks for the architecture,
itself or in what it includes, compiles for each of them (75,80), and without a
warning: one operation of each folder and one type. "no" for NVCC: there is
none."""
import concurrent.futures
import os
import re
import resource
import subprocess
import sys
import tempfile

SOURCE, NVCC, ARCHITECTURES, *FILES = sys.argv[1:]
ARCH = 'variants/common/arch.cuh'  # which all include: asking is using its names
OPTIONS = ['-std=c++20', '-O3', '-I.', '-Werror=all-warnings',
           '-Xcompiler=-Wall,-Wextra,-Wno-missing-field-initializers,-Werror',
           '-DSCANBENCH_OPS=(OP_BIT(OP_CUMSUM)|OP_BIT(OP_SUM)|OP_BIT(OP_FLIP)|OPS_TWIN)',
           '-DSCANBENCH_DTYPES=DTYPE_BIT(DTYPE_F32)',
           *(f'-gencode=arch=compute_{arch},code=sm_{arch}' for arch in ARCHITECTURES.split(','))]


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def asks(path, names, seen):
    if path == ARCH or path in seen:
        return False
    seen.add(path)
    text = read(path)
    return not names.isdisjoint(re.findall(r'\w+', text)) or any(
        asks(header, names, seen)
        for header in re.findall(r'^# *include "(variants/.*)"', text, re.M))


def fault(path):
    with tempfile.TemporaryDirectory() as work:
        done = subprocess.run([NVCC, *OPTIONS, '-c', path, '-o', f'{work}/object.o'],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
    return '' if done.returncode == 0 else f'FAILED: {path}:\n' + '\n'.join(
        done.stdout.splitlines()[-20:])


os.chdir(SOURCE)
if NVCC == 'no':
    print('skipped: there is no nvcc to compile for other architectures with')
    sys.exit(77)
NAMES = {'__CUDA_ARCH__', *re.findall(r'\b(?:HAS_|k[A-Z])\w+', read(ARCH))}
FILES = [path for path in FILES if asks(path, NAMES, set())]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = [text for text in pool.map(fault, FILES) if text]
print(*faults, sep='\n')
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f'{len(FILES)} files for {ARCHITECTURES}: {used.ru_utime + used.ru_stime:.0f} s of '
      'processor time')
sys.exit(bool(faults) or not FILES)
