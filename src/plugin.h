/* SPDX-License-Identifier: MIT
 *
 * Kernels from outside: a shared object that exports variants
 * (src/variant.h) by one function. `scanbench run --plugin ./mine.so` measures
 * them among those that are built in; docs/plugins.md begins at the beginning.
 *
 * Plain C: whatever can fill in these structs can be a plugin. What is declared
 * in the headers and not inline is not there for it.
 */
#ifndef SRC_PLUGIN_H
#define SRC_PLUGIN_H

#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Another one: another contract, and plugins are to be rebuilt. Within one,
 * structs grow at their ends only, so that older plugins go on. */
enum { PLUGIN_VERSION = 1 };

/* One design's variants, as one file's of variants/. */
struct plugin_family {
    const char *id;                 /* "scan/my_idea": [a-z0-9_]+, both */
    const struct variant *variants; /* ends with a NULL name */
};

/* Everything lives as long as the process. */
struct plugin {
    uint32_t version; /* PLUGIN_VERSION, and the sizes: what it was built for */
    uint32_t bytes, variant_bytes, problem_bytes, facts_bytes;
    const char *name; /* [A-Za-z0-9_]+; manifests name it so */
    const struct plugin_family *families; /* ends with a NULL id */
};

/* The first five fields. */
#define PLUGIN_SIZES                                                           \
    PLUGIN_VERSION, sizeof(struct plugin), sizeof(struct variant),             \
        sizeof(struct problem), sizeof(struct device_facts)

/* What the shared object exports. Called once in every process that loads it,
 * and before any device is opened: it describes, and nothing more. NULL: it has
 * nothing to offer. */
#if defined __GNUC__
__attribute__((visibility("default")))
#endif
const struct plugin *
scanbench_plugin(void);

/* The whole function: `PLUGIN("mine", { "scan/my_idea", points });` */
#define PLUGIN(plugin_name, ...)                                               \
    const struct plugin *scanbench_plugin(void)                                \
    {                                                                          \
        static const struct plugin_family families[] = { __VA_ARGS__,          \
                                                         { NULL, NULL } };     \
        static const struct plugin plugin = { PLUGIN_SIZES, plugin_name,       \
                                              families };                      \
        return &plugin;                                                        \
    }                                                                          \
    struct plugin

#ifdef __cplusplus
}
#endif
#endif
