/* SPDX-License-Identifier: MIT */
#include "src/runs/finished.h"

#include "src/base/hash.h"

#include <stdlib.h>
#include <string.h>

static size_t hash_of(const struct finished_key *key)
{
    const unsigned long long parts[] = {
        key->op,
        key->dtype,
        key->cache,
        (unsigned long long)key->shape.outer,
        (unsigned long long)key->shape.axis,
        (unsigned long long)key->shape.inner,
        (unsigned long long)key->process,
    };
    unsigned long long hash = hash_text(key->variant);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k) {
        hash = (hash ^ parts[k]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return (size_t)hash;
}

static bool same(const struct finished_key *left,
                 const struct finished_key *right)
{
    return left->op == right->op && left->dtype == right->dtype &&
           left->cache == right->cache && left->process == right->process &&
           shape_equal(left->shape, right->shape) &&
           strcmp(left->variant, right->variant) == 0;
}

/* Its slot, or the empty one where it belongs. */
static struct finished *slot_of(struct finished *slots, size_t room,
                                const struct finished_key *key)
{
    size_t at = hash_of(key) & (room - 1);
    while (slots[at].key.variant && !same(&slots[at].key, key))
        at = (at + 1) & (room - 1);
    return &slots[at];
}

/* At most half full, and a power of two. */
static bool make_room(struct finished_table *table)
{
    if (2 * (table->count + 1) <= table->room)
        return true;
    const size_t room = table->room ? 2 * table->room : 64;
    struct finished *slots = calloc(room, sizeof *slots);
    if (!slots)
        return false;
    for (size_t k = 0; k < table->room; ++k)
        if (table->slots[k].key.variant)
            *slot_of(slots, room, &table->slots[k].key) = table->slots[k];
    free(table->slots);
    table->slots = slots;
    table->room = room;
    return true;
}

/* Of two of the same cell, the first. */
static bool add(struct finished_table *table, struct finished cell)
{
    if (!make_room(table))
        return false;
    struct finished *slot = slot_of(table->slots, table->room, &cell.key);
    if (slot->key.variant)
        return true;
    cell.key.variant = texts_keep(&table->texts, cell.key.variant);
    cell.reason = texts_keep(&table->texts, cell.reason);
    *slot = cell;
    ++table->count;
    return true;
}

bool finished_add_key(struct finished_table *table,
                      const struct finished_key *key)
{
    return add(table, (struct finished){ .key = *key, .reason = "" });
}

bool finished_add(struct finished_table *table, const struct row *row)
{
    const struct finished cell = {
        .key = { .op = row->op,
                 .variant = row->variant,
                 .dtype = row->dtype,
                 .shape = { row->outer, row->axis, row->inner },
                 .cache = row->cache,
                 .process = row->process },
        .status = row->status,
        .median_us = row->median_us,
        .gbps = row->gbps,
        .launch_us = row->launch_us,
        .reason = row->reason,
    };
    return add(table, cell);
}

const struct finished *finished_find(const struct finished_table *table,
                                     const struct finished_key *key)
{
    if (!table->room)
        return NULL;
    const struct finished *slot = slot_of(table->slots, table->room, key);
    return slot->key.variant ? slot : NULL;
}

const struct finished *finished_stranger(const struct finished_table *table,
                                         const struct finished_table *cells,
                                         int processes)
{
    for (size_t k = 0; k < table->room; ++k) {
        struct finished_key key = table->slots[k].key;
        if (!key.variant)
            continue;
        const bool own = key.process < processes;
        key.process = 0;
        if (!own || !finished_find(cells, &key))
            return &table->slots[k];
    }
    return NULL;
}

void finished_free(struct finished_table *table)
{
    texts_free(&table->texts);
    free(table->slots);
    *table = (struct finished_table){ 0 };
}
