/* SPDX-License-Identifier: MIT */
#include "harness/run_folder/results_files.h"

#include "harness/run_folder/facts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -------------------------------------------------------------------- files */

char *results_path(const struct results *results, const char *name,
                   char path[RESULTS_PATH_BYTES])
{
    snprintf(path, RESULTS_PATH_BYTES, "%s/%s", results->folder, name);
    return path;
}

char *results_op_file(enum op op, char name[RESULTS_NAME_BYTES])
{
    snprintf(name, RESULTS_NAME_BYTES, "%s.csv", op_name(op));
    return name;
}

#define ELSEWHERE "name another folder with -o or SCANBENCH_RESULTS"

/* A full disk may be met in the middle of a run, the others mostly before. */
static const char *what_helps(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return "the rows written so far are kept; free some space and go on "
               "with --resume, or " ELSEWHERE;
    case EACCES:
    case EPERM:
    case EROFS:
        return "you may not write there; " ELSEWHERE;
    case ENOTDIR:
    case ENOENT:
    case ENAMETOOLONG:
    case ELOOP:
        return "there can be no such folder; " ELSEWHERE;
    default:
        return "the rows written so far are kept; go on with --resume, "
               "or " ELSEWHERE;
    }
}

bool results_complain(const struct results *results, const char *name)
{
    static const char *told; /* the same advice once */
    const int error = errno;
    const char *advice = what_helps(error);
    fprintf(stderr, "scanbench: cannot write %s%s%s: %s\n", results->folder,
            *name ? "/" : "", name, strerror(error));
    if (advice != told)
        fprintf(stderr, "%s\n", advice);
    told = advice;
    return false;
}

/* *fresh: the last of them was not there. */
static bool make_folders(const char *folder, bool *fresh)
{
    char part[1024];
    *fresh = false;
    for (size_t k = 1; k < sizeof part && k <= strlen(folder); ++k) {
        if (folder[k] != '/' && folder[k] != '\0')
            continue;
        memcpy(part, folder, k);
        part[k] = '\0';
        *fresh = mkdir(part, 0777) == 0;
        if (!*fresh && errno != EEXIST)
            return false;
    }
    return true;
}

bool results_open_ceilings(struct results *results, bool there)
{
    char path[RESULTS_PATH_BYTES];
    results_path(results, "ceilings.csv", path);
    struct table *table = &results->ceilings;
    if (!(there ? table_reopen(table, path) : table_create(table, path)))
        return results_complain(results, "ceilings.csv");
    if (table_lock(table))
        return true;
    fprintf(stderr, "scanbench: another scanbench is writing to %s\n",
            results->folder);
    return false;
}

/* ------------------------------------------------------------- opening */

/* Runs that begin in one second have numbers: the second's is 2. */
static void name_folder(struct results *results, const char *out, int number)
{
    const char *root = getenv("SCANBENCH_RESULTS");
    char utc[UTC_BYTES], suffix[16] = "";
    if (number > 1)
        snprintf(suffix, sizeof suffix, "-%d", number);
    if (out)
        snprintf(results->folder, sizeof results->folder, "%s", out);
    else
        snprintf(results->folder, sizeof results->folder, "%s/%s/%s-%.12s%s",
                 root && *root ? root : "results", results->device,
                 facts_utc(utc), facts_commit(), suffix);
}

static bool make_folder(struct results *results, const char *out)
{
    bool fresh = false;
    for (int number = 1; !fresh && number < (out ? 2 : 100); ++number) {
        name_folder(results, out, number);
        if (!make_folders(results->folder, &fresh))
            return false;
    }
    return true;
}

bool results_open(struct results *results, const char *out,
                  const struct device_facts *facts, int argc, char **argv)
{
    char path[RESULTS_PATH_BYTES];
    signal(SIGXFSZ, SIG_IGN); /* a full quota is an error, no end */
    *results = (struct results){ 0 };
    facts_slug(facts->name, results->device, sizeof results->device);
    if (!make_folder(results, out))
        return results_complain(results, "");
    if (access(results_path(results, "manifest.csv", path), F_OK) == 0) {
        fprintf(stderr,
                "scanbench: %s holds a run already; name another folder "
                "with -o, or go on with it: --resume %s\n",
                results->folder, results->folder);
        return false;
    }
    return ((manifest_init(&results->manifest) &&
             facts_fill(&results->manifest, facts, argc, argv) &&
             manifest_write(&results->manifest, results->folder)) ||
            results_complain(results, "manifest.csv")) &&
           results_open_ceilings(results, false);
}

/* ------------------------------------------------------------- writing */

