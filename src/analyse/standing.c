/* SPDX-License-Identifier: MIT */
#include "src/analyse/standing.h"

#include "src/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool standing_calls_others(const struct row *row)
{
    return strncmp(row->variant, "best", 4) == 0 &&
           (row->variant[4] == '\0' || row->variant[4] == '_');
}

bool standing_timed(const struct run_cell *cell)
{
    return cell->us > 0;
}

bool standing_firm(const struct run_cell *cell)
{
    return standing_timed(cell) && cell->status == STATUS_OK;
}

int standing_order(const struct run_cell *left, const struct run_cell *right)
{
    int order = standing_firm(right) - standing_firm(left);
    order = order ? order : (left->key > right->key) - (left->key < right->key);
    return order ? order : (left->us > right->us) - (left->us < right->us);
}

double standing_arm(const struct run_cell *cell)
{
    const double processes = (double)cell->timing.processes;
    const double own = sqrt(cell->timing.own_variances) / processes;
    return 1.96 * fmax(own, timing_sd(&cell->timing) / sqrt(processes));
}

/* Equal times stay in the order of the cells. */
static int by_key(const void *left, const void *right)
{
    const struct run_cell *l = *(const struct run_cell *const *)left;
    const struct run_cell *r = *(const struct run_cell *const *)right;
    const int order = standing_order(l, r);
    return order ? order : (l > r) - (l < r);
}

static int by_family(const void *left, const void *right)
{
    const struct run_cell *l = *(const struct run_cell *const *)left;
    const struct run_cell *r = *(const struct run_cell *const *)right;
    const int order = strcmp(l->row->family, r->row->family);
    return order ? order : by_key(left, right);
}

/* Lists the timed cells that call others, or those that do not. */
static size_t list_timed(struct run_cell *group, size_t count, bool callers,
                         struct run_cell **own)
{
    size_t timed = 0;
    for (size_t k = 0; k < count; ++k)
        if (standing_timed(&group[k]) &&
            standing_calls_others(group[k].row) == callers)
            own[timed++] = &group[k];
    return timed;
}

/* True if a kernel that `best` may call is timed. */
static bool has_called(const struct run_cell *group, size_t count,
                       const struct catalogue_point *points)
{
    for (size_t k = 0; k < count; ++k)
        if (standing_timed(&group[k]) && !standing_calls_others(group[k].row) &&
            catalogue_is_own(points, group[k].row->family))
            return true;
    return false;
}

/* Ranks a group whose cells have their keys; `own` has room for it. */
static void rank_group(struct run_cell *group, size_t count, bool by_error,
                       const struct catalogue_point *points,
                       struct run_cell **own)
{
    size_t best = 0, timed = list_timed(group, count, false, own);
    if (!has_called(group, count, points))
        timed += list_timed(group, count, true, own + timed);
    qsort(own, timed, sizeof *own, by_family);
    for (size_t k = 0; k < timed; ++k)
        if (best == 0 ||
            strcmp(own[best - 1]->row->family, own[k]->row->family) != 0)
            own[best++] = own[k];
    qsort(own, best, sizeof *own, by_key);
    if (best && isinf(own[0]->key)) /* the smallest: no error is known */
        return;
    for (size_t k = 0; k < best; ++k) {
        const double apart = fabs(log(own[k]->us / own[0]->us));
        const double arm = hypot(standing_arm(own[k]), standing_arm(own[0]));
        own[k]->rank = (int)k + 1;
        own[k]->tied = own[k]->key == own[0]->key ||
                       (!by_error && apart <= arm); /* its interval holds 1 */
    }
}

size_t standing_group(const struct run_cell *cells, size_t count)
{
    size_t size = 1;
    while (size < count && !run_group_order(cells[0].row, cells[size].row))
        ++size;
    return size;
}

