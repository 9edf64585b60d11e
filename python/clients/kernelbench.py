#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""KernelBench's evaluator on scanbench: problems 47, 89, 91, 92 and 93 of level 1.

    kernelbench.py KERNELBENCH [PROBLEM...] [--precision fp32,fp16,bf16]

KERNELBENCH is a clone of github.com/ScalingIntelligence/KernelBench. Its files
are read there and judged by its own eval_kernel_against_ref(); of ours is the
ModelNew alone. Exit status: 0 all correct, 1 one is not, 77 no evaluator or no
GPU.
"""
import argparse
import glob
import importlib.util
import inspect
import os
import sys
import types

try:
    import torch

    import scanbench
    missing = None
except ImportError as why:
    missing = why

# forward() and its arguments, by the problem's number.
FORWARDS = {
    47: ("x", "scanbench.sum(x, self.dim, keepdim=True)"),
    89: ("x", "scanbench.cumsum(x, self.dim)"),
    91: ("x", "scanbench.cumsum(x, self.dim, reverse=True)"),
    92: ("x", "scanbench.cumsum(x, self.dim, exclusive=True)"),
    93: ("x, mask", "scanbench.cumsum(x, self.dim, mask=mask)"),
}
# Its first version cuts off the last row, not the last element: it is followed.
FIRST_92 = ("x", "scanbench.cumsum(torch.nn.functional.pad(x[:-1], (1, 0)), 1)")
MODEL = """import torch
import scanbench

class ModelNew(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, %s):
        return %s
"""


def stand_in():
    """Empty modules for what its utils.py imports and its evaluator never calls."""
    for name in ("openai", "litellm", "dotenv"):
        if importlib.util.find_spec(name) is None:
            module = types.ModuleType(name)
            module.__getattr__ = lambda what: (lambda *_, **__: None)
            sys.modules[name] = module


def evaluator(root):
    """Its function, where its versions have kept it; None: not there."""
    sys.path[:0] = [os.path.join(root, "src"), root]
    stand_in()
    for name in ("kernelbench.eval", "src.eval", "eval"):
        try:
            module = __import__(name, fromlist=["eval_kernel_against_ref"])
            return module.eval_kernel_against_ref
        except (ImportError, AttributeError) as why:
            print("%s: %s" % (name, why))
    return None


def reference(root, number):
    """The problem's own file."""
    found = glob.glob(os.path.join(root, "KernelBench", "level1",
                                   "%d_*.py" % number))
    return open(found[0]).read() if found else None


def far(text, model, dtype, lines=16):
    """How far ours and theirs are from the same in float64, on the first lines."""
    theirs, ours = {}, {}
    exec(compile(text, "reference", "exec"), theirs)
    exec(compile(model, "ours", "exec"), ours)
    words = theirs["get_init_inputs"]()
    cast = [x.cuda().to(dtype if x.is_floating_point() else x.dtype)
            for x in theirs["get_inputs"]()]
    exact = theirs["Model"](*words)(*[
        x[:lines].to(torch.float64 if x.is_floating_point() else x.dtype) for x in cast])
    return ["%g" % (made(*words)(*cast)[:len(exact)].double() - exact).abs().max()
            for made in (ours["ModelNew"], theirs["Model"])]


def judge(evaluate, root, number, precision, measure, trials):
    """True: correct; prints what it says."""
    text = reference(root, number)
    if text is None:
        print("%d: no such problem in %s" % (number, root))
        return False
    words = {"measure_performance": measure, "num_correct_trials": trials,
             "num_perf_trials": 100, "verbose": False,
             "precision": {"fp32": torch.float32, "fp16": torch.float16,
                           "bf16": torch.bfloat16}[precision]}
    known = inspect.signature(evaluate).parameters
    if "precision" not in known and precision != "fp32":
        print("%d %s: this KernelBench knows fp32 alone" % (number, precision))
        return True
    first = number == 92 and "[:-1]" in text
    model = MODEL % (FIRST_92 if first else FORWARDS[number])
    result = evaluate(text, model,
                      **{k: v for k, v in words.items() if k in known})
    correct = bool(result and result.correctness)
    said = {name: getattr(result, name, None)
            for name in ("compiled", "runtime", "ref_runtime", "metadata")}
    print("%d %s: correct %s, compiled %s, runtime %s, reference %s %s"
          % (number, precision, correct, said["compiled"], said["runtime"],
             said["ref_runtime"], "" if correct else said["metadata"]))
    if not correct and said["compiled"]:
        print("  off float64 by at most: ours %s, the reference %s"
              % tuple(far(text, model, words["precision"])))
    return correct


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("root")
    parser.add_argument("problems", nargs="*", type=int)
    parser.add_argument("--precision", default="fp32,fp16,bf16")
    parser.add_argument("--correct-only", action="store_true", help="no timing")
    parser.add_argument("--trials", type=int, default=5, help="inputs drawn")
    parser.add_argument("--draw-on-gpu", action="store_true",
                        help="inputs in seconds, not minutes; other values")
    asked = parser.parse_args()
    evaluate = None if missing else evaluator(asked.root)
    if evaluate is None or not torch.cuda.is_available():
        print("skipped: %s" % (missing or "no GPU, or no eval_kernel_against_ref "
                               "in %s" % asked.root))
        return 77
    if asked.draw_on_gpu:
        torch.set_default_device("cuda")
    print(scanbench.device_text(torch.cuda.current_device()))
    right = [judge(evaluate, asked.root, number, precision,
                   not asked.correct_only, asked.trials)
             for number in asked.problems or sorted(FORWARDS)
             for precision in asked.precision.split(",")]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
