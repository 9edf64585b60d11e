/* SPDX-License-Identifier: MIT */
#include "src/analyse/gpus.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"
#include "src/analyse/standing.h"

/* The winner of a problem on a GPU, by one run. */
struct champion {
    const struct run_folder *run;
    size_t gpu;
    const struct row *row;
    double gbps, pct_ceiling;
};

struct champions {
    struct champion *champion;
    size_t count;
};

/* ---------------------------------------------------------------- winners */

static size_t gpu_of(struct gpus *gpus, const struct gpu_run *counted,
                     bool by_card)
{
    const char *together = run_fact(counted->run, "together");
    const struct gpu of = { counted->name,
                            by_card ? run_fact(counted->run, "gpu_hash") : "",
                            by_card && *together ? together : "1" };
    size_t gpu = 0;
    while (gpu < gpus->count && (strcmp(gpus->gpu[gpu].name, of.name) != 0 ||
                                 strcmp(gpus->gpu[gpu].hash, of.hash) != 0 ||
                                 strcmp(gpus->gpu[gpu].together, of.together)))
        ++gpu;
    if (gpu == gpus->count)
        gpus->gpu[gpus->count++] = of;
    return gpu;
}

static void add_run(struct champions *champions, const struct run_folder *run,
                    size_t gpu, const struct catalogue_point *points)
{
    size_t count;
    struct run_cell *standing = standing_make(run, points, &count);
    champions->champion =
        memory_grown(champions->champion, champions->count + count,
                     sizeof *champions->champion);
    for (size_t k = 0; k < count; ++k) {
        const struct run_cell *cell = &standing[k];
        const struct row *row = cell->row;
        if (cell->rank == 1 && row->cache == CACHE_COLD &&
            !op_is_twin(row->op) && cell->gbps > 0)
            champions->champion[champions->count++] =
                (struct champion){ run, gpu, row, cell->gbps,
                                   cell->pct_ceiling };
    }
    free(standing);
}

/* By problem, then by GPU, the newest run first. */
static int by_problem_and_gpu(const void *left, const void *right)
{
    const struct champion *l = left, *r = right;
    const int order = run_group_order(l->row, r->row);
    if (order || l->gpu != r->gpu)
        return order ? order : l->gpu < r->gpu ? -1 : 1;
    const int newer = strcmp(run_fact(r->run, "utc"), run_fact(l->run, "utc"));
    return newer ? newer : strcmp(l->run->path, r->run->path);
}

/* ----------------------------------------------------------------- figures */

/* The problems that each family wins of a row, on one GPU. */
struct wins {
    struct win {
        const char *family;
        size_t count;
    } * of; /* in the order of their first problems */
    size_t families;
};

static void add_win(struct wins *wins, const char *family)
{
    size_t f = 0;
    while (f < wins->families && strcmp(wins->of[f].family, family) != 0)
        ++f;
    if (f == wins->families) {
        wins->of = memory_grown(wins->of, f + 1, sizeof *wins->of);
        wins->of[wins->families++] = (struct win){ family, 0 };
    }
    ++wins->of[f].count;
}

/* The winner has the most wins; of equal families it wins the first problem. */
static void finish_row(struct gpu_row *row, size_t gpus, struct wins *wins)
{
    for (size_t g = 0; g < gpus; ++g) {
        struct gpu_figure *figure = &row->figure[g];
        figure->gbps = exp(figure->gbps / (double)row->problems);
        figure->pct_ceiling = exp(figure->pct_ceiling / (double)row->problems);
        for (size_t f = 0; f < wins[g].families; ++f)
            if (wins[g].of[f].count > figure->wins) {
                figure->winner = wins[g].of[f].family;
                figure->wins = wins[g].of[f].count;
            }
        row->differ |= strcmp(figure->winner, row->figure[0].winner) != 0;
        free(wins[g].of);
    }
}

/* Adds the problem that begins at `first` to its row if all GPUs have it; the
 * means follow in finish_row(). Returns the beginning of the next problem. */
