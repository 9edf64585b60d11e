/* SPDX-License-Identifier: MIT
 *
 * A model of the time over several ranks, fitted to runs with --ranks:
 *
 *   scale [--fit-to N] FILE...    FILE: an operation's CSV of a run
 *   scale --curve MOST FILE...    its shares of N ceilings, up to MOST ranks
 *   scale --cells FILE...         what is ok, one time for all processes;
 *                                 what is damaged is reported and left out, and
 *                                 files that no operation names are passed over
 *
 * A launch over N ranks takes a + e (N - 1) + k t microseconds, where t is what
 * all ranks' ceilings together would take for its bytes: a is latency whatever
 * the size, e what each rank more adds to the exchange, k the passes that it is
 * worth. Fitted by least squares of the relative error, for each operation,
 * type, variant and kind of shape, on rows of up to --fit-to ranks; the others
 * say how far the model is off. Rows of one number of ranks do not tell e from
 * a: it is empty then, and part of the latency. No curve is printed of them,
 * nor where rows are so few that any would fit. pays_from is the fewest bytes
 * from which on every measured size is faster over 2 ranks than the best
 * over 1. CSV on stdout; exit status 2 for usage or bad input, or where there
 * is nothing to fit.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/csv.h"
#include "src/base/memory.h"
#include "src/runs/run_cell.h"

enum { PARAMETERS = 3, TWO = 2 };

/* Of several files; the cells point into their rows. */
struct cells {
    struct run_rows *file;
    struct run_cell *cell;
    size_t files, count;
};

struct fit {
    double by[PARAMETERS]; /* a, e, k */
    size_t used, held_out;
    double worst_pct; /* of the held out, or else of those used */
    int ranks;        /* of the first */
    bool knows_e;     /* others have other ranks */
};

/* What the ceilings of all its ranks would take, microseconds. */
static double ideal_us(const struct run_cell *cell)
{
    return (double)cell->row->bytes / (cell->ceiling_gbps * 1e3);
}

static bool counts(const struct run_cell *cell)
{
    return cell->us > 0 && cell->ceiling_gbps > 0 && cell->row->ranks > 0 &&
           op_twin(cell->row->op) != cell->row->op;
}

/* Named after an operation, as a run's files of rows are. */
static bool has_rows(const char *path)
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

/* Adds the file's cells, each one time for all its processes. False if it, or
 * a line of it, cannot be read. */
