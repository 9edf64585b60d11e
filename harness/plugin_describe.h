/* SPDX-License-Identifier: MIT
 *
 * A plugin's file as it describes itself, judged before anything of it is used.
 */
#pragma once

#include "harness/plugins.h"

enum { PLUGIN_WHY_BYTES = 400, PLUGIN_MOST_VARIANTS = 4096 };

/* A file's variants. Where a child has filled it in, its pointers in `traits`
 * are not valid in the parent. */
struct described {
    char family[64], name[80], idea[160];
    struct variant traits;
};
struct described_op {
    enum op op;
    char name[OP_NAME_BYTES];
    struct reducer reducer; /* its pointers are not valid in the parent */
};
struct description {
    bool whole;
    char why[PLUGIN_WHY_BYTES];
    char name[PLUGIN_NAME_BYTES];
    size_t count;
    struct described variant[PLUGIN_MOST_VARIANTS];
    int op_count;
    struct described_op op[OPS_MOST];
};

/* Returns the error as printable ASCII, since parts of it are the plugin's
 * texts. It lives until the next one. */
const char *plugin_error(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Loads the file into this process. Returns NULL or an error. */
const char *plugin_describe(const struct plugin_file *file,
                            struct description *to);

/* Loads it into a child, which shares *to; returns likewise. */
const char *plugin_describe_apart(const struct plugin_file *file,
                                  double timeout_s, struct description *to);
