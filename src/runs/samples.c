/* SPDX-License-Identifier: MIT */
#include "src/runs/samples.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/base/memory.h"

enum { PATH_BYTES = 4096, MAX_FIELDS = 2 * SAMPLES_COLUMN_COUNT };

static const char *const columns[] = {
#define SAMPLES_NAME(name, meaning) #name,
    SAMPLES_COLUMNS(SAMPLES_NAME)
#undef SAMPLES_NAME
};

/* ----------------------------------------------------------------- writing */

bool samples_write_header(FILE *file)
{
    for (int c = 0; c < SAMPLES_COLUMN_COUNT; ++c)
        csv_write_field(file, c == 0, columns[c]);
    return csv_write_end(file);
}

bool samples_write(FILE *file, const struct row *row, const double *us)
{
    csv_write_field(file, true, op_name(row->op));
    csv_write_field(file, false, row->variant);
    csv_write_field(file, false, dtype_name(row->dtype));
    csv_write_integer(file, false, row->shape.outer);
    csv_write_integer(file, false, row->shape.axis);
    csv_write_integer(file, false, row->shape.inner);
    csv_write_field(file, false, cache_name(row->cache));
    csv_write_integer(file, false, row->process);
    for (size_t k = 0; k < row->us.count; ++k)
        fprintf(file, "%c%.7g", k ? ' ' : ',', us[k]);
    return csv_write_end(file);
}

/* ------------------------------------------------------------------- a line */

bool samples_is_header(char *const *fields, size_t count)
{
    bool same = count == SAMPLES_COLUMN_COUNT;
    for (size_t c = 0; same && c < count; ++c)
        same = strcmp(fields[c], columns[c]) == 0;
    return same;
}

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

const char *samples_read(struct row *of, double *us, size_t *us_count,
                         char *const *fields, size_t count)
{
    int64_t number[4] = { -1, -1, -1, -1 }; /* outer, axis, inner, process */
    static const int places[4] = { 3, 4, 5, 7 };
    if (count != SAMPLES_COLUMN_COUNT)
        return "not as many fields as columns";
    *of = (struct row){ .variant = fields[1] };
    bool ok = op_parse(fields[0], &of->op) && *fields[1] &&
              dtype_parse(fields[2], &of->dtype) &&
              cache_parse(fields[6], &of->cache);
    for (int k = 0; k < 4; ++k)
        ok = ok && csv_read_integer(fields[places[k]], &number[k]) &&
             number[k] >= 0;
    if (!ok)
        return "samples that do not say which cell they are of";
    of->shape = (struct shape){ number[0], number[1], number[2] };
    of->process = number[3];
    return read_times(fields[8], us, us_count);
}

/* -------------------------------------------------------------------- a run */

static void keep(struct run_samples *samples, const struct row *of,
                 const double *us, size_t count)
{
    if (samples->count == samples->room) {
        samples->room = samples->room ? 2 * samples->room : 64;
        samples->cell =
            memory_grown(samples->cell, samples->room, sizeof *samples->cell);
    }
    struct cell_samples *cell = &samples->cell[samples->count++];
    *cell = (struct cell_samples){ *of, memory_for(count, sizeof *us), count };
    cell->of.variant = texts_keep(&samples->texts, of->variant);
    memcpy(cell->us, us, count * sizeof *us);
}

static void tell(struct run_samples *samples, const char *path, int64_t line,
                 const char *problem, const char *remedy,
                 const struct listener *listener)
{
    ++samples->damaged;
    listener->hear(listener->context, path, line, problem, remedy);
}

static void read_lines(struct run_samples *samples, struct csv_reader *reader,
                       const char *path, int64_t first_process,
                       const struct listener *listener)
{
    char *fields[MAX_FIELDS];
    double us[SAMPLES_MOST];
    struct row of;
    size_t us_count;
    for (size_t count;
         (count = csv_read(reader, fields, MAX_FIELDS)) || reader->problem;) {
        const char *wrong = reader->problem;
        if (!wrong && reader->torn)
            wrong = "cut short: no line break at its end";
        if (!wrong)
            wrong = samples_read(&of, us, &us_count, fields, count);
        if (wrong)
            tell(samples, path, reader->line, wrong,
                 reader->unreadable
                     ? "the rest is left out"
                     : "the line is left out: its cell has no samples",
                 listener);
        of.process += first_process;
        of.line = reader->line;
        if (!wrong)
            keep(samples, &of, us, us_count);
    }
}

static void read_part(struct run_samples *samples, const struct run_part *part,
                      const struct listener *listener)
{
    char *fields[MAX_FIELDS], path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/" SAMPLES_FILE, part->path);
    struct csv_reader reader = { .file = fopen(path, "r") };
    if (!reader.file && errno == ENOENT)
        return;
    if (!reader.file)
        tell(samples, path, 0, strerror(errno), "the file is left out",
             listener);
    else if (!samples_is_header(fields, csv_read(&reader, fields, MAX_FIELDS)))
        tell(samples, path, 1,
             reader.problem ? reader.problem
                            : "other columns than this scanbench knows",
             "the file is left out; results/README.md has the columns",
             listener);
    else
        read_lines(samples, &reader, path, part->first_process, listener);
    csv_read_end(&reader);
    if (reader.file)
        fclose(reader.file);
}

static int process_order(const struct row *left, const struct row *right)
{
    const int order = run_cell_order(left, right);
    return order ? order
                 : (left->process > right->process) -
                       (left->process < right->process);
}

static int order(const void *left, const void *right)
{
    const struct row *l = &((const struct cell_samples *)left)->of;
    const struct row *r = &((const struct cell_samples *)right)->of;
    const int order = process_order(l, r);
    return order ? order : (l->line > r->line) - (l->line < r->line);
}

void run_samples_read(struct run_samples *samples, const struct run_folder *run,
                      const struct listener *listener)
{
    *samples = (struct run_samples){ 0 };
    for (size_t p = 0; p < run->part_count; ++p)
        read_part(samples, &run->parts[p], listener);
    if (samples->count)
        qsort(samples->cell, samples->count, sizeof *samples->cell, order);
}

void run_samples_free(struct run_samples *samples)
{
    for (size_t k = 0; k < samples->count; ++k)
        free(samples->cell[k].us);
    free(samples->cell);
    texts_free(&samples->texts);
    *samples = (struct run_samples){ 0 };
}

/* But for the digits that samples.csv does not have. */
static bool same_time(double left, double right)
{
    return fabs(left - right) <= 1e-6 * right;
}

static bool agree(const struct cell_samples *cell, const struct row *row)
{
    double least = INFINITY, most = 0;
    for (size_t k = 0; k < cell->count; ++k) {
        least = fmin(least, cell->us[k]);
        most = fmax(most, cell->us[k]);
    }
    return cell->count == row->us.count && same_time(least, row->us.min) &&
           same_time(most, row->us.max);
}

const struct cell_samples *run_samples_of(const struct run_samples *samples,
                                          const struct row *row)
{
    const struct cell_samples *found = NULL;
    size_t low = 0, high = samples->count;
    while (low < high) { /* the first that is not before it */
        const size_t middle = low + (high - low) / 2;
        if (process_order(&samples->cell[middle].of, row) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < samples->count &&
           process_order(&samples->cell[low].of, row) == 0;
         ++low)
        if (agree(&samples->cell[low], row))
            found = &samples->cell[low];
    return found;
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
