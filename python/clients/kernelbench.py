#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs KernelBench's evaluator on scanbench: reductions and scans of level 1.

    kernelbench.py KERNELBENCH [PROBLEM...] [--precision fp32,fp16,bf16]

KERNELBENCH is a clone of github.com/ScalingIntelligence/KernelBench, whose
eval_kernel_against_ref() judges a ModelNew on scanbench. Exit status: 0 all judged ones are
correct, 1 one is not, 77 nothing was judged: no evaluator, GPU or precision."""
import argparse
import glob
import importlib.util
import inspect
import os
import sys
import unittest.mock

try:
    import torch
    import scanbench
    missing = None
except ImportError as why:
    missing = why

PRECISIONS = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16"}
# The call in forward(), by problem number.
CALLS = {
    "47": "sum(x, self.dim, keepdim=True)", "48": "mean(x, self.dim)",
    "49": "amax(x, self.dim)", "50": "prod(x, self.dim)", "51": "argmax(x, self.dim)",
    "52": "argmin(x, self.dim)", "53": "amin(x, self.dim)", "89": "cumsum(x, self.dim)",
    "90": "cumprod(x, self.dim)", "91": "cumsum(x, self.dim, reverse=True)",
    "92": "cumsum(x, self.dim, exclusive=True)", "93": "cumsum(x, self.dim, mask=mask)",
}
# The first version of 92 cuts off the last row instead of the last element.
FIRST_92 = "cumsum(torch.nn.functional.pad(x[:-1], (1, 0)), 1)"
MODEL = """import torch, scanbench
class ModelNew(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
    def forward(self, x, mask=None):
        return scanbench.%s
"""


def evaluator(root):
    """Returns the evaluator from its place in any version, or None."""
    here = os.path.dirname(os.path.abspath(__file__))  # or `kernelbench` would be this file
    sys.path[:] = [os.path.join(root, "src"), root] + [
        place for place in sys.path if os.path.abspath(place) != here]
    for name in ("openai", "litellm", "dotenv"):  # imported, but not called by the evaluator
        if importlib.util.find_spec(name) is None:
            sys.modules[name] = unittest.mock.MagicMock()
    for name in ("kernelbench.eval", "src.eval", "eval"):
        try:
            return __import__(name, fromlist=["eval"]).eval_kernel_against_ref
        except (ImportError, AttributeError) as why:
            print(f"{name}: {why}")
    return None


def far(text, model, dtype, lines=16):
    """Returns the largest errors of both against float64, over the first lines."""
    theirs, ours = {}, {}
    exec(compile(text, "reference", "exec"), theirs)
    exec(compile(model, "ours", "exec"), ours)
    words = theirs["get_init_inputs"]()
    cast = [x.cuda().to(dtype if x.is_floating_point() else x.dtype)
            for x in theirs["get_inputs"]()]
    exact = theirs["Model"](*words)(*[
        x[:lines].to(torch.float64 if x.is_floating_point() else x.dtype) for x in cast])
    return [f"{(made(*words)(*cast)[:len(exact)].double() - exact).abs().max():g}"
            for made in (ours["ModelNew"], theirs["Model"])]


def judge(evaluate, root, number, precision):
    """Prints the verdict; returns True if correct, None if not judged."""
    found = glob.glob(os.path.join(root, "KernelBench/level1", number + "_*.py"))
    if not found:
        print(number, "no such problem in", root)
        return False
    text = open(found[0]).read()
    words = {"measure_performance": True, "num_correct_trials": 5,
             "num_perf_trials": 100, "verbose": False,
             "precision": getattr(torch, PRECISIONS[precision])}
    known = inspect.signature(evaluate).parameters
    other = number == "50" and "prod(" not in text
    if other or ("precision" not in known and precision != "fp32"):
        print(number, precision + ": skipped:", "a convolution in this clone" if other
              else "this clone supports fp32 only")
        return None
    model = MODEL % (FIRST_92 if number == "92" and "[:-1]" in text else CALLS[number])
    result = evaluate(text, model, **{k: words[k] for k in words if k in known})
    correct = bool(result and result.correctness)
    said = {name: getattr(result, name, None)
            for name in ("compiled", "runtime", "ref_runtime", "metadata")}
    print(f"{number} {precision}: correct {correct}, compiled {said['compiled']}, runtime "
          f"{said['runtime']}, reference {said['ref_runtime']}",
          "" if correct else said["metadata"])
    if not correct and said["compiled"]:
        ours, theirs = far(text, model, words["precision"])
        print(f"  largest error against float64: ours {ours}, reference {theirs}")
    return correct


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("root")
    parser.add_argument("problems", nargs="*", default=list(CALLS))
    parser.add_argument("--precision", default="fp32,fp16,bf16")
    asked = parser.parse_args()
    precisions = asked.precision.split(",")
    for words, known in (asked.problems, CALLS), (precisions, PRECISIONS):
        for word in words:
            if word not in known:
                parser.error(f"{word!r} is none of {', '.join(known)}")
    evaluate = None if missing else evaluator(asked.root)
    if evaluate is None or not torch.cuda.is_available():
        print("skipped:", missing or f"no GPU, or no eval_kernel_against_ref in {asked.root}")
        return 77
    print(scanbench.device_text(torch.cuda.current_device()))
    torch.set_default_device("cuda")  # the problems' inputs, too: minutes on the host
    right = [judge(evaluate, asked.root, number, precision)
             for number in asked.problems for precision in precisions]
    print(f"{right.count(True)} correct, {right.count(False)} wrong, {right.count(None)} skipped")
    return 1 if False in right else 0 if True in right else 77


if __name__ == "__main__":
    sys.exit(main())
