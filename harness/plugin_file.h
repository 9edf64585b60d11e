/* SPDX-License-Identifier: MIT
 *
 * Loads one plugin (src/plugin.h) into this process. Error texts live until the
 * next call.
 */
#ifndef HARNESS_PLUGIN_FILE_H
#define HARNESS_PLUGIN_FILE_H

#include "src/base/sha256.h"
#include "src/plugin.h"

enum { PLUGIN_WHY_BYTES = 400, PLUGIN_MOST_VARIANTS = 4096 };

/* Members newer than the plugin are 0. */
struct plugin_variant {
    const char *family;
    struct variant variant;
};

/* The digest of the file. Returns NULL or an error. */
const char *plugin_file_sha256(const char *path, char text[SHA256_TEXT_BYTES]);

/* Loads and checks it, and calls `take` for every variant, until that returns
 * an error. Returns NULL or an error. */
const char *plugin_file_open(
    const char *path, char name[64], void *context,
    const char *(*take)(void *context, const struct plugin_variant *));

#endif
