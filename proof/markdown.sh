# shellcheck shell=sh disable=SC2016 # no expansion in single quotes
# SPDX-License-Identifier: MIT
#
# Functions for Markdown pages, sourced by the scripts of proof/ that write them.

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
    *) echo "$(basename "$0"): unknown option '$3'" >&2 && exit 2 ;;
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
