/* SPDX-License-Identifier: MIT */
#include "src/runs/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/base/memory.h"

struct line {
    int op;
    struct row of;
    char *us;
};

static const struct csv_column columns[] = {
    COLUMN(line, op, op, OP, NEEDED),
    COLUMN(line, variant, of.variant, TEXT, NEEDED),
    COLUMN(line, dtype, of.dtype, DTYPE, NEEDED),
    COLUMN(line, outer, of.shape.outer, INTEGER, NEEDED),
    COLUMN(line, axis, of.shape.axis, INTEGER, NEEDED),
    COLUMN(line, inner, of.shape.inner, INTEGER, NEEDED),
    COLUMN(line, cache, of.cache, CACHE, NEEDED),
    COLUMN(line, process, of.process, INTEGER, NEEDED),
    COLUMN(line, us, us, LONG_TEXT, NEEDED),
    COLUMN(line, lines, of.shape.lines, LINES, OPTIONAL),
};

const struct columns samples_columns = COLUMNS_OF(columns);

void samples_write(FILE *file, const struct row *row, const double *us)
{
    char text[16 * SAMPLES_MOST] = "";
    struct line line = { (int)row->op, *row, text };
    size_t used = 0;
    for (size_t k = 0; k < row->us.count; ++k)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.7g",
                                 k ? " " : "", us[k]);
    columns_write(file, &samples_columns, &line);
}

/* ----------------------------------------------------------------- reading */

struct reader {
    struct line line; /* first, as columns_read_file() gets it */
    struct run_samples *samples;
    int64_t first_process;
};

static const char *read_times(char *text, double *us, size_t *count)
{
    *count = 0;
    for (char *word; (word = strsep(&text, " "));) {
        double *to = &us[*count];
        if (*count == SAMPLES_MOST)
            return "more samples than a cell can have";
        *to = NAN;
        if (!csv_read_real(word, to) || !(*to > 0))
            return "a sample is no time";
        ++*count;
    }
    return NULL;
}

static const char *take_line(void *record, int64_t number, char *problem)
{
    struct reader *reader = record;
    struct run_samples *samples = reader->samples;
    struct row of = reader->line.of;
    double us[SAMPLES_MOST];
    size_t count;
    const char *wrong = read_times(reader->line.us, us, &count);
    (void)problem;
    if (reader->line.op < 0 || !*of.variant || of.shape.outer < 0 ||
        of.shape.axis < 0 || of.shape.inner < 0 || of.process < 0)
        return "the cell of the samples is unknown";
    if (wrong)
        return wrong;
    of.op = (enum op)reader->line.op;
    of.variant = texts_keep(&samples->texts, of.variant);
    of.process += reader->first_process;
    of.line = number;
    samples->cell =
        memory_more(samples->cell, samples->count, sizeof *samples->cell);
    struct cell_samples *cell = &samples->cell[samples->count++];
    *cell = (struct cell_samples){ of, memory_for(count, sizeof *us), count };
    memcpy(cell->us, us, count * sizeof *us);
    return NULL;
}

void run_samples_read(struct run_samples *samples, const struct run_folder *run,
                      const struct listener *listener)
{
    *samples = (struct run_samples){ 0 };
    for (size_t p = 0; p < run->part_count; ++p) {
        struct reader reader = { .samples = samples,
                                 .first_process = run->parts[p].first_process };
        columns_read_file(&(struct columns_file){ .columns = &samples_columns,
                                                  .folder = run->parts[p].path,
                                                  .name = SAMPLES_FILE,
                                                  .optional = true,
                                                  .record = &reader,
                                                  .take = take_line,
                                                  .listener = listener });
    }
    if (samples->count)
        qsort(samples->cell, samples->count, sizeof *samples->cell,
              run_line_order);
}

void run_samples_free(struct run_samples *samples)
{
    for (size_t k = 0; k < samples->count; ++k)
        free(samples->cell[k].us);
    free(samples->cell);
    texts_free(&samples->texts);
    *samples = (struct run_samples){ 0 };
}

const struct cell_samples *run_samples_of(const struct run_samples *samples,
                                          const struct row *row)
{
    return run_record_of(samples->cell, samples->count, sizeof *samples->cell,
                         row);
}

double *run_samples_pooled(const struct run_samples *samples,
                           const struct run_cell *cell, size_t *count)
{
    double *us = NULL;
    *count = 0;
    for (size_t r = 0; r < cell->rows; ++r) {
        const struct cell_samples *one = run_samples_of(samples, &cell->row[r]);
        if (!one)
            continue;
        us = memory_grown(us, *count + one->count, sizeof *us);
        memcpy(us + *count, one->us, one->count * sizeof *us);
        *count += one->count;
    }
    return us;
}
