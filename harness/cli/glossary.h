/* SPDX-License-Identifier: MIT
 *
 * The words of docs/glossary.md, which it is made of (glossary.sh).
 */
#ifndef HARNESS_CLI_GLOSSARY_H
#define HARNESS_CLI_GLOSSARY_H

#include "src/runs/row_words.h"

extern const struct row_word glossary_words[]; /* ends with a NULL name */

#endif
