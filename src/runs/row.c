/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* tdestroy() */
#include "src/runs/row.h"

#include <ctype.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"

/* ----------------------------------------------------------- words of a row */

const char *const cache_names[CACHE_COUNT + 1] = { "cold", "hot", "graph",
                                                   NULL };

const char *const status_names[STATUS_COUNT + 1] = {
#define NAME(constant, name, gravity) name,
    STATUSES(NAME)
#undef NAME
};

const int status_gravities[STATUS_COUNT] = {
#define GRAVITY(constant, name, gravity) gravity,
    STATUSES(GRAVITY)
#undef GRAVITY
};

/* In the order of their bits, which is that in a file. */
static const char *const marks_by_bit[] = { "near_empty",     "ungated",
                                            "cache_assisted", "above_ceiling",
                                            "calls_torch",    "deterministic",
                                            "portable_bits",  "monotone" };
enum { MARK_COUNT = sizeof marks_by_bit / sizeof *marks_by_bit };

const char *const cache_empty_keys[CACHE_COUNT] = { "empty_us", "empty_hot_us",
                                                    "empty_graph_us" };

const char *cache_suffix(enum cache cache)
{
    static const char *const suffixes[CACHE_COUNT] = { "", " hot", " graph" };
    return suffixes[cache];
}

bool status_is_timed(enum status status)
{
    return status == STATUS_OK || status == STATUS_SUSPECT;
}

bool status_is_sampled(enum status status)
{
    return status_is_timed(status) || status == STATUS_UNSTABLE;
}

bool status_is_failed(enum status status)
{
    return status == STATUS_WRONG || status == STATUS_ERROR ||
           status == STATUS_TIMEOUT;
}

const char *marks_text(unsigned marks)
{
    enum { MARKS_BYTES = 128 };
    static char texts[1 << MARK_COUNT][MARKS_BYTES];
    char *text = texts[marks];
    size_t used = 0;
    if (*text)
        return text;
    for (int m = 0; m < MARK_COUNT; ++m)
        if (marks >> m & 1)
            used += (size_t)snprintf(text + used, MARKS_BYTES - used, "%s%s",
                                     used ? "+" : "", marks_by_bit[m]);
    return text;
}

bool marks_parse(const char *text, unsigned *marks)
{
    *marks = 0;
    while (*text) {
        const size_t chars = strcspn(text, "+");
        int mark = 0;
        while (mark < MARK_COUNT && (strlen(marks_by_bit[mark]) != chars ||
                                     strncmp(marks_by_bit[mark], text, chars)))
            ++mark;
        if (mark == MARK_COUNT)
            return false;
        *marks |= 1u << mark;
        text += chars + (text[chars] == '+');
    }
    return true;
}

/* ----------------------------------------------------------------- columns */

