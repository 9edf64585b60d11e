# SPDX-License-Identifier: MIT
"""embed.py STYLE BODY SCRIPT...: writes the parts of the page of `scanbench report` as C to stdout
(cli/report/report_parts.h), all scripts as one. Each part has its SHA-256 in base64 for the page's
Content-Security-Policy."""
import base64
import hashlib
import pathlib
import sys


def part(name, paths):
    text = b''.join(pathlib.Path(path).read_bytes() for path in paths)
    digest = base64.b64encode(hashlib.sha256(text).digest()).decode()
    print(f'static const unsigned char {name}[] = {{ {",".join(map(str, text))}, 0 }};\n'
          f'const struct report_part report_{name} = {{\n'
          f'    (const char *){name}, sizeof {name} - 1, "{digest}"\n}};')


print('#include "cli/report/report_parts.h"')
part('style', sys.argv[1:2])
part('body', sys.argv[2:3])
part('script', sys.argv[3:])
