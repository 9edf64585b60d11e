# SPDX-License-Identifier: MIT
"""embed.py FILE...: prints the templates of `scanbench new` as C (cli/common/commands.h).
embed.py --texts NAME FILE...: prints NAME_texts[], each file after a line with its name.
embed.py --report STYLE BODY SCRIPT...: prints the parts of the report's page, all scripts as one,
each with its SHA-256 in base64 for the Content-Security-Policy (cli/report/report_parts.h)."""
import base64
import hashlib
import pathlib
import sys


def literals(path):
    text = path.read_text(encoding='utf-8').replace('\\', '\\\\').replace('"', '\\"')
    return ''.join(f'      "{line}\\n"\n' for line in text.splitlines())


def templates(paths):
    """The CUDA template is that of scan/ and, by another id, of reduce/."""
    yield '#include "cli/common/commands.h"\nconst struct new_file new_files[] = {'
    for path in paths:
        for folder in ('scan', 'reduce') if path.suffix == '.cu' else ('host',):
            text = literals(path).replace('scan/my_idea', f'{folder}/my_idea')
            yield f'    {{ "{folder}", "{path.suffix[1:]}",\n{text}    }},'
    yield '    { 0 } };'


def texts(name, paths):
    yield f'extern const char *const {name}_texts[];\nconst char *const {name}_texts[] = {{'
    for path in paths:
        yield f'    "{path.stem}\\n"\n{literals(path)}    ,'
    yield '    0 };'


def report(paths):
    yield '#include "cli/report/report_parts.h"'
    for name, own in ('style', paths[:1]), ('body', paths[1:2]), ('script', paths[2:]):
        text = b''.join(path.read_bytes() for path in own)
        digest = base64.b64encode(hashlib.sha256(text).digest()).decode()
        yield f'static const unsigned char {name}[] = {{ {",".join(map(str, text))}, 0 }};'
        yield f'const struct report_part report_{name} = {{'
        yield f'    (const char *){name}, sizeof {name} - 1, "{digest}"\n}};'


files = [pathlib.Path(word) for word in sys.argv[1:]]
sys.stdout.reconfigure(encoding='utf-8')
print(*texts(str(files[1]), files[2:]) if files[0].name == '--texts' else
      report(files[1:]) if files[0].name == '--report' else templates(files), sep='\n')
