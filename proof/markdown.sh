# shellcheck shell=sh disable=SC2016 # no expansion in single quotes
# SPDX-License-Identifier: MIT
#
# For scripts with the arguments RESULTS [--write PAGE | --check PAGE]: sets results,
# action and page, and has functions for Markdown pages.

# shellcheck source=proof/lib.sh
. "$(dirname "$0")/lib.sh"
[ $# -eq 1 ] || { [ $# -eq 3 ] && [ -f "$3" ]; } || {
    sed -n 's/^# \{0,1\}\( *[a-z]*[.]sh [A-Z]\)/\1/p' "$0" >&2
    exit 2
}
# shellcheck disable=SC2034 # for the script
results=$1 action=${2:-} page=${3:+$(realpath "$3")} work=$scratch

# Turns untrusted text from stdin into one cell of a table. The text can make no
# element, link, mention, column or line, and cannot control a terminal. KIND is
# `text`, or `code` for a cell between backticks (nothing for an empty text).
markdown() { # KIND
    LC_ALL=C tr -d '\000-\037\177' |
        LC_ALL=C tr '\200-\377' '?' | if [ "$1" = code ]; then
        tr '`|' "'/" | sed 's/.\{1,\}/`&`/'
    else
        sed 's/&/\&amp;/g; s/\\/\&#92;/g; s/</\&lt;/g; s/>/\&gt;/g
            s/|/\&#124;/g; s/`/\&#96;/g; s/@/\&#64;/g; s/\[/\&#91;/g; s/]/\&#93;/g
            s|://|\&#58;//|g; s/www[.]/www\&#46;/g'
    fi
}

# Prints TEXT, a file; with --write PAGE, puts it between the page's markers of that
# NAME; with --check PAGE, fails unless it is there, word for word. SED is applied
# to the page in addition.
publish() { # NAME TEXT [ACTION PAGE [SED]]
    case ${3-} in
    '') cat "$2" && return ;;
    --write | --check) ;;
    *) die 2 "unknown option '$3'" ;;
    esac
    sed "/^<!-- $1 -->\$/,/^<!-- \/$1 -->\$/{
            /^<!-- $1 -->\$/{
                p
                r $2
            }
            /^<!-- \/$1 -->\$/!d
        }
        ${5-}" "$4" >"$2.page" || exit 2
    if [ "$3" = --write ]; then
        cat "$2.page" >"$4"
    elif ! { grep -q "^<!-- $1 -->\|<!-- times -->" "$4" && diff "$4" "$2.page"; }; then
        echo "FAILED: $4 (<) is not what the results say (>);" \
            "to mend it: proof/$(basename "$0") RESULTS --write $4"
        return 1
    fi
}