static const struct csv_column columns[] = {
    COLUMN(row, variant, variant, TEXT, NEEDED),
    COLUMN(row, dtype, dtype, DTYPE, NEEDED),
    COLUMN(row, outer, shape.outer, INTEGER, NEEDED),
    COLUMN(row, axis, shape.axis, INTEGER, NEEDED),
    COLUMN(row, inner, shape.inner, INTEGER, NEEDED),
    COLUMN(row, cache, cache, CACHE, NEEDED),
    COLUMN(row, process, process, INTEGER, NEEDED),
    COLUMN(row, status, status, STATUS, NEEDED),
    COLUMN(row, reason, reason, TEXT, OPTIONAL),
    COLUMN(row, marks, marks, MARKS, OPTIONAL),
    COLUMN(row, samples, us.count, COUNT, OPTIONAL),
    COLUMN(row, discarded, discarded, INTEGER, OPTIONAL),
    COLUMN(row, launch_us, launch_us, REAL, OPTIONAL),
    COLUMN(row, min_us, us.min, REAL, OPTIONAL),
    COLUMN(row, q1_us, us.q1, REAL, OPTIONAL),
    COLUMN(row, median_us, us.median, REAL, NEEDED),
    COLUMN(row, q3_us, us.q3, REAL, OPTIONAL),
    COLUMN(row, max_us, us.max, REAL, OPTIONAL),
    COLUMN(row, ci_low_us, us.ci_low, REAL, OPTIONAL),
    COLUMN(row, ci_high_us, us.ci_high, REAL, OPTIONAL),
    COLUMN(row, host_us, host_us, REAL, OPTIONAL),
    COLUMN(row, gbps, gbps, REAL, OPTIONAL),
    COLUMN(row, pct_ceiling, pct_ceiling, REAL, OPTIONAL),
    COLUMN(row, passes, passes, REAL, OPTIONAL),
    COLUMN(row, max_err, max_err, REAL, OPTIONAL),
    COLUMN(row, err_bound, err_bound, REAL, OPTIONAL),
    COLUMN(row, sm_mhz, sm_mhz, REAL, OPTIONAL),
    COLUMN(row, sm_counted_mhz, sm_counted_mhz, REAL, OPTIONAL),
    COLUMN(row, mem_mhz, mem_mhz, REAL, OPTIONAL),
    COLUMN(row, temp_c, temp_c, REAL, OPTIONAL),
    COLUMN(row, power_w, power_w, REAL, OPTIONAL),
    COLUMN(row, throttle, throttle, TEXT, OPTIONAL),
    COLUMN(row, ranks, ranks, INTEGER, OPTIONAL),
    COLUMN(row, gpus, gpus, INTEGER, OPTIONAL),
    COLUMN(row, exchange_us, exchange_us, REAL, OPTIONAL),
    COLUMN(row, card, card, TEXT, OPTIONAL),
    COLUMN(row, lines, shape.lines, LINES, OPTIONAL),
};

const struct columns row_columns = COLUMNS_OF(columns);

struct row row_unknown(void)
{
    struct row row = { .family = "", .line = -1 };
    columns_clear(&row_columns, &row);
    row.status = STATUS_ERROR;
    return row;
}

void row_set_ceiling(struct row *row, double ceiling_gbps)
{
    if (row->gbps > 0 && ceiling_gbps > 0)
        row->pct_ceiling = 100 * row->gbps / ceiling_gbps;
}

/* ---------------------------------------------------------------- samples */

struct line {
    int op;
    struct row of;
    char *us;
};