static void rank_all(struct run_cell *cells, size_t count, bool by_error,
                     const struct catalogue_point *points)
{
    struct run_cell **room = memory_for(count, sizeof *room);
    for (size_t k = 0; k < count; ++k) {
        const double err = cells[k].max_err;
        cells[k].rank = 0;
        cells[k].tied = false;
        cells[k].key = !by_error ? cells[k].us : isnan(err) ? INFINITY : err;
    }
    for (size_t first = 0, size; first < count; first += size) {
        size = standing_group(&cells[first], count - first);
        rank_group(&cells[first], size, by_error, points, room);
    }
    free(room);
}

void standing_by_error(struct run_cell *cells, size_t count,
                       const struct catalogue_point *points)
{
    rank_all(cells, count, true, points);
}

struct run_cell *standing_make(const struct run_folder *run,
                               const struct catalogue_point *points,
                               size_t *count)
{
    const size_t rows = run->rows.count;
    struct run_cell *all = memory_for(rows, sizeof *all);
    *count = 0;
    for (size_t r = 0, cell; r < rows; r += cell) {
        cell = rows - r;
        all[(*count)++] = run_cell_of(&run->rows.row[r], &cell);
    }
    rank_all(all, *count, false, points);
    return all;
}

/* ------------------------------------------------------------------- leads */

static bool is_faster(const struct run_cell *cell, const struct run_cell *other)
{
    const int firm = standing_firm(cell) - standing_firm(other);
    return firm ? firm > 0 : cell->us < other->us;
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
        if (standing_timed(own) &&
            (own->rank || !standing_calls_others(own->row)) &&
            (!lead.fastest || is_faster(own, lead.fastest)))
            lead.fastest = own;
        if (own->rank && strncmp(own->row->family, "cub_", 4) == 0 &&
            strncmp(own->row->family, "cub_block_", 10) != 0 && /* ours */
            (!lead.cub || own->rank < lead.cub->rank))
            lead.cub = own;
    }
    return lead;
}

struct lead *leads_make(const struct run_cell *all, size_t count, size_t *leads)
{
    struct lead *made = memory_for(count, sizeof *made);
    *leads = 0;
    for (size_t first = 0, size; first < count; first += size) {
        size = standing_group(&all[first], count - first);
        made[(*leads)++] = lead_of(&all[first], size);
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

static bool leads(const struct lead *lead, const char *family)
{
    for (size_t c = 0; c < lead->count; ++c)
        if (lead->cells[c].tied &&
            strcmp(lead->cells[c].row->family, family) == 0)
            return true;
    return false;
}

/* The number of the lead's class among those kept, or `classes`. */
static size_t find_class(const struct lead *kept, size_t classes,
                         const struct lead *lead)
{
    const struct row *own = lead->cells->row;
    for (size_t c = 0; c < classes; ++c) {
        const struct row *row = kept[c].cells->row;
        if (row->op == own->op && row->dtype == own->dtype &&
            row->cache == own->cache &&
            shape_class_of(row->shape) == shape_class_of(own->shape))
            return c;
    }
    return classes;
}

/* True if it stands for their class, by a time, then size, then a time of
 * CUB's. */
static bool outranks(const struct lead *lead, const struct lead *other)
{
    const int64_t elems = shape_elems(lead->cells->row->shape),
                  others = shape_elems(other->cells->row->shape);
    if (!lead->first != !other->first)
        return lead->first;
    return elems != others ? elems > others : lead->cub && !other->cub;
}

size_t leads_by_class(struct lead *all, size_t count)
{
    struct lead *kept = memory_for(count, sizeof *kept);
    size_t classes = 0;
    for (size_t k = 0; k < count; ++k) {
        const size_t c = find_class(kept, classes, &all[k]);
        if (c == classes || outranks(&all[k], &kept[c]))
            kept[c] = all[k];
        classes += c == classes;
    }
    for (size_t c = 0; c < classes; ++c)
        kept[c].shapes = kept[c].won = 0;
    for (size_t k = 0; k < count; ++k) {
        struct lead *of = &kept[find_class(kept, classes, &all[k])];
        ++of->shapes;
        of->won += of->first && leads(&all[k], of->first->row->family);
    }
    memcpy(all, kept, classes * sizeof *all);
    free(kept);
    return classes;
}