static bool read_file(struct cells *cells, const char *path)
{
    const struct listener listener = { hear, NULL };
    if (access(path, R_OK) != 0) {
        fprintf(stderr, "scale: %s: %s\n", path, strerror(errno));
        return false;
    }
    cells->file =
        memory_grown(cells->file, cells->files + 1, sizeof *cells->file);
    struct run_rows *rows = &cells->file[cells->files++];
    *rows = (struct run_rows){ 0 };
    run_rows_read(rows, path, &listener);
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

/* One operation, type and kind of shape; with `variant`, of one variant. */
static bool alike(const struct run_cell *l, const struct run_cell *r,
                  bool variant)
{
    return l->row->op == r->row->op && l->row->dtype == r->row->dtype &&
           l->row->shape.outer == r->row->shape.outer &&
           l->row->shape.inner == r->row->shape.inner &&
           (!variant || strcmp(l->row->variant, r->row->variant) == 0);
}

static void terms_of(const struct run_cell *cell, double terms[PARAMETERS])
{
    terms[0] = 1;
    terms[1] = (double)(cell->row->ranks - 1);
    terms[2] = ideal_us(cell);
}

/* Gauss's elimination of the normal equations; what the rows do not tell apart
 * is 0. */
static void solve(double m[PARAMETERS][PARAMETERS + 1], double by[PARAMETERS])
{
    static const double nothing = 1e-9;
    static const int order[PARAMETERS] = { 2, 0, 1 };
    for (int p = 0; p < PARAMETERS; ++p) {
        const int at = order[p];
        const bool known = fabs(m[at][at]) > nothing;
        for (int r = 0; r < PARAMETERS && known; ++r) {
            const double times = r == at ? 0 : m[r][at] / m[at][at];
            for (int c = 0; c <= PARAMETERS; ++c)
                m[r][c] -= times * m[at][c];
        }
        for (int c = 0; c <= PARAMETERS && !known; ++c)
            m[at][c] = 0;
    }
    for (int p = 0; p < PARAMETERS; ++p)
        by[p] = fabs(m[p][p]) > nothing ? m[p][PARAMETERS] / m[p][p] : 0;
}

static double model_us(const struct fit *fit, const struct run_cell *cell)
{
    double terms[PARAMETERS], us = 0;
    terms_of(cell, terms);
    for (int p = 0; p < PARAMETERS; ++p)
        us += fit->by[p] * terms[p];
    return us;
}

static struct fit fit_of(const struct cells *cells, const struct run_cell *like,
                         int64_t fit_to)
{
    double m[PARAMETERS][PARAMETERS + 1] = { { 0 } };
    struct fit fit = { .used = 0 };
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        double terms[PARAMETERS];
        if (!alike(cell, like, true) || cell->row->ranks > fit_to)
            continue;
        terms_of(cell, terms);
        fit.ranks = fit.used++ ? fit.ranks : cell->row->ranks;
        fit.knows_e |= cell->row->ranks != fit.ranks;
        for (int r = 0; r < PARAMETERS; ++r) {
            const double weight = terms[r] / cell->us / cell->us;
            for (int c = 0; c < PARAMETERS; ++c)
                m[r][c] += weight * terms[c];
            m[r][PARAMETERS] += weight * cell->us;
        }
    }
    solve(m, fit.by);
    for (size_t k = 0; k < cells->count; ++k)
        fit.held_out += alike(&cells->cell[k], like, true) &&
                        cells->cell[k].row->ranks > fit_to;
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        const double pct = 100 * fabs(model_us(&fit, cell) / cell->us - 1);
        if (alike(cell, like, true) &&
            (cell->row->ranks > fit_to || !fit.held_out) && pct > fit.worst_pct)
            fit.worst_pct = pct;
    }
    return fit;
}

/* The best over one rank of the same problem; infinite: not measured. */
static double alone_us(const struct cells *cells, const struct run_cell *of)
{
    double us = INFINITY;
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        if (alike(cell, of, false) &&
            cell->row->shape.axis == of->row->shape.axis &&
            cell->row->ranks == 1)
            us = fmin(us, cell->us);
    }
    return us;
}

static int64_t pays_from(const struct cells *cells, const struct run_cell *like)
{
    int64_t loses = 0, pays = -1;
    for (int turn = 0; turn < 2; ++turn)
        for (size_t k = 0; k < cells->count; ++k) {
            const struct run_cell *cell = &cells->cell[k];
            const double alone = alone_us(cells, cell);
            if (!alike(cell, like, true) || cell->row->ranks != TWO ||
                isinf(alone))
                continue;
            if (turn == 0 && cell->us >= alone && cell->row->bytes > loses)
                loses = cell->row->bytes;
            if (turn == 1 && cell->row->bytes > loses &&
                (pays < 0 || cell->row->bytes < pays))
                pays = cell->row->bytes;
        }
    return pays;
}

static void put_names(const struct run_cell *like)
{
    csv_write_field(stdout, true, op_name(like->row->op));
    csv_write_field(stdout, false, dtype_name(like->row->dtype));
    csv_write_integer(stdout, false, like->row->shape.outer);
    csv_write_integer(stdout, false, like->row->shape.inner);
    csv_write_field(stdout, false, like->row->variant);
}

static void put_fit(const struct cells *cells, const struct run_cell *like,
                    const struct fit *fit)
{
    put_names(like);
    csv_write_integer(stdout, false, (int64_t)fit->used);
    for (int p = 0; p < PARAMETERS; ++p)
        csv_write_real(stdout, false,
                       p == 1 && !fit->knows_e ? NAN : fit->by[p]);
    csv_write_integer(stdout, false, (int64_t)fit->held_out);
    csv_write_real(stdout, false, fit->worst_pct);
    csv_write_integer(stdout, false, pays_from(cells, like));
    csv_write_end(stdout);
}

/* The largest measured problem, over more and more ranks, and as much of it a
 * rank as two had. */
