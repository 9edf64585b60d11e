/* SPDX-License-Identifier: MIT
 *
 * One plugin (src/plugin.h), opened in this process: its code runs. Texts that
 * say why not live until the next call.
 */
#ifndef HARNESS_PLUGIN_FILE_H
#define HARNESS_PLUGIN_FILE_H

#include "src/base/sha256.h"
#include "src/plugin.h"

enum { PLUGIN_WHY_BYTES = 400, PLUGIN_MOST_VARIANTS = 4096 };

/* A variant as the plugin has it: whatever is newer than the plugin is 0. */
struct plugin_variant {
    const char *family;
    struct variant variant;
};

/* The digest of the file's bytes; NULL, or why there is none. */
const char *plugin_file_sha256(const char *path, char text[SHA256_TEXT_BYTES]);

/* Loads it, and looks through all that it says; `take` is called for every
 * variant in turn, and ends it with a text that is not NULL. NULL, or what is
 * wrong. */
const char *plugin_file_open(
    const char *path, char name[64], void *context,
    const char *(*take)(void *context, const struct plugin_variant *));

#endif
