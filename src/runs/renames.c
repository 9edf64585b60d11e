/* SPDX-License-Identifier: MIT */
#include "src/runs/renames.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

const struct rename renames[] = {
    { "line_in_registers", "block_per_line_registers" },
    { "line_in_bursts", "block_per_line_register_tiles" },
    { "line_in_shared", "block_per_line_shared" },
    { "lines_in_window", "packed_lines_registers" },
    { "cluster_bursts", "cluster_per_line_tiles" },
    { "cp_async_pipeline", "block_per_line_cp_async" },
    { "tma_ring", "block_per_line_tma_ring" },
    { "tma_ring_persistent", "block_per_line_tma_ring_persistent" },
    { "tensor_tiles", "column_tma_ring" },
    { "raked_lookback", "decoupled_lookback_blocked" },
    { "lookback_ahead", "decoupled_lookahead" },
    { "lookback_in_groups", "deterministic_lookback" },
    { "warp_shuffle", "warp_per_line" },
    { "lanes_per_line", "subwarp_per_line" },
    { "bulk_rows", "row_tma_ring" },
    { "column_realigned_lookback", "column_lookback_realigned" },
    { "column_shifted_lookback", "column_lookback_shifted" },
    { NULL, NULL },
};

static bool is_in(char c, char first, char last)
{
    return c >= first && c <= last;
}

/* Nothing follows a family's name but a tuning point: _b256, _64kx3. */
static bool ends_here(const char *rest)
{
    if (!*rest)
        return true;
    return rest[0] == '_' &&
           (is_in(rest[1], '0', '9') ||
            (is_in(rest[1], 'a', 'z') && is_in(rest[2], '0', '9')));
}

char *renamed_variant(const char *variant, char *now, size_t bytes)
{
    for (const struct rename *r = renames; r->old; ++r) {
        const size_t chars = strlen(r->old);
        if (strncmp(variant, r->old, chars) == 0 &&
            ends_here(variant + chars)) {
            snprintf(now, bytes, "%s%s", r->now, variant + chars);
            return now;
        }
    }
    snprintf(now, bytes, "%s", variant);
    return now;
}

char *renamed_in_path(const char *path, char *now, size_t bytes)
{
    char word[256], renamed[256];
    const size_t first = strcspn(path, "/");
    const char *second = path + first + (path[first] == '/');
    const size_t chars = strcspn(second, "/");
    snprintf(word, sizeof word, "%.*s", (int)chars, second);
    snprintf(now, bytes, "%.*s%s%s", (int)(second - path), path,
             renamed_variant(word, renamed, sizeof renamed), second + chars);
    return now;
}
