/* SPDX-License-Identifier: MIT */
#include "src/analyse/lead.h"

#include "src/base/memory.h"

#include <stdlib.h>
#include <string.h>

bool lead_is_cub(const struct row *row)
{
    return strncmp(row->family, "cub_", 4) == 0;
}

static struct lead lead_of(const struct run_cell *cells, size_t count)
{
    struct lead lead = {
        .cells = cells, .count = count, .shapes = 1, .won = 1
    };
    for (size_t k = 0; k < count; ++k) {
        const struct run_cell *own = &cells[k];
        if (own->rank == 1)
            lead.first = own;
        lead.tied += own->tied && own->rank > 1;
        if (own->rank && lead_is_cub(own->row) &&
            (!lead.cub || own->rank < lead.cub->rank))
            lead.cub = own;
    }
    return lead;
}

struct lead *leads_make(const struct run_cell *all, size_t count, size_t *leads)
{
    struct lead *made = memory_for(count, sizeof *made);
    *leads = 0;
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count; ++next)
            if (run_group_order(all[first].row, all[next].row))
                break;
        made[(*leads)++] = lead_of(&all[first], next - first);
    }
    return made;
}

const char *lead_tied(const struct lead *lead, size_t k)
{
    for (size_t rank = 2; rank <= lead->count; ++rank)
        for (size_t c = 0; c < lead->count; ++c) {
            const struct run_cell *own = &lead->cells[c];
            if (own->rank == (int)rank && own->tied && k-- == 0)
                return own->row->family;
        }
    return NULL;
}

/* ---------------------------------------------------------------- classes */

static bool leads(const struct lead *lead, const char *family)
{
    for (size_t c = 0; c < lead->count; ++c)
        if (lead->cells[c].tied &&
            strcmp(lead->cells[c].row->family, family) == 0)
            return true;
    return false;
}

static bool same_class(const struct lead *left, const struct lead *right,
                       int (*class_of)(struct shape shape))
{
    const struct row *l = left->cells->row;
    const struct row *r = right->cells->row;
    return l->op == r->op && l->dtype == r->dtype && l->cache == r->cache &&
           class_of(l->shape) == class_of(r->shape);
}

static bool stands_before(const struct lead *left, const struct lead *right)
{
    if (!left->first != !right->first)
        return left->first;
    return shape_elems(left->cells->row->shape) >
           shape_elems(right->cells->row->shape);
}

/* Of the class that leads[first] is of; what is behind it is looked through. */
static struct lead class_lead(const struct lead *all, size_t first,
                              size_t count, int (*class_of)(struct shape shape))
{
    struct lead best = all[first];
    size_t shapes = 0, won = 0;
    for (size_t k = first; k < count; ++k)
        if (same_class(&all[first], &all[k], class_of) &&
            stands_before(&all[k], &best))
            best = all[k];
    for (size_t k = first; k < count; ++k) {
        if (!same_class(&all[first], &all[k], class_of))
            continue;
        ++shapes;
        won += best.first && leads(&all[k], best.first->row->family);
    }
    best.shapes = shapes;
    best.won = won;
    return best;
}

size_t leads_by_class(struct lead *all, size_t count,
                      int (*class_of)(struct shape shape))
{
    struct lead *kept = memory_for(count, sizeof *kept);
    size_t classes = 0;
    for (size_t k = 0; k < count; ++k) {
        bool known = false;
        for (size_t c = 0; c < classes && !known; ++c)
            known = same_class(&kept[c], &all[k], class_of);
        if (!known)
            kept[classes++] = class_lead(all, k, count, class_of);
    }
    memcpy(all, kept, classes * sizeof *all);
    free(kept);
    return classes;
}
