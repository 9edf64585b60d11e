# SPDX-License-Identifier: MIT
"""The public face of the package: docstrings, whose examples run, signatures, messages,
and the search for the library. Exit status 77: no NumPy."""
import doctest
import inspect
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from test_numpy import np, scanbench
from scanbench import _docs, _library

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARY = os.environ["SCANBENCH_LIBRARY"]


class Package(unittest.TestCase):
    def test_examples(self):
        results = [doctest.testmod(module) for module in (scanbench, _library)]
        self.assertEqual(sum(result.failed for result in results), 0)
        self.assertGreater(sum(result.attempted for result in results), 3 * 14)

    def test_fork(self):
        """A child has none of the threads that its parent's calls started."""
        x = np.ones((64, 100000), "float32")
        wanted = scanbench.sum(x, 1)
        child = os.fork()
        if not child:
            signal.alarm(30)
            os._exit(not np.array_equal(scanbench.sum(x, 1), wanted))
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_signatures(self):
        """Functions are as type checkers see them, and flags are keywords."""
        with open(HERE + "/../lib/scanbench.h", encoding="utf-8") as header:
            names = header.read().split("enum scanbench_op {")[1].split("SCANBENCH_REVERSE")[0]
        self.assertEqual(names.lower().split(), [f"scanbench_{n}," for n in scanbench._NAMES])
        unmasked = ("mean", "argmax", "argmin")
        for name in scanbench._NAMES[:-2]:  # recurrence has its own, cumsum_narrow none
            seen = inspect.signature(getattr(scanbench, name))
            names = list(seen.parameters)
            self.assertEqual(names[:3], ["x", "dim", "axis"], name)
            for flag in names[2:]:
                self.assertEqual(seen.parameters[flag].kind, inspect.Parameter.KEYWORD_ONLY)
            kind = (_docs.Scan if "cum" in name else _docs.Unmasked if name in unmasked
                    else _docs.Reduction)
            wanted = list(inspect.signature(kind.__call__).parameters.values())[1:]
            if name == "flip":  # has no protocol
                self.assertEqual(names, ["x", "dim", "axis", "out"])
            else:
                self.assertEqual(list(seen.parameters.values()), wanted, name)
            for word in [*names, "Returns:", "Raises:"]:
                self.assertIn(word, getattr(scanbench, name).__doc__, name)
        x = np.ones((3, 4), "float32")
        with self.assertRaisesRegex(TypeError, "positional"):
            scanbench.cumsum(x, 1, True)

    def test_axis(self):
        x = np.arange(12, dtype="float32").reshape(3, 4)
        np.testing.assert_array_equal(scanbench.cumsum(x, axis=0), np.cumsum(x, 0))
        np.testing.assert_array_equal(scanbench.flip(x, axis=0), np.flip(x, 0))
        np.testing.assert_array_equal(scanbench.sum(x, axis=1, keepdims=True),
                                      np.sum(x, 1, keepdims=True))
        for call in (scanbench.cumsum, scanbench.sum, scanbench.flip):
            with self.assertRaisesRegex(TypeError, "give one of them"):
                call(x, 1, axis=1)
        with self.assertRaisesRegex(TypeError, "dim must be one int here, not None"):
            scanbench.cumsum(x)

    def test_which(self):
        x = np.ones((300, 4096), "float32")
        for op, words in (("sum", {}), ("sum", {"dim": (0, 1)}),
                          ("cumsum", {"axis": 1, "reverse": True, "masked": True})):
            self.assertRegex(scanbench.which(x, op, **words), "^[a-z0-9_]+$")
        self.assertEqual(scanbench.which(x[:0], "cumsum", 1), "")
        self.assertEqual(scanbench.which(x, "flip", -1), scanbench.which(x, "flip", axis=1))
        with self.assertRaisesRegex(ValueError, "'cumsm' is no operation: there are cumsum"):
            scanbench.which(x, "cumsm", 1)
        with self.assertRaisesRegex(TypeError, "takes the array, then the operation"):
            scanbench.which("cumsum", x)
        with self.assertRaisesRegex(IndexError, "Dimension out of range"):
            scanbench.which(x, "cumsum", 2)

    def test_devices(self):
        for name in (-1, "cpu", "host", "-1"):
            self.assertIn("this machine", scanbench.device_text(name))
        self.assertEqual(scanbench.device_text("cuda:0"), scanbench.device_text(0))
        self.assertEqual(scanbench.device_text("cuda"), scanbench.device_text(0))
        for bad in ("gpu0", "cuda:", "cuda:x", "", None, 1.5, -2, "cuda:99999999999"):
            with self.assertRaisesRegex(ValueError, "is no device: give host, cuda:0"):
                scanbench.device_text(bad)


class Library(unittest.TestCase):
    """The package is copied, as an installation does, or into a checkout."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.package = os.path.join(self.folder, "python")
        shutil.copytree(os.path.join(HERE, "scanbench"),
                        os.path.join(self.package, "scanbench"))

    def place(self, *folders):
        folder = os.path.join(self.folder, *folders)
        os.makedirs(folder, exist_ok=True)
        shutil.copy(LIBRARY, os.path.join(folder, "libscanbench.so.0"))
        return folder

    def found(self, **environment):
        """Returns the output of a Python that imports the package."""
        known = {name: value for name, value in os.environ.items()
                 if name not in ("SCANBENCH_LIBRARY", "LD_LIBRARY_PATH")}
        return subprocess.run(
            [sys.executable, "-c", "import scanbench; print(scanbench._library._place)"],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self.package,
            env={**known, "PYTHONPATH": self.package, **environment}).stdout

    def test_none(self):
        text = self.found()
        if "Tried" in text:  # none is installed here
            self.assertRegex(text, "no libscanbench.so.0: build it .*install it")
            for folder in (os.path.join(self.package, "scanbench"), "the loader's folders",
                           os.path.join(sys.prefix, "lib"), "/usr/local/lib"):
                self.assertIn("\n  %s\n" % folder, text + "\n")
        named = os.path.join(self.folder, "none.so")
        self.assertIn("Tried:\n  %s\n" % named, self.found(SCANBENCH_LIBRARY=named))
        with open(named, "w") as file:
            file.write("nonsense")
        self.assertRegex(self.found(SCANBENCH_LIBRARY=named), "%s: .*too short" % named)
        self.assertIn("libc.so.6 is no libscanbench", self.found(SCANBENCH_LIBRARY="libc.so.6"))

    def test_build(self):
        """A build is that of a checkout, and never of another folder."""
        build = self.place("build-x", "lib")
        self.assertNotIn(build, self.found())
        os.makedirs(os.path.join(self.folder, "lib"))
        open(os.path.join(self.folder, "lib", "scanbench.map"), "w").close()
        self.assertIn(build, self.found())
        self.assertIn(self.place("python", "scanbench"), self.found())  # comes first

    def test_loader(self):
        folder = self.place("somewhere")
        if "Tried" in self.found():
            self.assertEqual(self.found(LD_LIBRARY_PATH=folder), "libscanbench.so.0\n")

    def test_version(self):
        self.place("python", "scanbench")
        with open(os.path.join(self.package, "scanbench", "VERSION"), "w") as file:
            file.write("0.0.1\n")
        self.assertRegex(self.found(), "this package has version 0.0.1, but .*libscanbench.so.0 "
                         "has %s: install both" % scanbench.__version__)


if __name__ == "__main__":
    unittest.main()
