/* SPDX-License-Identifier: MIT
 *
 * Taking a run up again.
 */
#include "harness/run_folder/results_files.h"

#include "harness/run_folder/facts.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is read of one file. */
struct reading {
    struct results *results;
    enum op op;
    struct row_header header;
    char problem[ROW_PROBLEM_BYTES];
    bool no_memory;
};

/* ---------------------------------------------------------------- <op>.csv */

/* Rows are appended by place, so the columns must be today's, in order. */
static const char *take_header(struct reading *reading, char *const *fields,
                               size_t count)
{
    bool same = count == ROW_COLUMN_COUNT;
    for (size_t c = 0; same && c < count; ++c)
        same = strcmp(fields[c], row_columns[c].name) == 0;
    if (!same)
        return "other columns than this scanbench writes";
    return row_read_header(&reading->header, fields, count, reading->problem)
               ? NULL
               : reading->problem;
}

static const char *take_row(void *context, char *const *fields, size_t count,
                            int64_t line)
{
    struct reading *reading = context;
    struct row row;
    if (line == 1)
        return take_header(reading, fields, count);
    if (!row_read(&reading->header, fields, count, &row, reading->problem))
        return reading->problem;
    if (row.op != reading->op)
        return "a row of another operation";
    if (!row.variant[0] || row.outer < 0 || row.axis < 0 || row.inner < 0 ||
        row.launch < 0)
        return "a row that does not say which cell it is of";
    if (!finished_add(&reading->results->finished, &row))
        reading->no_memory = true;
    return NULL;
}

/* ------------------------------------------------------------- ceilings.csv */

enum {
#define PLACE(name, meaning) AT_##name,
    CEILING_COLUMNS(PLACE)
#undef PLACE
        CEILING_COLUMN_COUNT
};

static const char *take_ceilings_header(char *const *fields, size_t count)
{
    static const char *const names[] = {
#define NAME(name, meaning) #name,
        CEILING_COLUMNS(NAME)
#undef NAME
    };
    bool same = count == CEILING_COLUMN_COUNT;
    for (size_t c = 0; same && c < count; ++c)
        same = strcmp(fields[c], names[c]) == 0;
    return same ? NULL : "other columns than this scanbench writes";
}

/* A number that takes the whole field, and is above 0. */
static bool take_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    return end != text && !*end && *number > 0 && isfinite(*number);
}

static bool take_traffic(char *const *fields, struct ceiling *line)
{
    enum op twin;
    double elems, bytes;
    if (!op_parse(fields[AT_twin], &twin) ||
        !take_number(fields[AT_elems], &elems) ||
        !take_number(fields[AT_bytes], &bytes) ||
        !take_number(fields[AT_gbps], &line->gbps) || !*fields[AT_variant])
        return false;
    line->twin = twin;
    line->elems = (int64_t)elems;
    line->bytes = (int64_t)bytes;
    line->variant = fields[AT_variant];
    return true;
}

static bool parse_ceiling(char *const *fields, struct ceiling *line)
{
    char *end;
    const bool add = strcmp(fields[AT_kind], "add") == 0;
    *line = (struct ceiling){ .twin = -1,
                              .elems = -1,
                              .bytes = -1,
                              .gbps = NAN,
                              .gflops = NAN,
                              .phase = fields[AT_phase] };
    line->launch = (int)strtol(fields[AT_launch], &end, 10);
    if (end == fields[AT_launch] || *end || line->launch < 0 ||
        (strcmp(line->phase, "start") && strcmp(line->phase, "end")) ||
        !dtype_parse(fields[AT_dtype], &line->dtype) ||
        !cache_parse(fields[AT_cache], &line->cache))
        return false;
    if (add)
        return take_number(fields[AT_gflops], &line->gflops);
    return strcmp(fields[AT_kind], "traffic") == 0 &&
           take_traffic(fields, line);
}

static const char *take_ceiling(void *context, char *const *fields,
                                size_t count, int64_t line)
{
    struct reading *reading = context;
    struct ceiling ceiling;
    if (line == 1)
        return take_ceilings_header(fields, count);
    if (count != CEILING_COLUMN_COUNT || !parse_ceiling(fields, &ceiling))
        return "no ceiling that can be read";
    if (!results_ceiling_line(reading->results, &ceiling) &&
        !results_keep_ceiling(reading->results, &ceiling))
        reading->no_memory = true;
    return NULL;
}

