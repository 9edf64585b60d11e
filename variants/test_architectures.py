# SPDX-License-Identifier: MIT
"""SOURCE NVCC ARCHITECTURES FILE...: every file compiles for each of the
architectures (90,120) without a warning: the first operation of its folder, in
one type."""
import concurrent.futures
import os
import resource
import subprocess
import sys
import tempfile

SOURCE, NVCC, ARCHITECTURES, *FILES = sys.argv[1:]
# Device code alone: the build compiles the host's.
OPTIONS = ['-std=c++20', '-fatbin', '-I.', '-Werror=all-warnings',
           '-DSCANBENCH_OPS=BUILT(OP_CUMSUM)BUILT(OP_SUM)',
           '-DSCANBENCH_DTYPES=DTYPE_BIT(DTYPE_F32)',
           *(f'-gencode=arch=compute_{arch},code=sm_{arch}' for arch in ARCHITECTURES.split(','))]


def fault(path):
    with tempfile.TemporaryDirectory() as work:
        done = subprocess.run([NVCC, *OPTIONS, path, '-o', f'{work}/object.fatbin'],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
    return '' if done.returncode == 0 else f'FAILED: {path}:\n' + '\n'.join(
        done.stdout.splitlines()[-20:])


os.chdir(SOURCE)
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    faults = [text for text in pool.map(fault, FILES) if text]
print(*faults, sep='\n')
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f'{len(FILES)} files for {ARCHITECTURES}: {used.ru_utime + used.ru_stime:.0f} s of '
      'processor time')
sys.exit(bool(faults))
