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
import os
import sys
import types

# forward() and its arguments, by the problem's number.
FORWARDS = {
    47: ("x", "scanbench.sum(x, self.dim, keepdim=True)"),
    89: ("x", "scanbench.cumsum(x, self.dim)"),
    91: ("x", "scanbench.cumsum(x, self.dim, reverse=True)"),
    92: ("x", "scanbench.cumsum(x, self.dim, exclusive=True)"),
    93: ("x, mask", "scanbench.cumsum(x, self.dim, mask=mask)"),
}
# Its first version prepends a zero, and cuts off the last row instead of the last
# element: it is followed.
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
    """Empty modules for the clients of language models, and what reads their keys:
    its utils.py imports them, its evaluator calls none."""
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
    import torch
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
    import inspect

    import torch
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
    print("%d %s: compiled %s, correct %s, runtime %s, reference %s %s"
          % (number, precision, getattr(result, "compiled", None), correct,
             getattr(result, "runtime", None),
             getattr(result, "ref_runtime", None),
             "" if correct else getattr(result, "metadata", "")))
    if not correct and getattr(result, "compiled", False):
        print("  off float64 by at most: ours %s, the reference %s"
              % tuple(far(text, model, words["precision"])))
    return correct


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("root")
    parser.add_argument("problems", nargs="*", type=int)
    parser.add_argument("--precision", default="fp32,fp16,bf16")
    parser.add_argument("--correct-only", action="store_true",
                        help="do not measure")
    parser.add_argument("--trials", type=int, default=5,
                        help="inputs that are drawn, on the host: of 4 GiB each")
    parser.add_argument("--draw-on-gpu", action="store_true",
                        help="inputs drawn on the GPU: seconds, not minutes; "
                        "of the same seeds other values")
    asked = parser.parse_args()
    try:
        import torch

        import scanbench
    except ImportError as why:
        print("skipped: %s" % why)
        return 77
    if not torch.cuda.is_available():
        print("skipped: KernelBench's evaluator needs a GPU")
        return 77
    evaluate = evaluator(asked.root)
    if evaluate is None:
        print("skipped: no eval_kernel_against_ref in %s" % asked.root)
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