/* ------------------------------------------------------------ resuming */

static bool read_file(struct reading *reading, const char *name,
                      const char *(*take)(void *, char *const *, size_t,
                                          int64_t))
{
    char path[RESULTS_PATH_BYTES];
    const struct table_reader reader = { take, reading };
    if (!table_mend(results_path(reading->results, name, path), &reader))
        return false;
    if (reading->no_memory)
        fprintf(stderr, "scanbench: no memory for the rows of %s\n", path);
    return !reading->no_memory;
}

static bool is_there(const struct results *results, const char *name)
{
    char path[RESULTS_PATH_BYTES];
    return access(results_path(results, name, path), F_OK) == 0;
}

static bool read_op(struct results *results, enum op op)
{
    char name[RESULTS_NAME_BYTES], path[RESULTS_PATH_BYTES];
    struct reading reading = { .results = results, .op = op };
    if (!is_there(results, results_op_file(op, name)))
        return true;
    return read_file(&reading, name, take_row) &&
           (table_reopen(&results->op[op], results_path(results, name, path)) ||
            results_complain(results, name));
}

/* The lock first: a run that is under way is not to be mended. (Mending may
 * put a new file in its place, so it is opened twice.) */
static bool read_all(struct results *results)
{
    struct reading reading = { .results = results };
    const bool there = is_there(results, "ceilings.csv");
    if (!results_open_ceilings(results, there))
        return false;
    if (there && (!read_file(&reading, "ceilings.csv", take_ceiling) ||
                  !table_close(&results->ceilings) ||
                  !results_open_ceilings(results, true)))
        return false;
    for (int o = 0; o < OP_COUNT; ++o)
        if (!read_op(results, (enum op)o))
            return false;
    return true;
}

static void refuse(void *context, const char *path, int64_t line,
                   const char *problem, const char *remedy)
{
    const struct results *results = context;
    (void)remedy;
    fprintf(stderr, "scanbench: %s cannot be resumed: %s:%lld: %s\n",
            results->folder, path, (long long)line, problem);
    if (access(results->folder, F_OK))
        fprintf(stderr, "there is no such folder: name the one that the run "
                        "printed\n");
}

/* Which run is it? The manifest that is there stays, and is the run's. */
static enum resume judge(struct results *results,
                         const struct device_facts *facts, int argc,
                         char **argv)
{
    struct manifest now;
    enum resume resume = RESUME_REFUSED;
    const struct listener listener = { refuse, results };
    if (!manifest_init(&results->manifest) ||
        manifest_read(&results->manifest, results->folder, &listener))
        return resume;
    if (manifest_init(&now) && facts_fill(&now, facts, argc, argv) &&
        facts_match(&results->manifest, &now, results->folder))
        resume = strcmp(manifest_get(&results->manifest, "complete"), "1") == 0
                     ? RESUME_COMPLETE
                     : RESUME_READY;
    manifest_free(&now);
    return resume;
}

bool results_go_on(struct results *results)
{
    const int before = atoi(manifest_get(&results->manifest, "resumed"));
    return (manifest_set(&results->manifest, "resumed", "%d", before + 1) &&
            manifest_set(&results->manifest, "complete", "%d", 0) &&
            manifest_set(&results->manifest, "utc_end", "%s", "") &&
            manifest_write(&results->manifest, results->folder)) ||
           results_complain(results, "manifest.csv");
}

enum resume results_resume(struct results *results, const char *folder,
                           const struct device_facts *facts, int argc,
                           char **argv)
{
    signal(SIGXFSZ, SIG_IGN);
    *results = (struct results){ 0 };
    snprintf(results->folder, sizeof results->folder, "%s", folder);
    facts_slug(facts->name, results->device, sizeof results->device);
    enum resume resume = judge(results, facts, argc, argv);
    if (resume != RESUME_REFUSED && !read_all(results))
        resume = RESUME_REFUSED;
    if (resume == RESUME_READY && !results_go_on(results))
        resume = RESUME_REFUSED;
    if (resume == RESUME_REFUSED)
        results_drop(results);
    return resume;
}
