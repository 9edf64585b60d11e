# shellcheck shell=sh disable=SC2016 # no expansion in single quotes
# SPDX-License-Identifier: MIT
#
# A stranger's text, from stdin, as one cell of a page in Markdown: it makes no
# element, link, mention, column or line, and moves no terminal.
#
#   markdown text    as it reads
#   markdown code    between backticks, where only these and columns count;
#                    nothing of nothing
markdown() {
    LC_ALL=C tr -d '\000-\037\177' |
        LC_ALL=C tr '\200-\377' '?' | if [ "$1" = code ]; then
        tr '`|' "'/" | sed 's/.\{1,\}/`&`/'
    else
        sed 's/&/\&amp;/g; s/\\/\&#92;/g; s/</\&lt;/g; s/>/\&gt;/g
            s/|/\&#124;/g; s/`/\&#96;/g; s/@/\&#64;/g; s/\[/\&#91;/g; s/]/\&#93;/g
            s|://|\&#58;//|g; s/www[.]/www\&#46;/g'
    fi
}
