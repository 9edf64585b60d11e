/* SPDX-License-Identifier: MIT
 *
 * A model of the time over several ranks, fitted to runs with --ranks; what it
 * is called with, `usage` below says. Of --cells, what is damaged is reported
 * and left out, and files that no operation names are passed over.
 *
 * A launch over N ranks takes a + e (N - 1) + k t microseconds, where t is what
 * all ranks' ceilings together, as they are at the largest size, would take for
 * its bytes: a is latency whatever the size, e what each rank more adds to the
 * exchange, k the passes that it is worth. Fitted by least squares of the
 * relative error, for each operation, type, variant and kind of shape, on rows
 * of up to --fit-to ranks; the others say how far the model is off. Rows of one
 * number of ranks do not tell e from a: it is empty then, and part of the
 * latency. Where rows are no more than parameters, how far it is off is empty,
 * too. A curve is printed where more rows than that tell all three apart, and
 * none is less than 0. pays_from is the fewest bytes from which on every
 * measured size is faster over 2 ranks than the best over 1, model_pays_from
 * where the two models meet. CSV on stdout; exit status 2 for usage or bad
 * input, or where there is nothing to fit.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "proof/scale_model.h"
#include "src/base/csv.h"
#include "src/runs/ceiling.h"

enum { TWO = 2 };

static int64_t pays_from(const struct cells *cells, const struct run_cell *like)
{
    int64_t loses = 0, pays = -1;
    for (int turn = 0; turn < 2; ++turn)
        for (size_t k = 0; k < cells->count; ++k) {
            const struct run_cell *cell = &cells->cell[k];
            const double alone = cells_alone_us(cells, cell);
            if (!cells_alike(cell, like, true) || cell->row->ranks != TWO ||
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
    const bool known = fit_is_known(fit);
    const bool each = known && fit->knows_each;
    put_names(like);
    csv_write_integer(stdout, false, (int64_t)fit->used);
    csv_write_real(stdout, false, known ? fit->by[LATENCY] : NAN);
    csv_write_real(stdout, false, each ? fit->by[EACH_RANK] : NAN);
    csv_write_real(stdout, false, known ? fit->by[PASSES] : NAN);
    csv_write_integer(stdout, false, (int64_t)fit->held_out);
    csv_write_real(stdout, false, fit_is_tried(fit) ? fit->worst_pct : NAN);
    csv_write_integer(stdout, false, pays_from(cells, like));
    csv_write_real(stdout, false, fit_pays_from(cells, like, fit));
    csv_write_end(stdout);
}

/* A time that grows with the ranks and the size, of parameters that were
 * told apart. */
static bool has_curve(const struct fit *fit)
{
    return fit_is_tried(fit) && fit->knows_each && fit->by[LATENCY] >= 0 &&
           fit->by[EACH_RANK] >= 0 && fit->by[PASSES] > 0;
}

/* The largest measured problem, over more and more ranks, and as much of it a
 * rank as two had. */
static void put_curve(const struct cells *cells, const struct run_cell *like,
                      const struct fit *fit, int64_t most)
{
    const struct run_cell *largest = like;
    for (size_t k = 0; k < cells->count; ++k)
        if (cells_alike(&cells->cell[k], like, true) &&
            cells->cell[k].row->bytes >= largest->row->bytes)
            largest = &cells->cell[k];
    const double alone =
        cells_ideal_us(cells, largest) * (double)largest->row->ranks;
    for (int64_t n = 1; n <= most; n *= 2)
        for (int weak = 0; weak < 2; ++weak) {
            const double ideal = weak ? alone / TWO : alone / (double)n;
            const double us = fit_us(fit, n, ideal);
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
                "rank_us,passes,held_out,worst_pct,pays_from,model_pays_from");
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        bool first = true;
        for (size_t j = 0; j < k && first; ++j)
            first = !cells_alike(&cells->cell[j], cell, true);
        if (!first)
            continue;
        const struct fit fit = fit_of(cells, cell, fit_to);
        if (most && has_curve(&fit))
            put_curve(cells, cell, &fit, most);
        else if (!most)
            put_fit(cells, cell, &fit);
    }
}

static double rate_us(const struct run_ceilings *ceilings, enum op twin,
                      enum dtype dtype)
{
    const struct run_ceiling *at = &ceilings->of[twin][dtype][CACHE_COLD];
    const struct shape shape = { 1, at->elems, 1 };
    return (double)op_bytes(twin, dtype, shape) / (double)at->elems / at->gbps;
}

/* False if one of the files has no such ceilings. */
static bool put_reads(int count, char **paths)
{
    bool all = true;
    puts("file,dtype,read,bound");
    for (int k = 0; k < count; ++k) {
        static struct run_ceilings ceilings;
        bool any = false;
        run_ceilings_read(&ceilings, paths[k], &scale_listener);
        for (int d = 0; d < DTYPE_COUNT; ++d) {
            const double read = rate_us(&ceilings, OP_READ, (enum dtype)d) /
                                rate_us(&ceilings, OP_COPY, (enum dtype)d);
            if (!isfinite(read))
                continue;
            any = true;
            csv_write_field(stdout, true, paths[k]);
            csv_write_field(stdout, false, dtype_name((enum dtype)d));
            csv_write_real(stdout, false, read);
            csv_write_real(stdout, false, 1 / (1 + read));
            csv_write_end(stdout);
        }
        if (!any)
            fprintf(stderr, "scale: %s: no ceilings of read and copy\n",
                    paths[k]);
        all &= any && !ceilings.damaged;
        run_ceilings_free(&ceilings);
    }
    return all;
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

static const char usage[] =
    "scale [--fit-to N] FILE...   the model, fitted to rows of at most N "
    "ranks\n"
    "scale --curve MOST FILE...   its shares of N ceilings, up to MOST ranks\n"
    "scale --cells FILE...        what is ok, one time for all processes\n"
    "scale --read FILE...         of each type, what time reading takes of a\n"
    "                             copy's, and the most of N ceilings that "
    "half\n"
    "                             a pass more leaves; FILE: a run's "
    "ceilings.csv\n"
    "FILE: else an operation's CSV of a run over ranks. CSV to stdout.\n"
    "Exit status: 0; 2 usage or bad input, or nothing to fit.\n";

int main(int argc, char **argv)
{
    struct cells cells = { 0 };
    int64_t fit_to = INT64_MAX, most = 0;
    int at = 1;
    if (argc == 2 &&
        (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        fputs(usage, stdout);
        return 0;
    }
    const bool all = at < argc && strcmp(argv[at], "--cells") == 0;
    if (argc > 2 && strcmp(argv[1], "--read") == 0)
        return put_reads(argc - 2, argv + 2) ? 0 : 2;
    at += all;
    bool ok = take_number(argc, argv, "--fit-to", &at, &fit_to) &&
              take_number(argc, argv, "--curve", &at, &most) && at < argc &&
              argv[at][0] != '-';
    if (!ok)
        fputs(usage, stderr);
    for (; ok && at < argc; ++at)
        if (!all || cells_has_rows(argv[at]))
            ok = cells_read(&cells, argv[at]) || all;
    if (ok && !all && !cells.count)
        fputs("scale: no row was timed over ranks: scanbench run --ranks N\n",
              stderr);
    ok = ok && (all || cells.count);
    if (ok && all)
        put_cells(&cells);
    else if (ok)
        put_models(&cells, fit_to, most);
    cells_free(&cells);
    return ok ? 0 : 2;
}
