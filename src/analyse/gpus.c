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
                    size_t gpu)
{
    size_t count;
    struct run_cell *standing = standing_make(run, &count);
    champions->champion =
        memory_grown(champions->champion, champions->count + count,
                     sizeof *champions->champion);
    for (size_t k = 0; k < count; ++k) {
        const struct run_cell *cell = &standing[k];
        const struct row *row = cell->row;
        if (cell->rank == 1 && row->cache == CACHE_COLD &&
            op_twin(row->op) != row->op && cell->gbps > 0)
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

/* The problems of one row; each has a champion of every GPU. */
struct common {
    const struct champion **of; /* [problem * gpus + gpu] */
    size_t problems;
};

/* By family, then in the problems' order. */
static int by_family(const void *left, const void *right)
{
    const struct champion *l = *(const struct champion *const *)left;
    const struct champion *r = *(const struct champion *const *)right;
    const int order = strcmp(l->row->family, r->row->family);
    return order ? order : (l > r) - (l < r);
}

/* Families with equally many wins: the one that wins the first problem. */
static void count_wins(const struct common *common, size_t gpus, size_t gpu,
                       struct gpu_figure *figure)
{
    const struct champion **of = memory_for(common->problems, sizeof *of);
    const struct champion *first = NULL;
    for (size_t p = 0; p < common->problems; ++p)
        of[p] = common->of[p * gpus + gpu];
    qsort(of, common->problems, sizeof *of, by_family);
    for (size_t p = 0, next; p < common->problems; p = next) {
        next = p + 1;
        while (next < common->problems &&
               strcmp(of[next]->row->family, of[p]->row->family) == 0)
            ++next;
        if (next - p > figure->wins ||
            (next - p == figure->wins && of[p] < first)) {
            first = of[p];
            figure->wins = next - p;
        }
    }
    figure->winner = first->row->family;
    free(of);
}

static struct gpu_figure figure_of(const struct common *common, size_t gpus,
                                   size_t gpu)
{
    struct gpu_figure figure = { 0 };
    double gbps = 0, pct = 0;
    for (size_t p = 0; p < common->problems; ++p) {
        gbps += log(common->of[p * gpus + gpu]->gbps);
        pct += log(common->of[p * gpus + gpu]->pct_ceiling);
    }
    figure.gbps = exp(gbps / (double)common->problems);
    figure.pct_ceiling = exp(pct / (double)common->problems);
    count_wins(common, gpus, gpu, &figure);
    return figure;
}

static void add_row(struct gpus *gpus, enum op op, enum shape_class class,
                    const struct common *common)
{
    struct gpu_row *row = &gpus->row[gpus->row_count++];
    *row =
        (struct gpu_row){ op, class, common->problems,
                          memory_for(gpus->count, sizeof *row->figure), false };
    for (size_t g = 0; g < gpus->count; ++g) {
        row->figure[g] = figure_of(common, gpus->count, g);
        row->differ |=
            strcmp(row->figure[g].winner, row->figure[0].winner) != 0;
    }
}

/* Adds the problem that begins at `first` if all GPUs have it and it belongs to
 * that row. Returns the beginning of the next problem. */
static size_t take_problem(const struct gpus *gpus,
                           const struct champions *champions, size_t first,
                           enum op op, enum shape_class class,
                           struct common *common)
{
    const struct champion *c = champions->champion;
    const struct champion **of = &common->of[common->problems * gpus->count];
    size_t met = 0, next = first;
    for (; next < champions->count &&
           run_group_order(c[first].row, c[next].row) == 0;
         ++next)
        if (next == first || c[next].gpu != c[next - 1].gpu)
            of[met++] = &c[next];
    common->problems += met == gpus->count && c[first].row->op == op &&
                        shape_class_of(c[first].row->shape) == class;
    return next;
}

void gpus_compare(struct gpus *gpus, const struct gpu_run *runs, size_t count,
                  bool by_card)
{
    struct champions champions = { 0 };
    *gpus = (struct gpus){ .gpu = memory_for(count, sizeof *gpus->gpu) };
    for (size_t r = 0; r < count; ++r)
        add_run(&champions, runs[r].run, gpu_of(gpus, &runs[r], by_card));
    if (champions.count)
        qsort(champions.champion, champions.count, sizeof *champions.champion,
              by_problem_and_gpu);
    struct common common = { .of = memory_for(champions.count + gpus->count,
                                              sizeof *common.of) };
    gpus->row = memory_for(OP_COUNT * SHAPE_CLASS_COUNT, sizeof *gpus->row);
    for (int o = 0; o < OP_COUNT; ++o)
        for (int k = 0; k < SHAPE_CLASS_COUNT; ++k) {
            common.problems = 0;
            for (size_t at = 0; at < champions.count;)
                at = take_problem(gpus, &champions, at, (enum op)o,
                                  (enum shape_class)k, &common);
            if (common.problems)
                add_row(gpus, (enum op)o, (enum shape_class)k, &common);
        }
    free(common.of);
    free(champions.champion);
}

const char *gpus_label(const struct gpus *gpus, size_t gpu)
{
    static char text[ROW_TEXT_BYTES];
    const struct gpu *g = &gpus->gpu[gpu];
    const bool alone = strcmp(g->together, "1") == 0;
    snprintf(text, sizeof text, "%s%s%.4s%s%s",
             *g->name ? g->name : "unknown device", *g->hash ? " " : "",
             g->hash, alone ? "" : ", together ", alone ? "" : g->together);
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
