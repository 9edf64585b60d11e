/* SPDX-License-Identifier: MIT
 *
 * A model of the time over several ranks, fitted to runs with --ranks:
 *
 *   scale [--fit-to N] FILE...    FILE: an operation's CSV of a run
 *   scale --curve MOST FILE...    its shares of N ceilings, up to MOST ranks
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

#include "src/base/csv.h"
#include "src/base/memory.h"
#include "src/runs/row.h"

enum { PARAMETERS = 3, MAX_FIELDS = 128, TWO = 2 };

struct rows {
    struct row *row;
    size_t count, room;
};

struct fit {
    double by[PARAMETERS]; /* a, e, k */
    size_t used, held_out;
    double worst_pct; /* of the held out, or else of those used */
    int ranks;        /* of the first */
    bool knows_e;     /* others have other ranks */
};

/* What the ceilings of all its ranks would take, microseconds. */
static double ideal_us(const struct row *row)
{
    return (double)row->bytes / (row->ceiling_gbps * 1e3);
}

static bool counts(const struct row *row)
{
    return status_is_timed(row->status) && row->ranks > 0 &&
           row->median_us > 0 && row->ceiling_gbps > 0 &&
           op_twin(row->op) != row->op;
}

static bool read_file(struct rows *rows, const char *path)
{
    char *fields[MAX_FIELDS], problem[ROW_PROBLEM_BYTES] = "";
    struct row_header header;
    struct csv_reader in = { .file = csv_open(path) };
    if (!in.file) {
        fprintf(stderr, "scale: %s: %s\n", path, strerror(errno));
        return false;
    }
    size_t count = csv_read(&in, fields, MAX_FIELDS);
    bool ok = count && row_read_header(&header, fields, count, problem);
    while (ok && (count = csv_read(&in, fields, MAX_FIELDS))) {
        struct row row;
        ok = row_read(&header, fields, count, &row, problem);
        if (!ok || !counts(&row))
            continue;
        if (rows->count == rows->room) {
            rows->room = rows->room ? 2 * rows->room : 64;
            rows->row = memory_grown(rows->row, rows->room, sizeof *rows->row);
        }
        rows->row[rows->count++] = row;
    }
    if (!ok || in.problem)
        fprintf(stderr, "scale: %s:%lld: %s\n", path, (long long)in.line,
                in.problem ? in.problem : problem);
    ok = ok && !in.problem;
    csv_read_end(&in);
    fclose(in.file);
    return ok;
}

/* One operation, type and kind of shape; with `variant`, of one variant. */
static bool alike(const struct row *l, const struct row *r, bool variant)
{
    return l->op == r->op && l->dtype == r->dtype && l->outer == r->outer &&
           l->inner == r->inner &&
           (!variant || strcmp(l->variant, r->variant) == 0);
}

