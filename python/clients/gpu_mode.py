#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs GPU MODE's checkers of prefixsum and vectorsum on scanbench.

    gpu_mode.py PROBLEMS

PROBLEMS is the folder with prefixsum_py and vectorsum_py in a clone of
github.com/gpu-mode/reference-kernels, such as problems/pmpp. For each test of task.yml,
generate_input() of its reference.py makes the input, and check_implementation() judges the result.
Exit status: 0 all correct, 1 one is not, 77 no such folder, or no GPU."""
import glob
import importlib
import os
import re
import sys

try:
    import torch
    import scanbench
    missing = None
except ImportError as why:
    missing = why


KERNELS = {"prefixsum": lambda x: scanbench.cumsum(x, 0), "vectorsum": lambda x: scanbench.sum(x)}


def arguments(folder):
    """Reads the tests of task.yml, such as - {"size": 1023, "seed": 4242}."""
    with open(os.path.join(folder, "task.yml")) as task:
        lines = re.findall(r"^\s*-\s*\{(.*?)\}", task.read(), re.M)
    words = [{name: int(value) for name, value in
              re.findall(r"[\"']?(\w+)[\"']?\s*:\s*(\d+)", line)}
             for line in lines]
    return [one for one in words if one]  # lists of files look alike


def check(folder, kernel):
    """Returns True if all tests are correct."""
    sys.path[:0] = [folder, os.path.dirname(folder)]
    for name in ("reference", "task", "utils"):
        sys.modules.pop(name, None)
    reference = importlib.import_module("reference")
    tests = arguments(folder)
    if not tests:
        print(f"{os.path.basename(folder)}: no test found in its task.yml")
    right = bool(tests)
    for words in tests:
        data = reference.generate_input(**words)
        x = data[0] if isinstance(data, (tuple, list)) else data  # beside one for the output
        said = reference.check_implementation(data, kernel(x))
        # An error or ""; in newer versions (good, text).
        good = said[0] if isinstance(said, tuple) else not said
        print(f"{os.path.basename(folder)} {words}: {'correct' if good else said}")
        right = right and good
    del sys.path[:2]
    return right


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    if missing or not torch.cuda.is_available():
        print("skipped:", missing or "GPU MODE's inputs need a GPU")
        return 77
    print(scanbench.device_text(torch.cuda.current_device()))
    found = [(folder, kernel) for name, kernel in KERNELS.items() for folder in
             sorted(glob.glob(os.path.join(glob.escape(sys.argv[1]), name + "*")))]
    if not found:
        print("skipped: neither prefixsum nor vectorsum in", sys.argv[1])
        return 77
    return 0 if all([check(*one) for one in found]) else 1


if __name__ == "__main__":
    sys.exit(main())
