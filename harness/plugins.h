/* SPDX-License-Identifier: MIT
 *
 * Plugins (src/plugin.h) in a registry with the built-in families. A plugin may
 * crash or hang, so the main process runs none of its code: a child describes
 * its variants, and each worker loads it.
 */
#pragma once

#include "src/base/hash.h"
#include "src/choose/catalogue.h"
#include "src/plugin.h"
#include "variants/registry.h"

#include <string.h>

enum { MAX_PLUGINS = 16, PLUGIN_NAME_BYTES = 64 };

/* One shared object, or a Python function of a file. */
struct plugin_file {
    const char *path;     /* of the file, whose hash is kept */
    const char *object;   /* of what is loaded: the file, or frameworks.so */
    const char *function; /* its name, or NULL */
    char name[PLUGIN_NAME_BYTES];
    unsigned long long hash;  /* of the file */
    struct variant *variants; /* of all families, with a NULL name after each;
                                 plugins_open() fills in the functions */
    size_t count;             /* including the NULL names */
};

struct plugins {
    struct plugin_file file[MAX_PLUGINS];
    int count;
    struct family *families; /* the registry's and plugins' */
    size_t family_count;
};

/* The NAME of FILE.py:NAME, a Python function; NULL for other paths. */
static inline const char *plugin_function(const char *path)
{
    const char *function = strstr(path, ".py:");
    return function ? function + strlen(".py:") : NULL;
}

/* Reads the files' descriptions, with a time limit for each. Their families and
 * variants must have names that differ from those of the catalogue. Python
 * functions are loaded through `frameworks`. False after a message. */
bool plugins_read(struct plugins *plugins, const char *const *paths, int count,
                  const char *frameworks, double timeout_s,
                  const struct catalogue_point *catalogue);

/* Loads them into this process. Returns NULL or an error. */
const char *plugins_open(const struct plugins *plugins);

/* A function of an opened frameworks.so, or NULL: starts Python, and the user's
 * function on the open device. Returns likewise. */
extern const char *(*plugins_start)(bool gpu, int device);

/* "name:hash name:hash", for the manifest. */
enum { PLUGINS_TEXT_BYTES = MAX_PLUGINS * (PLUGIN_NAME_BYTES + 18) };
char *plugins_text(const struct plugins *plugins,
                   char text[PLUGINS_TEXT_BYTES]);

/* The family's plugin, or NULL if it is built in. */
const struct plugin_file *plugins_of(const struct plugins *plugins,
                                     const struct family *family);
