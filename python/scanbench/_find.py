# SPDX-License-Identifier: MIT
"""Finds libscanbench."""
import ctypes
import glob
import os
import sys
import sysconfig

NAME = "libscanbench.so.0"
HERE = os.path.dirname(os.path.abspath(__file__))


def _folders():
    """Returns folders to search: this file's, the builds of its checkout, this Python's
    prefix, None for the loader's, and /usr/local."""
    checkout = os.path.dirname(os.path.dirname(HERE))
    builds = ([] if not os.path.exists(os.path.join(checkout, "lib", "scanbench.map"))
              else sorted(glob.glob(os.path.join(glob.escape(checkout), "build*", "lib"))))
    multiarch = sysconfig.get_config_var("MULTIARCH") or "lib64"
    libs = [[os.path.join(prefix, "lib", multiarch), os.path.join(prefix, "lib"),
             os.path.join(prefix, "lib64")] for prefix in (sys.prefix, "/usr/local")]
    return [HERE, *builds, *libs[0], None, *libs[1]]


def open_library():
    """Returns the library and its path. SCANBENCH_LIBRARY is the only place if it is set."""
    named = os.environ.get("SCANBENCH_LIBRARY")
    whys = []
    for folder in [named] if named else _folders():
        place = named or (os.path.join(folder, NAME) if folder else NAME)
        try:
            return ctypes.CDLL(place), place
        except OSError as why:
            # It may exist, and lack a library that it needs.
            whys.append(f"{place}: {why}" if os.path.exists(place)
                        else named or folder or "the loader's folders")
    raise ImportError(f"scanbench: no {NAME}: build it (meson compile -C build), install it (meson "
                      "install -C build), or name it with SCANBENCH_LIBRARY. Tried:\n  "
                      + "\n  ".join(dict.fromkeys(whys)))


def version_of(library, place):
    """Returns the library's version, or raises if it, and so its plan, is not the package's."""
    try:
        library.scanbench_version.restype = ctypes.c_char_p
    except AttributeError:
        raise ImportError(f"scanbench: {place} is no libscanbench") from None
    version = library.scanbench_version().decode()
    with open(os.path.join(HERE, "VERSION")) as file:
        ours = file.read().strip()
    if version != ours:
        raise ImportError(f"scanbench: this package has version {ours}, but {place} has {version}: "
                          "install both from one checkout")
    return version
