# SPDX-License-Identifier: MIT
"""embed.py FILE...: prints the templates of `scanbench new` as C (cli/common/commands.h).
embed.py --texts NAME FILE...: prints NAME_texts[], each file after a line with its name."""
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


files = [pathlib.Path(word) for word in sys.argv[1:]]
sys.stdout.reconfigure(encoding='utf-8')
print(*texts(str(files[1]), files[2:]) if files[0].name == '--texts' else templates(files), sep='\n')
