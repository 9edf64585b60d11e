# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Completion for bash; commands and options come from scanbench --help.
_scanbench() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local program=${COMP_WORDS[0]} words
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || [ "${COMP_WORDS[1]}" = help ]; then
        words=$("$program" --help 2>/dev/null |
            sed -n 's/^  scanbench \([a-z]*\)  .*/\1/p')
    elif [ "$before" = --family ]; then
        words=$("$program" list --families 2>/dev/null | sed '1d; s/ .*//')
    elif [[ $word == -* ]]; then
        words=$("$program" "${COMP_WORDS[1]}" --help 2>/dev/null |
            grep -o -e '--[a-z][a-z-]*')
    else
        return # a file
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _scanbench scanbench
