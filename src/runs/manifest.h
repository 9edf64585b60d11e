/* SPDX-License-Identifier: MIT
 *
 * manifest.csv: the conditions of a run, key by key, so that it can be repeated
 * and questioned. Every manifest has all keys, in the order of the table;
 * results/README.md explains them.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "src/runs/columns.h"

#define MANIFEST_FILE "manifest.csv"

/* The version of the format that is written, and the only one that is read. */
enum { RUN_SCHEMA = 4 };

/* Properties of keys. */
enum {
    KEY_LONG = 1,         /* a list: up to MANIFEST_VALUE_BYTES, not 1024 */
    KEY_RESUMED = 2,      /* a run is resumed only with the same value */
    KEY_RESUMED_HOST = 4, /* likewise, if the device is the host */
    KEY_PROCESS = 8       /* the same for all processes of a run */
};

struct manifest_key {
    const char *name;
    unsigned properties;
};

enum { MANIFEST_KEY_COUNT = 59, MANIFEST_VALUE_BYTES = 16384 };
extern const struct manifest_key manifest_keys[MANIFEST_KEY_COUNT];

/* Starts as { 0 }: all values are unknown. */
struct manifest {
    char *value[MANIFEST_KEY_COUNT]; /* NULL stands for "" */
};

void manifest_free(struct manifest *manifest);

/* The key must be in the table. */
void manifest_set(struct manifest *manifest, const char *key,
                  const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void manifest_set_list(struct manifest *manifest, const char *key,
                       const char *format, va_list arguments);

/* The value, or "". */
const char *manifest_get(const struct manifest *manifest, const char *key);

/* The value as a number, or NaN. */
double manifest_number(const struct manifest *manifest, const char *key);

/* Replaces FOLDER/manifest.csv, or leaves it as it is: false with errno. */
bool manifest_write(const struct manifest *manifest, const char *folder);

/* Reads a folder's manifest.csv. Damage, such as a second value of a key, is
 * reported and left out; returns how much that was. */
size_t manifest_read(struct manifest *manifest, const char *folder,
                     const struct listener *listener);

/* False, after a report, if the run has another schema. */
bool manifest_is_known(const struct manifest *manifest, const char *folder,
                       const struct listener *listener);

/* The first key with that property in which both differ, or NULL. */
const struct manifest_key *manifest_difference(const struct manifest *left,
                                               const struct manifest *right,
                                               unsigned property);