static size_t take_problem(const struct champions *champions, size_t first,
                           size_t gpus, struct gpu_row *rows, struct wins *wins,
                           const struct champion **of)
{
    const struct champion *c = champions->champion;
    const struct row *own = c[first].row;
    const size_t place = (size_t)op_index(own->op) * SHAPE_CLASS_COUNT +
                         (size_t)shape_class_of(own->shape);
    struct gpu_row *row = &rows[place];
    size_t met = 0, next = first;
    for (; next < champions->count && run_group_order(own, c[next].row) == 0;
         ++next)
        if (next == first || c[next].gpu != c[next - 1].gpu)
            of[met++] = &c[next];
    row->problems += met == gpus;
    for (size_t g = 0; met == gpus && g < gpus; ++g) {
        row->figure[g].gbps += log(of[g]->gbps);
        row->figure[g].pct_ceiling += log(of[g]->pct_ceiling);
        add_win(&wins[place * gpus + g], of[g]->row->family);
    }
    return next;
}

void gpus_compare(struct gpus *gpus, const struct gpu_run *runs, size_t count,
                  bool by_card, const struct catalogue_point *points)
{
    enum { ROWS = OPS_MOST * SHAPE_CLASS_COUNT };
    struct champions champions = { 0 };
    *gpus = (struct gpus){ .gpu = memory_for(count, sizeof *gpus->gpu) };
    for (size_t r = 0; r < count; ++r)
        add_run(&champions, runs[r].run, gpu_of(gpus, &runs[r], by_card),
                points);
    if (champions.count)
        qsort(champions.champion, champions.count, sizeof *champions.champion,
              by_problem_and_gpu);
    const struct champion **of = memory_for(gpus->count, sizeof *of);
    struct wins *wins = memory_for(ROWS * gpus->count, sizeof *wins);
    struct gpu_row *rows = memory_for(ROWS, sizeof *rows);
    for (int r = 0; r < ROWS; ++r)
        rows[r] = (struct gpu_row){
            .op = op_at(r / SHAPE_CLASS_COUNT),
            .class = (enum shape_class)(r % SHAPE_CLASS_COUNT),
            .figure = memory_for(gpus->count, sizeof *rows->figure)
        };
    for (size_t at = 0; at < champions.count;)
        at = take_problem(&champions, at, gpus->count, rows, wins, of);
    for (size_t r = 0; r < ROWS; ++r) {
        if (rows[r].problems) {
            finish_row(&rows[r], gpus->count, &wins[r * gpus->count]);
            rows[gpus->row_count++] = rows[r];
        } else
            free(rows[r].figure);
    }
    gpus->row = rows;
    free(wins);
    free(of);
    free(champions.champion);
}

const char *gpus_label(const struct gpus *gpus, size_t gpu)
{
    static char text[ROW_TEXT_BYTES];
    const struct gpu *g = &gpus->gpu[gpu];
    const bool alone = strcmp(g->together, "1") == 0;
    const char *hash = "";
    for (size_t k = 0; k < gpus->count; ++k)
        if (k != gpu && strcmp(gpus->gpu[k].name, g->name) == 0)
            hash = g->hash;
    snprintf(text, sizeof text, "%s%s%.4s%s%s",
             *g->name ? g->name : "unknown device", *hash ? " " : "", hash,
             alone ? "" : ", together ", alone ? "" : g->together);
    return text;
}

double gpus_ratio(const struct gpus *gpus, size_t left, size_t right)
{
    double sum = 0;
    for (size_t r = 0; r < gpus->row_count; ++r)
        sum += log(gpus->row[r].figure[right].gbps /
                   gpus->row[r].figure[left].gbps);
    return exp(sum / (double)gpus->row_count);
}

enum gpu_pair gpus_pair(const struct gpus *gpus, size_t left, size_t right)
{
    const struct gpu *l = &gpus->gpu[left], *r = &gpus->gpu[right];
    if (left == right || strcmp(l->name, r->name) != 0)
        return GPUS_APART;
    if (strcmp(l->hash, r->hash) == 0)
        return strcmp(l->together, "1") == 0 ? GPUS_TOGETHER : GPUS_APART;
    return left < right && strcmp(l->together, r->together) == 0 ? GPUS_SPREAD
                                                                 : GPUS_APART;
}

void gpus_free(struct gpus *gpus)
{
    for (size_t r = 0; r < gpus->row_count; ++r)
        free(gpus->row[r].figure);
    free(gpus->row);
    free(gpus->gpu);
    *gpus = (struct gpus){ 0 };
}
