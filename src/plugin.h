/* SPDX-License-Identifier: MIT
 *
 * Plugins: a shared object whose one function exports variants (src/variant.h).
 * `scanbench run --plugin ./mine.so` measures them beside the built-in ones;
 * docs/plugins.md is the introduction.
 *
 * A plugin can be in any language that fills in these C structs. It can call
 * only the inline functions of the headers.
 */
#pragma once

#include "src/model/reducer.h"
#include "src/variant.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Plugins of another version must be rebuilt. Within a version, structs grow at
 * their ends only, so that older plugins still work. */
enum { PLUGIN_VERSION = 3 };

/* The variants of one design, like one file of variants/. */
struct plugin_family {
    const char *id;                 /* "scan/my_idea", both parts [a-z0-9_]+ */
    const struct variant *variants; /* ends with a NULL name */
};

/* Everything lives as long as the process. */
struct plugin {
    uint32_t version; /* PLUGIN_VERSION and the sizes, when it was built */
    uint32_t bytes, variant_bytes, problem_bytes, facts_bytes, reducer_bytes;
    const char *name;                     /* [A-Za-z0-9_]+, as in manifests */
    const struct plugin_family *families; /* ends with a NULL id */
    const struct reducer *reducers; /* operators of its own; ends with an id of
                                       0; NULL if there are none */
};

/* The first six fields. */
#define PLUGIN_SIZES                                                           \
    PLUGIN_VERSION, sizeof(struct plugin), sizeof(struct variant),             \
        sizeof(struct problem), sizeof(struct device_facts),                   \
        sizeof(struct reducer)

/* The function that the shared object exports. It is called once in every
 * process, before a device is opened, and must only return the description, or
 * NULL if there are no variants. */
#if defined __GNUC__
__attribute__((visibility("default")))
#endif
const struct plugin *
scanbench_plugin(void);

/* Defines that function: `PLUGIN("mine", { "scan/my_idea", points });` */
#define PLUGIN(plugin_name, ...)                                               \
    const struct plugin *scanbench_plugin(void)                                \
    {                                                                          \
        static const struct plugin_family families[] = { __VA_ARGS__,          \
                                                         { NULL, NULL } };     \
        static const struct plugin plugin = { PLUGIN_SIZES, plugin_name,       \
                                              families, NULL };                \
        return &plugin;                                                        \
    }                                                                          \
    struct plugin

#ifdef __cplusplus
}
#endif
