# SPDX-License-Identifier: MIT
#
# Completion for fish; commands and options come from scanbench --help.
function __scanbench_commands
    scanbench --help 2>/dev/null |
        string replace -rf '^  scanbench ([a-z]+)  +(.*)' '$1\t$2'
end

function __scanbench_options
    set -l words (commandline -opc)
    test (count $words) -ge 2; or return
    scanbench $words[2] --help 2>/dev/null |
        string match -ar -- '--[a-z][a-z-]*' | sort -u
end

function __scanbench_families
    scanbench list --families 2>/dev/null | string replace -rf '^(\S+/\S+) .*' '$1'
end

complete -c scanbench -n __fish_use_subcommand -f -a '(__scanbench_commands)'
complete -c scanbench -n '__fish_seen_subcommand_from help' -f -a '(__scanbench_commands)'
complete -c scanbench -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__scanbench_options)'
complete -c scanbench -n 'string match -q -- --family (commandline -opc)[-1]' -f -a '(__scanbench_families)'
