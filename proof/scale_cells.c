/* SPDX-License-Identifier: MIT */
#include "proof/scale_cells.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/memory.h"

static bool counts(const struct run_cell *cell)
{
    return cell->us > 0 && cell->ceiling_gbps > 0 && cell->row->ranks > 0 &&
           op_twin(cell->row->op) != cell->row->op;
}

bool cells_has_rows(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t chars = strcspn(name, ".");
    char word[32] = "";
    enum op op;
    if (chars < sizeof word)
        memcpy(word, name, chars);
    return op_parse(word, &op);
}

static void hear(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy)
{
    (void)context;
    fprintf(stderr, "scale: %s:%lld: %s (%s)\n", path, (long long)line, problem,
            remedy);
}

const struct listener scale_listener = { hear, NULL };

bool cells_read(struct cells *cells, const char *path)
{
    if (access(path, R_OK) != 0) {
        fprintf(stderr, "scale: %s: %s\n", path, strerror(errno));
        return false;
    }
    cells->file =
        memory_grown(cells->file, cells->files + 1, sizeof *cells->file);
    struct run_rows *rows = &cells->file[cells->files++];
    *rows = (struct run_rows){ 0 };
    run_rows_read(rows, path, &scale_listener);
    run_rows_sort(rows);
    cells->cell = memory_grown(cells->cell, cells->count + rows->count,
                               sizeof *cells->cell);
    for (size_t r = 0, count; r < rows->count; r += count) {
        count = rows->count - r;
        const struct run_cell cell = run_cell_of(&rows->row[r], &count);
        if (counts(&cell))
            cells->cell[cells->count++] = cell;
    }
    return !rows->damaged;
}

void cells_free(struct cells *cells)
{
    for (size_t k = 0; k < cells->files; ++k)
        run_rows_free(&cells->file[k]);
    free(cells->file);
    free(cells->cell);
}

bool cells_alike(const struct run_cell *l, const struct run_cell *r,
                 bool variant)
{
    return l->row->op == r->row->op && l->row->dtype == r->row->dtype &&
           l->row->shape.outer == r->row->shape.outer &&
           l->row->shape.inner == r->row->shape.inner &&
           (!variant || strcmp(l->row->variant, r->row->variant) == 0);
}

double cells_alone_us(const struct cells *cells, const struct run_cell *of)
{
    double us = INFINITY;
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        if (cells_alike(cell, of, false) &&
            cell->row->shape.axis == of->row->shape.axis &&
            cell->row->ranks == 1)
            us = fmin(us, cell->us);
    }
    return us;
}

double cells_ideal_us(const struct cells *cells, const struct run_cell *of)
{
    const struct run_cell *largest = of;
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        if (cell->row->op == of->row->op &&
            cell->row->dtype == of->row->dtype &&
            cell->row->ranks == of->row->ranks &&
            cell->row->bytes > largest->row->bytes)
            largest = cell;
    }
    return (double)of->row->bytes / (largest->ceiling_gbps * 1e3);
}