static void terms_of(const struct row *row, double terms[PARAMETERS])
{
    terms[0] = 1;
    terms[1] = (double)(row->ranks - 1);
    terms[2] = ideal_us(row);
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

static double model_us(const struct fit *fit, const struct row *row)
{
    double terms[PARAMETERS], us = 0;
    terms_of(row, terms);
    for (int p = 0; p < PARAMETERS; ++p)
        us += fit->by[p] * terms[p];
    return us;
}

static struct fit fit_of(const struct rows *rows, const struct row *like,
                         int64_t fit_to)
{
    double m[PARAMETERS][PARAMETERS + 1] = { { 0 } };
    struct fit fit = { .used = 0 };
    for (size_t k = 0; k < rows->count; ++k) {
        const struct row *row = &rows->row[k];
        double terms[PARAMETERS];
        if (!alike(row, like, true) || row->ranks > fit_to)
            continue;
        terms_of(row, terms);
        fit.ranks = fit.used++ ? fit.ranks : row->ranks;
        fit.knows_e |= row->ranks != fit.ranks;
        for (int r = 0; r < PARAMETERS; ++r) {
            const double weight = terms[r] / row->median_us / row->median_us;
            for (int c = 0; c < PARAMETERS; ++c)
                m[r][c] += weight * terms[c];
            m[r][PARAMETERS] += weight * row->median_us;
        }
    }
    solve(m, fit.by);
    for (size_t k = 0; k < rows->count; ++k)
        fit.held_out +=
            alike(&rows->row[k], like, true) && rows->row[k].ranks > fit_to;
    for (size_t k = 0; k < rows->count; ++k) {
        const struct row *row = &rows->row[k];
        const double pct = 100 * fabs(model_us(&fit, row) / row->median_us - 1);
        if (alike(row, like, true) && (row->ranks > fit_to || !fit.held_out) &&
            pct > fit.worst_pct)
            fit.worst_pct = pct;
    }
    return fit;
}

/* The best over one rank of the same problem; infinite: not measured. */
static double alone_us(const struct rows *rows, const struct row *of)
{
    double us = INFINITY;
    for (size_t k = 0; k < rows->count; ++k) {
        const struct row *row = &rows->row[k];
        if (alike(row, of, false) && row->axis == of->axis && row->ranks == 1)
            us = fmin(us, row->median_us);
    }
    return us;
}

static int64_t pays_from(const struct rows *rows, const struct row *like)
{
    int64_t loses = 0, pays = -1;
    for (int turn = 0; turn < 2; ++turn)
        for (size_t k = 0; k < rows->count; ++k) {
            const struct row *row = &rows->row[k];
            const double alone = alone_us(rows, row);
            if (!alike(row, like, true) || row->ranks != TWO || isinf(alone))
                continue;
            if (turn == 0 && row->median_us >= alone && row->bytes > loses)
                loses = row->bytes;
            if (turn == 1 && row->bytes > loses &&
                (pays < 0 || row->bytes < pays))
                pays = row->bytes;
        }
    return pays;
}

static void put_names(const struct row *like)
{
    csv_write_field(stdout, true, op_name(like->op));
    csv_write_field(stdout, false, dtype_name(like->dtype));
    csv_write_integer(stdout, false, like->outer);
    csv_write_integer(stdout, false, like->inner);
    csv_write_field(stdout, false, like->variant);
}

static void put_fit(const struct rows *rows, const struct row *like,
                    const struct fit *fit)
{
    put_names(like);
    csv_write_integer(stdout, false, (int64_t)fit->used);
    for (int p = 0; p < PARAMETERS; ++p)
        csv_write_real(stdout, false,
                       p == 1 && !fit->knows_e ? NAN : fit->by[p]);
    csv_write_integer(stdout, false, (int64_t)fit->held_out);
    csv_write_real(stdout, false, fit->worst_pct);
    csv_write_integer(stdout, false, pays_from(rows, like));
    csv_write_end(stdout);
}

/* The largest measured problem, over more and more ranks, and as much of it a
 * rank as two had. */
static void put_curve(const struct rows *rows, const struct row *like,
                      const struct fit *fit, int64_t most)
{
    struct row largest = *like;
    for (size_t k = 0; k < rows->count; ++k)
        if (alike(&rows->row[k], like, true) &&
            rows->row[k].bytes >= largest.bytes)
            largest = rows->row[k];
    const double alone = ideal_us(&largest) * (double)largest.ranks;
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
    struct rows rows = { 0 };
    int64_t fit_to = INT64_MAX, most = 0;
    int at = 1;
    bool ok = take_number(argc, argv, "--fit-to", &at, &fit_to) &&
              take_number(argc, argv, "--curve", &at, &most) && at < argc;
    if (!ok)
        fputs("usage: scale [--fit-to N] [--curve MOST] FILE...\n", stderr);
    for (; ok && at < argc; ++at)
        ok = read_file(&rows, argv[at]);
    if (ok && !rows.count)
        fputs("scale: no row was timed over ranks: scanbench run --ranks N\n",
              stderr);
    if (ok && rows.count)
        puts(most ? "op,dtype,outer,inner,variant,scaling,ranks,us,share"
                  : "op,dtype,outer,inner,variant,rows,latency_us,"
                    "rank_us,passes,held_out,worst_pct,pays_from");
    for (size_t k = 0; ok && k < rows.count; ++k) {
        bool first = true;
        for (size_t j = 0; j < k && first; ++j)
            first = !alike(&rows.row[j], &rows.row[k], true);
        if (!first)
            continue;
        const struct fit fit = fit_of(&rows, &rows.row[k], fit_to);
        if (most && fit.used > PARAMETERS && fit.knows_e && fit.by[2] > 0)
            put_curve(&rows, &rows.row[k], &fit, most);
        else if (!most)
            put_fit(&rows, &rows.row[k], &fit);
    }
    ok = ok && rows.count;
    free(rows.row);
    return ok ? 0 : 2;
}
