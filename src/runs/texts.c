/* SPDX-License-Identifier: MIT */
#include "src/runs/texts.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/hash.h"
#include "src/base/memory.h"

/* Its slot, or the empty one where it belongs. */
static char **slot_of(char **slots, size_t room, const char *text)
{
    size_t at = (size_t)hash_text(text) & (room - 1);
    while (slots[at] && strcmp(slots[at], text) != 0)
        at = (at + 1) & (room - 1);
    return &slots[at];
}

/* At most half full, and a power of two. */
static void make_room(struct texts *texts)
{
    if (2 * (texts->count + 1) <= texts->room)
        return;
    const size_t room = texts->room ? 2 * texts->room : 64;
    char **slots = memory_for(room, sizeof *slots);
    for (size_t k = 0; k < texts->room; ++k)
        if (texts->slots[k])
            *slot_of(slots, room, texts->slots[k]) = texts->slots[k];
    free(texts->slots);
    texts->slots = slots;
    texts->room = room;
}

const char *texts_keep(struct texts *texts, const char *text)
{
    make_room(texts);
    char **slot = slot_of(texts->slots, texts->room, text);
    if (*slot)
        return *slot;
    *slot = memory_copy(text);
    ++texts->count;
    return *slot;
}

void texts_free(struct texts *texts)
{
    for (size_t k = 0; k < texts->room; ++k)
        free(texts->slots[k]);
    free(texts->slots);
    *texts = (struct texts){ 0 };
}
