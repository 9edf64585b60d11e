/* SPDX-License-Identifier: MIT */
#include "proof/scale_model.h"

#include <math.h>

static void terms_of(const struct cells *cells, const struct run_cell *cell,
                     double terms[PARAMETERS])
{
    terms[LATENCY] = 1;
    terms[EACH_RANK] = (double)(cell->row->ranks - 1);
    terms[PASSES] = cells_ideal_us(cells, cell);
}

/* Gauss's elimination of the normal equations; what the rows do not tell apart
 * is 0. */
static void solve(double m[PARAMETERS][PARAMETERS + 1], double by[PARAMETERS])
{
    static const double nothing = 1e-9;
    static const int order[PARAMETERS] = { PASSES, LATENCY, EACH_RANK };
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

double fit_us(const struct fit *fit, int64_t ranks, double ideal_us)
{
    return fit->by[LATENCY] + fit->by[EACH_RANK] * (double)(ranks - 1) +
           fit->by[PASSES] * ideal_us;
}

/* Which cells a fit is of. */
struct wanted {
    const struct run_cell *like;
    bool alone;     /* the best over one rank, not one variant's */
    int64_t fit_to; /* ranks; those of more are held out */
};

static bool is_wanted(const struct cells *cells, const struct wanted *wanted,
                      const struct run_cell *cell)
{
    if (!cells_alike(cell, wanted->like, !wanted->alone))
        return false;
    return !wanted->alone ||
           (cell->row->ranks == 1 && cell->us == cells_alone_us(cells, cell));
}

static void add(const struct cells *cells, const struct run_cell *cell,
                double m[PARAMETERS][PARAMETERS + 1])
{
    double terms[PARAMETERS];
    terms_of(cells, cell, terms);
    for (int r = 0; r < PARAMETERS; ++r) {
        const double weight = terms[r] / cell->us / cell->us;
        for (int c = 0; c < PARAMETERS; ++c)
            m[r][c] += weight * terms[c];
        m[r][PARAMETERS] += weight * cell->us;
    }
}

static struct fit fit_to_wanted(const struct cells *cells,
                                const struct wanted *wanted)
{
    double m[PARAMETERS][PARAMETERS + 1] = { { 0 } };
    struct fit fit = { .used = 0 };
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        if (!is_wanted(cells, wanted, cell))
            continue;
        if (cell->row->ranks > wanted->fit_to) {
            ++fit.held_out;
            continue;
        }
        fit.ranks = fit.used++ ? fit.ranks : cell->row->ranks;
        fit.knows_each |= cell->row->ranks != fit.ranks;
        add(cells, cell, m);
    }
    solve(m, fit.by);
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        const double us =
            fit_us(&fit, cell->row->ranks, cells_ideal_us(cells, cell));
        if (is_wanted(cells, wanted, cell) &&
            (cell->row->ranks > wanted->fit_to || !fit.held_out))
            fit.worst_pct = fmax(fit.worst_pct, 100 * fabs(us / cell->us - 1));
    }
    return fit;
}

struct fit fit_of(const struct cells *cells, const struct run_cell *like,
                  int64_t fit_to)
{
    const struct wanted wanted = { like, false, fit_to };
    return fit_to_wanted(cells, &wanted);
}

struct fit fit_alone(const struct cells *cells, const struct run_cell *like)
{
    const struct wanted wanted = { like, true, 1 };
    return fit_to_wanted(cells, &wanted);
}

static size_t parameters(const struct fit *fit)
{
    return fit->knows_each ? PARAMETERS : PARAMETERS - 1;
}

bool fit_is_known(const struct fit *fit)
{
    return fit->used >= parameters(fit);
}

bool fit_is_tried(const struct fit *fit)
{
    return fit->used > parameters(fit);
}

/* Of a cell over so many ranks; NaN: none was measured. */
static double us_per_byte(const struct cells *cells,
                          const struct run_cell *like, int ranks)
{
    for (size_t k = 0; k < cells->count; ++k) {
        const struct run_cell *cell = &cells->cell[k];
        if (cells_alike(cell, like, false) && cell->row->ranks == ranks)
            return cells_ideal_us(cells, cell) / (double)cell->row->bytes;
    }
    return NAN;
}

double fit_pays_from(const struct cells *cells, const struct run_cell *like,
                     const struct fit *fit)
{
    const struct fit alone = fit_alone(cells, like);
    const double slower = fit_us(fit, 2, 0) - fit_us(&alone, 1, 0);
    const double gain =
        alone.by[PASSES] * us_per_byte(cells, like, 1) -
        fit->by[PASSES] * us_per_byte(cells, like, 2); /* a byte */
    const bool two = fit->knows_each || fit->ranks == 2;
    if (!two || !fit_is_tried(fit) || !fit_is_tried(&alone) || !(gain > 0))
        return NAN;
    return fmax(slower, 0) / gain;
}