static const struct csv_column samples[] = {
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

const struct columns samples_columns = COLUMNS_OF(samples);

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

/* -------------------------------------------------------------- families */

/* The place where the digits before `end` begin. */
static size_t digits_from(const char *name, size_t end)
{
    while (end > 0 && isdigit((unsigned char)name[end - 1]))
        --end;
    return end;
}

/* The length of the name without its last tuning point. */
static size_t without_last(const char *name, size_t end)
{
    const size_t number = digits_from(name, end);
    if (number == end || number < 3)
        return end;
    if (isalpha((unsigned char)name[number - 1]) && name[number - 2] == '_')
        return number - 2;
    if (name[number - 1] != 'x')
        return end;
    const size_t kilo = number - 1 - (name[number - 2] == 'k');
    const size_t first = digits_from(name, kilo);
    return first < kilo && first > 1 && name[first - 1] == '_' ? first - 1
                                                               : end;
}

char *variant_family(const char *variant, char *family, size_t bytes)
{
    size_t chars = strlen(variant);
    for (size_t left; (left = without_last(variant, chars)) < chars;)
        chars = left;
    snprintf(family, bytes, "%.*s", (int)chars, variant);
    return family;
}

/* ---------------------------------------------------------------- ordering */

int run_group_order(const struct row *left, const struct row *right)
{
    int order = int64_order(op_index(left->op), op_index(right->op));
    order = order ? order : int64_order(left->dtype, right->dtype);
    order = order ? order : shape_order(left->shape, right->shape);
    return order ? order : int64_order(left->cache, right->cache);
}

int run_cell_order(const struct row *left, const struct row *right)
{
    int order = run_group_order(left, right);
    return order ? order : strcmp(left->variant, right->variant);
}

int run_row_order(const struct row *left, const struct row *right)
{
    const int order = run_cell_order(left, right);
    return order ? order : int64_order(left->process, right->process);
}

static int line_order(const void *left, const void *right)
{
    const struct row *l = left, *r = right;
    const int order = run_row_order(l, r);
    return order ? order : int64_order(l->line, r->line);
}

const struct row *run_rows_last(const struct run_rows *rows,
                                const struct row *like)
{
    const struct row *found = NULL;
    size_t low = 0, high = rows->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = run_row_order(&rows->row[middle], like);
        found = order == 0 ? &rows->row[middle] : found;
        if (order <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return found;
}

char *op_file(enum op op, char name[OP_FILE_BYTES])
{
    snprintf(name, OP_FILE_BYTES, "%s.csv", op_name(op));
    return name;
}

bool run_row_timed(const struct row *row)
{
    return status_is_timed(row->status) && row->us.median > 0;
}

/* ------------------------------------------------------------------- texts */

static int text_order(const void *left, const void *right)
{
    return strcmp(left, right);
}

/* Equal texts, equal pointers. */
static const char *keep_text(void **texts, const char *text)
{
    char **found = tfind(text, texts, text_order);
    if (!found)
        found = tsearch(memory_copy(text), texts, text_order);
    if (!found)
        memory_out();
    return *found;
}

/* -------------------------------------------------------------------- rows */

void run_rows_add(struct run_rows *rows, const struct row *row)
{
    void **texts = &rows->texts;
    rows->row = memory_more(rows->row, rows->count, sizeof *rows->row);
    struct row *kept = &rows->row[rows->count++];
    *kept = *row;
    kept->variant = keep_text(texts, row->variant);
    kept->family = keep_text(texts, row->family);
    kept->reason = keep_text(texts, row->reason);
    kept->throttle = keep_text(texts, row->throttle);
    kept->card = keep_text(texts, row->card);
}

/* The reason why a row cannot be compared, or NULL. */
static const char *unusable(const struct row *row, char problem[PROBLEM_BYTES])
{
    if (!*row->variant)
        return "no variant";
    if (row->shape.outer < 0 || row->shape.axis < 0 || row->shape.inner < 0)
        return "no shape: outer, axis and inner are needed";
    if (shape_is_ragged(row->shape) && row->shape.outer != 1)
        return "ragged lines of more than one outer";
    if (!shape_fits(row->shape))
        return "more than 2^56 elements";
    if (row->process < 0 || row->process > INT32_MAX)
        return "no process";
    if (status_is_timed(row->status) && !(row->us.median > 0))
        return "timed, but median_us is no time";
    if (row->gbps < 0 || row->pct_ceiling < 0 || row->exchange_us < 0 ||
        row->max_err < 0)
        return "a rate, a share, a time or an error is negative";
    if (status_is_timed(row->status) &&
        (row->us.ci_low > row->us.median || row->us.ci_high < row->us.median))
        return "the interval of the median does not hold it";
    if (row->gpus <= 1 || row->gpus == row->ranks)
        return NULL;
    snprintf(problem, PROBLEM_BYTES,
             "%" PRId64 " ranks cannot be on %" PRId64 " GPUs", row->ranks,
             row->gpus);
    return problem;
}

struct reader {
    struct row row; /* first, as columns_read_file() gets it */
    struct run_rows *rows;
    enum op op;
};

static const char *take_row(void *record, int64_t line, char *problem)
{
    struct reader *reader = record;
    struct row *row = &reader->row;
    char family[ROW_TEXT_BYTES];
    const char *wrong = unusable(row, problem);
    if (wrong)
        return wrong;
    row->op = reader->op;
    row->family = variant_family(row->variant, family, sizeof family);
    row->line = line;
    run_rows_add(reader->rows, row);
    return NULL;
}

void run_rows_read(struct run_rows *rows, enum op op, const char *folder,
                   const struct listener *listener)
{
    char name[OP_FILE_BYTES];
    struct reader reader = { .rows = rows, .op = op };
    rows->damaged +=
        columns_read_file(&(struct columns_file){ .columns = &row_columns,
                                                  .folder = folder,
                                                  .name = op_file(op, name),
                                                  .optional = true,
                                                  .record = &reader,
                                                  .take = take_row,
                                                  .listener = listener });
}

void run_rows_sort(struct run_rows *rows)
{
    if (rows->count)
        qsort(rows->row, rows->count, sizeof *rows->row, line_order);
}

void run_rows_free(struct run_rows *rows)
{
    tdestroy(rows->texts, free);
    free(rows->row);
    *rows = (struct run_rows){ 0 };
}