static void put_curve(const struct cells *cells, const struct run_cell *like,
                      const struct fit *fit, int64_t most)
{
    struct run_cell largest = *like;
    for (size_t k = 0; k < cells->count; ++k)
        if (alike(&cells->cell[k], like, true) &&
            cells->cell[k].row->bytes >= largest.row->bytes)
            largest = cells->cell[k];
    const double alone = ideal_us(&largest) * (double)largest.row->ranks;
    for (int64_t n = 1; n <= most; n *= 2)
        for (int weak = 0; weak < 2; ++weak) {
            const double ideal = weak ? alone / TWO : alone / (double)n;
            const double us =
                fit->by[0] + fit->by[1] * (double)(n - 1) + fit->by[2] * ideal;
            put_names(like);
            csv_write_field(stdout, false, weak ? "weak" : "strong");
            csv_write_integer(stdout, false, n);
            csv_write_real(stdout, false, us);
            csv_write_real(stdout, false, ideal / us);
            csv_write_end(stdout);
        }
}

/* For tables and charts: one line a cell that is ok. */
static void put_cells(const struct cells *cells)
{
    puts("op,dtype,outer,axis,inner,ranks,variant,us,pct_ceiling,exchange_us,"
         "bytes");
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        const struct run_row *row = cell->row;
        if (cell->status != STATUS_OK)
            continue;
        csv_write_field(stdout, true, op_name(row->op));
        csv_write_field(stdout, false, dtype_name(row->dtype));
        csv_write_integer(stdout, false, row->shape.outer);
        csv_write_integer(stdout, false, row->shape.axis);
        csv_write_integer(stdout, false, row->shape.inner);
        csv_write_integer(stdout, false, row->ranks);
        csv_write_field(stdout, false, row->variant);
        csv_write_real(stdout, false, cell->us);
        csv_write_real(stdout, false, cell->pct_ceiling);
        csv_write_real(stdout, false, cell->exchange_us);
        csv_write_integer(stdout, false, row->bytes);
        csv_write_end(stdout);
    }
}

/* A line each operation, type, variant and kind of shape. */
static void put_models(const struct cells *cells, int64_t fit_to, int64_t most)
{
    puts(most ? "op,dtype,outer,inner,variant,scaling,ranks,us,share"
              : "op,dtype,outer,inner,variant,rows,latency_us,"
                "rank_us,passes,held_out,worst_pct,pays_from");
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        bool first = true;
        for (size_t j = 0; j < k && first; ++j)
            first = !alike(&cells->cell[j], cell, true);
        if (!first)
            continue;
        const struct fit fit = fit_of(cells, cell, fit_to);
        if (most && fit.used > PARAMETERS && fit.knows_e && fit.by[2] > 0)
            put_curve(cells, cell, &fit, most);
        else if (!most)
            put_fit(cells, cell, &fit);
    }
}

static bool take_number(int argc, char **argv, const char *option, int *at,
                        int64_t *number)
{
    if (*at >= argc || strcmp(argv[*at], option) != 0)
        return true;
    *at += 2;
    return *at <= argc && csv_read_integer(argv[*at - 1], number) &&
           *number > 0;
}

int main(int argc, char **argv)
{
    struct cells cells = { 0 };
    int64_t fit_to = INT64_MAX, most = 0;
    int at = 1;
    const bool all = at < argc && strcmp(argv[at], "--cells") == 0;
    at += all;
    bool ok = take_number(argc, argv, "--fit-to", &at, &fit_to) &&
              take_number(argc, argv, "--curve", &at, &most) && at < argc;
    if (!ok)
        fputs("usage: scale [--cells] [--fit-to N] [--curve MOST] FILE...\n",
              stderr);
    for (; ok && at < argc; ++at)
        if (!all || has_rows(argv[at]))
            ok = read_file(&cells, argv[at]) || all;
    if (ok && !all && !cells.count)
        fputs("scale: no row was timed over ranks: scanbench run --ranks N\n",
              stderr);
    ok = ok && (all || cells.count);
    if (ok && all)
        put_cells(&cells);
    else if (ok)
        put_models(&cells, fit_to, most);
    for (size_t k = 0; k < cells.files; ++k)
        run_rows_free(&cells.file[k]);
    free(cells.file);
    free(cells.cell);
    return ok ? 0 : 2;
}