bool results_fact(struct results *results, const char *key, const char *format,
                  ...)
{
    char value[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    return manifest_set(&results->manifest, key, "%s", value) &&
           manifest_write(&results->manifest, results->folder);
}

const struct finished *results_finished(const struct results *results,
                                        const struct finished_key *key)
{
    return finished_find(&results->finished, key);
}

/* The header goes with the first row, so that a file is never without. */
static bool write_rows(FILE *text, const struct row *row, bool header)
{
    return text && (!header || row_write_header(text)) && row_write(text, row);
}

bool results_row(struct results *results, const struct row *row)
{
    char name[RESULTS_NAME_BYTES], path[RESULTS_PATH_BYTES], *lines = NULL;
    size_t bytes;
    struct table *table = &results->op[row->op];
    results_path(results, results_op_file(row->op, name), path);
    bool ok = table->is_open || table_create(table, path);
    FILE *text = ok ? open_memstream(&lines, &bytes) : NULL;
    ok = write_rows(text, row, table->bytes == 0);
    if (text && fclose(text))
        ok = false;
    ok = ok && table_append(table, lines, bytes);
    if (!ok)
        results_complain(results, name);
    free(lines);
    return ok && finished_add(&results->finished, row);
}

const struct ceiling *results_ceiling_line(const struct results *results,
                                           const struct ceiling *like)
{
    for (size_t k = 0; k < results->line_count; ++k) {
        const struct ceiling *line = &results->lines[k];
        if (line->twin == like->twin && line->dtype == like->dtype &&
            line->cache == like->cache && line->launch == like->launch &&
            (like->twin < 0 || line->elems == like->elems) &&
            strcmp(line->phase, like->phase) == 0)
            return line;
    }
    return NULL;
}

bool results_keep_ceiling(struct results *results,
                          const struct ceiling *ceiling)
{
    const size_t count = results->line_count;
    struct ceiling *grown =
        realloc(results->lines, (count + 1) * sizeof *results->lines);
    if (!grown)
        return false;
    results->lines = grown;
    grown[count] = *ceiling;
    grown[count].variant = strdup(ceiling->variant ? ceiling->variant : "");
    grown[count].phase = strdup(ceiling->phase);
    ++results->line_count;
    return grown[count].variant && grown[count].phase;
}

static void print_ceiling(FILE *text, const struct ceiling *ceiling)
{
    const bool traffic = ceiling->twin >= 0;
    fprintf(text, "%s,%s,%s,%s,", traffic ? "traffic" : "add",
            traffic ? op_name((enum op)ceiling->twin) : "",
            dtype_name(ceiling->dtype), cache_name(ceiling->cache));
    if (traffic)
        fprintf(text, "%" PRId64 ",%" PRId64 ",%.9g,,%s,", ceiling->elems,
                ceiling->bytes, ceiling->gbps, ceiling->variant);
    else
        fprintf(text, ",,,%.9g,,", ceiling->gflops);
    fprintf(text, "%d,%s\n", ceiling->launch, ceiling->phase);
}

static void print_ceilings_header(FILE *text)
{
    const char *comma = "";
#define NAME(name, meaning) fprintf(text, "%s" #name, comma), comma = ",";
    CEILING_COLUMNS(NAME)
#undef NAME
    putc('\n', text);
}

bool results_ceiling(struct results *results, const struct ceiling *ceiling)
{
    char *lines = NULL;
    size_t bytes;
    if (results_ceiling_line(results, ceiling))
        return true;
    FILE *text = open_memstream(&lines, &bytes);
    if (text && results->ceilings.bytes == 0)
        print_ceilings_header(text);
    if (text)
        print_ceiling(text, ceiling);
    const bool ok = text && fclose(text) == 0 &&
                    table_append(&results->ceilings, lines, bytes);
    if (!ok)
        results_complain(results, "ceilings.csv");
    free(lines);
    return ok && results_keep_ceiling(results, ceiling);
}

/* ------------------------------------------------------------- closing */

bool results_drop(struct results *results)
{
    bool ok = table_close(&results->ceilings);
    for (int o = 0; o < OP_COUNT; ++o)
        ok = table_close(&results->op[o]) && ok;
    for (size_t k = 0; k < results->line_count; ++k) {
        free((char *)results->lines[k].variant);
        free((char *)results->lines[k].phase);
    }
    free(results->lines);
    results->lines = NULL;
    results->line_count = 0;
    finished_free(&results->finished);
    manifest_free(&results->manifest);
    return ok;
}

bool results_close(struct results *results, bool complete)
{
    char utc[UTC_BYTES];
    bool ok =
        manifest_set(&results->manifest, "complete", "%d", complete) &&
        manifest_set(&results->manifest, "utc_end", "%s", facts_utc(utc)) &&
        manifest_write(&results->manifest, results->folder);
    if (!ok)
        results_complain(results, "manifest.csv");
    return results_drop(results) && ok;
}
