# SPDX-License-Identifier: MIT
"""The scripts of python/clients on made-up clones of their suites, on the host as
if it were a GPU. Exit status 77: no torch."""
import os
import runpy
import sys
import tempfile
import traceback
import unittest

from test_torch import torch  # and scanbench, which a child has, too

CLIENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../clients")
EVALUATOR = """import torch
class Said:
    compiled, runtime, ref_runtime, metadata = True, 1.0, 2.0, "a mismatch"
def eval_kernel_against_ref(original_model_src, custom_model_src,
                            num_correct_trials=1, measure_performance=False,
                            precision=torch.float32):
    theirs, ours, said = {}, {}, Said()
    exec(original_model_src, theirs)
    exec(custom_model_src, ours)
    words = theirs["get_init_inputs"]()
    said.correctness = True
    for _ in range(num_correct_trials):
        inputs = [x.to(precision) if x.is_floating_point() else x
                  for x in theirs["get_inputs"]()]
        said.correctness &= torch.equal(theirs["Model"](*words)(*inputs),
                                        ours["ModelNew"](*words)(*inputs))
    return said
"""
PROBLEM = """import torch
class Model(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim
    def forward(self, x, mask=None):
        return %s
def get_inputs():
    x = torch.randint(-1, 2, (8, 64)).float()
    return [%s]
def get_init_inputs():
    return [1]
"""
FORWARDS = {47: "x.sum(self.dim, keepdim=True)", 48: "x.mean(self.dim)",
            49: "x.max(self.dim)[0]", 50: "x.prod(self.dim)", 51: "x.argmax(self.dim)",
            52: "x.argmin(self.dim)", 53: "x.min(self.dim)[0]",
            89: "x.cumsum(self.dim)", 90: "x.cumprod(self.dim)",
            91: "x.flip(self.dim).cumsum(self.dim).flip(self.dim)",
            92: "x.cumsum(self.dim) - x",
            93: "(x * mask).cumsum(self.dim)"}
TASK = """files:
  - {"name": "submission.py", "source": "@SUBMISSION@"}
tests:
  - {"size": 1023, "seed": 4242}
  - {"size": 1024, "seed": 5236}
"""
REFERENCE = """import torch
def generate_input(size, seed):
    draw = torch.Generator().manual_seed(seed)
    x = torch.randint(-1, 2, (size,), generator=draw).float()
    return %s
def check_implementation(data, output):
    x = data[0] if isinstance(data, tuple) else data
    return "" if torch.equal(output, %s) else "mismatch found"
"""


class Clients(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, path, text):
        path = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def run_script(self, script, words):
        """In a child, where torch finds a GPU, which is the host. Its status."""
        torch.cuda.is_available = lambda: True
        torch.cuda.current_device = lambda: -1
        torch.Tensor.cuda = lambda x: x
        torch.set_default_device = lambda device: self.assertEqual(device, "cuda")
        sys.argv = [script, *words]
        sys.path[:] = [os.path.dirname(script), *sys.path[1:]]
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as end:
            return end.code
        except BaseException:
            traceback.print_exc()
        return 99

    def says(self, wanted, script, *words):
        """Returns the output of a script, which ends with the wanted status."""
        with tempfile.TemporaryFile("w+") as said:
            child = os.fork()
            if child == 0:
                os.dup2(said.fileno(), 1)
                os.dup2(said.fileno(), 2)
                status = self.run_script(os.path.join(CLIENTS, script), words)
                sys.stdout.flush()
                os._exit(status)
            status = os.WEXITSTATUS(os.waitpid(child, 0)[1])
            said.seek(0)
            text = said.read()
        self.assertEqual(status, wanted, text)
        return text

    # ---- KernelBench
    def kernelbench(self, forwards=FORWARDS):
        self.write("src/eval.py", EVALUATOR)
        for number, forward in forwards.items():
            self.write("KernelBench/level1/%d_of_ours.py" % number, PROBLEM % (
                forward, "x, x > 0" if number == 93 else "x"))

    def test_kernelbench(self):
        self.kernelbench()
        said = self.says(0, "kernelbench.py", self.folder.name)
        for number in FORWARDS:
            for precision in ("fp32", "fp16", "bf16"):
                self.assertIn("%d %s: correct True" % (number, precision), said)
        self.assertIn("36 correct, 0 wrong, 0 skipped", said)
        self.kernelbench({50: "x * 2"})
        self.assertIn("50 fp32: skipped: a convolution", self.says(
            77, "kernelbench.py", self.folder.name, "50", "--precision", "fp32"))

    def test_kernelbench_wrong(self):
        self.kernelbench({**FORWARDS, 89: "x * 2"})
        said = self.says(1, "kernelbench.py", self.folder.name, "89", "91",
                         "--precision", "fp32")
        self.assertRegex(said, "89 fp32: correct False.* a mismatch\n"
                         "  largest error against float64: ours [1-9].*, reference 0")
        self.assertIn("1 correct, 1 wrong, 0 skipped", said)

    def test_kernelbench_misread(self):
        for text, *words in (("'88' is none of 47, 48, ", "88"),
                             ("'x' is none of", "x"),
                             ("'fp8' is none of fp32, fp16, bf16", "--precision",
                              "fp32,fp8")):
            self.assertIn(text, self.says(2, "kernelbench.py", "clone", *words))
        self.assertIn("skipped: ", self.says(77, "kernelbench.py", "nowhere"))

    # ---- GPU MODE
    def gpu_mode(self, sums, total):
        for name, data, right in (("prefixsum_py", "x", sums),
                                  ("prefixsum_out", "x, torch.empty_like(x)", sums),
                                  ("vectorsum_py", "x, torch.empty(())", total)):
            self.write(name + "/task.yml", TASK)
            self.write(name + "/reference.py", REFERENCE % (data, right))

    def test_gpu_mode(self):
        self.gpu_mode("x.cumsum(0)", "x.sum()")
        said = self.says(0, "gpu_mode.py", self.folder.name)
        self.assertEqual(said.count(": correct\n"), 6, said)

    def test_gpu_mode_wrong(self):
        self.gpu_mode("x.cumsum(0)", "x.sum() + 1")
        said = self.says(1, "gpu_mode.py", self.folder.name)
        self.assertEqual(said.count(": correct\n"), 4, said)
        self.assertIn("'seed': 4242}: mismatch found", said)


if __name__ == "__main__":
    unittest.main()
