/* SPDX-License-Identifier: MIT
 *
 * Plugins (src/plugin.h): a registry of what is built in and what was loaded.
 * Nothing of a plugin runs in the process that plans and writes: a child
 * describes its variants, and each worker loads it for itself, so that one that
 * crashes or hangs costs what any variant's does.
 */
#ifndef HARNESS_PLUGINS_H
#define HARNESS_PLUGINS_H

#include "src/base/sha256.h"
#include "src/plugin.h"
#include "variants/registry.h"

enum { MAX_PLUGINS = 16, PLUGIN_NAME_BYTES = 64 };

/* One shared object. */
struct plugin_file {
    const char *path;
    char name[PLUGIN_NAME_BYTES], sha256[SHA256_TEXT_BYTES];
    struct variant *variants; /* all, with the functions that plugins_open()
                                 finds; NULL until then */
    size_t count;             /* of them, NULL names between families apart */
};

struct plugins {
    struct plugin_file file[MAX_PLUGINS];
    int count;
    struct family *families; /* the registry's, and theirs */
    size_t family_count;
};

/* Is there a family of that id, and of such operations a variant of that name,
 * built here or not? */
struct plugins_known {
    bool (*family)(const char *id);
    bool (*variant)(unsigned ops, const char *name);
};

/* Reads what the files have; one that has not loaded by then is given up. False
 * after saying what is wrong with which. */
bool plugins_read(struct plugins *plugins, const char *const *paths, int count,
                  double timeout_s, const struct plugins_known *known);

/* Loads them into this process, which is to run their variants. NULL, or what
 * went wrong. */
const char *plugins_open(const struct plugins *plugins);

/* For the manifest: "name:sha256", with a space between two. */
enum {
    PLUGINS_TEXT_BYTES = MAX_PLUGINS * (PLUGIN_NAME_BYTES + SHA256_TEXT_BYTES)
};
char *plugins_text(const struct plugins *plugins,
                   char text[PLUGINS_TEXT_BYTES]);

/* The plugin that the family is of, or NULL: it is built in. */
const struct plugin_file *plugins_of(const struct plugins *plugins,
                                     const struct family *family);

/* All families that there are to choose from; `plugins` may be NULL. */
static inline const struct family *
plugins_families(const struct plugins *plugins)
{
    return plugins ? plugins->families : registry;
}

#endif
