/* SPDX-License-Identifier: MIT */
#include "src/runs/results_files.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/memory.h"
#include "src/runs/samples.h"

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
    case EMFILE:
    case ENFILE:
        return "raise the limit on open files (ulimit -n), and go on with "
               "--resume";
    case ENOTDIR:
    case ENOENT:
    case ENAMETOOLONG:
    case ELOOP:
        return "cannot create this folder; " ELSEWHERE;
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

bool results_make_folders(const char *folder, bool *fresh)
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

bool results_lock(struct results *results)
{
    if (append_lock(&results->ceilings))
        return true;
    fprintf(stderr, "scanbench: another scanbench is writing to %s\n",
            results->folder);
    return false;
}

/* ------------------------------------------------------------- opening */

/* Runs that begin in one second have numbers: the second's is 2. False where
 * the name is too long. */
static bool name_folder(struct results *results, const char *out, int number)
{
    const struct manifest *manifest = &results->manifest;
    const char *root = getenv("SCANBENCH_RESULTS");
    char suffix[16] = "";
    if (number > 1)
        snprintf(suffix, sizeof suffix, "-%d", number);
    const size_t bytes = sizeof results->folder;
    const int chars = out ? snprintf(results->folder, bytes, "%s", out)
                          : snprintf(results->folder, bytes, "%s/%s/%s-%.12s%s",
                                     root && *root ? root : "results",
                                     manifest_get(manifest, "device"),
                                     manifest_get(manifest, "utc"),
                                     manifest_get(manifest, "commit"), suffix);
    if ((size_t)chars < bytes)
        return true;
    errno = ENAMETOOLONG;
    return false;
}

static bool make_folder(struct results *results, const char *out)
{
    bool fresh = false;
    for (int number = 1; !fresh && number < (out ? 2 : 100); ++number)
        if (!name_folder(results, out, number) ||
            !results_make_folders(results->folder, &fresh))
            return false;
    return true;
}

bool results_open(struct results *results, const char *out,
                  const struct manifest *manifest)
{
    char path[RESULTS_PATH_BYTES];
    signal(SIGXFSZ, SIG_IGN); /* a full quota is an error, no end */
    *results = (struct results){ .manifest = *manifest };
    if (!make_folder(results, out))
        return results_complain(results, "");
    if (access(results_path(results, "manifest.csv", path), F_OK) == 0) {
        fprintf(stderr,
                "scanbench: %s holds a run already; name another folder "
                "with -o, or go on with it: --resume %s\n",
                results->folder, results->folder);
        return false;
    }
    return (manifest_write(&results->manifest, results->folder) ||
            results_complain(results, "manifest.csv")) &&
           (append_create(&results->ceilings,
                          results_path(results, "ceilings.csv", path)) ||
            results_complain(results, "ceilings.csv")) &&
           results_lock(results);
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
    manifest_set(&results->manifest, key, "%s", value);
    return manifest_write(&results->manifest, results->folder);
}

/* The header goes with the first row, so that a file is never without. */
static bool write_rows(FILE *text, const struct row *row, bool header)
{
    return (!header || row_write_header(text)) && row_write(text, row);
}

bool results_row(struct results *results, const struct row *row)
{
    char name[RESULTS_NAME_BYTES], path[RESULTS_PATH_BYTES], *lines = NULL;
    size_t bytes;
    struct append *file = &results->op[row->op];
    results_path(results, results_op_file(row->op, name), path);
    bool ok = file->is_open || append_create(file, path);
    if (ok) {
        FILE *text = memory_open(&lines, &bytes);
        ok = write_rows(text, row, file->bytes == 0);
        memory_close(text, &lines);
        ok = ok && append_text(file, lines, bytes);
    }
    if (!ok)
        results_complain(results, name);
    free(lines);
    return ok;
}

bool results_samples(struct results *results, const struct row *row,
                     const double *us)
{
    char path[RESULTS_PATH_BYTES], *lines = NULL;
    size_t bytes;
    struct append *file = &results->samples;
    bool ok = file->is_open ||
              append_create(file, results_path(results, SAMPLES_FILE, path));
    if (ok) {
        FILE *text = memory_open(&lines, &bytes);
        ok = (file->bytes > 0 || samples_write_header(text)) &&
             samples_write(text, row, us);
        memory_close(text, &lines);
        ok = ok && append_text(file, lines, bytes);
    }
    free(lines);
    return ok || results_complain(results, SAMPLES_FILE);
}

const struct ceiling *results_ceiling_line(const struct results *results,
                                           const struct ceiling *like)
{
    for (size_t k = 0; k < results->line_count; ++k) {
        const struct ceiling *line = &results->lines[k];
        if (line->twin == like->twin && line->dtype == like->dtype &&
            line->cache == like->cache && line->process == like->process &&
            (like->twin < 0 || line->elems == like->elems) &&
            strcmp(line->phase, like->phase) == 0)
            return line;
    }
    return NULL;
}

void results_keep_ceiling(struct results *results,
                          const struct ceiling *ceiling)
{
    const size_t count = results->line_count;
    struct ceiling *grown =
        memory_grown(results->lines, count + 1, sizeof *results->lines);
    results->lines = grown;
    grown[count] = *ceiling;
    grown[count].variant =
        texts_keep(&results->texts, ceiling->variant ? ceiling->variant : "");
    grown[count].phase = texts_keep(&results->texts, ceiling->phase);
    ++results->line_count;
}

bool results_ceiling(struct results *results, const struct ceiling *ceiling)
{
    char *lines = NULL;
    size_t bytes;
    if (!*results->card && results_ceiling_line(results, ceiling))
        return true;
    FILE *text = memory_open(&lines, &bytes);
    bool ok = results->ceilings.bytes > 0 || ceiling_write_header(text);
    ok = ok && ceiling_write(text, ceiling);
    memory_close(text, &lines);
    ok = ok && append_text(&results->ceilings, lines, bytes);
    free(lines);
    if (!ok)
        return results_complain(results, "ceilings.csv");
    results_keep_ceiling(results, ceiling);
    return true;
}

/* ------------------------------------------------------------- closing */

bool results_drop(struct results *results)
{
    bool ok = append_close(&results->ceilings);
    ok = append_close(&results->samples) && ok;
    for (int o = 0; o < OP_COUNT; ++o)
        ok = append_close(&results->op[o]) && ok;
    free(results->lines);
    results->lines = NULL;
    results->line_count = 0;
    texts_free(&results->texts);
    run_rows_free(&results->rows);
    manifest_free(&results->manifest);
    return ok;
}

bool results_close(struct results *results, bool complete)
{
    char utc[UTC_BYTES];
    manifest_set(&results->manifest, "complete", "%d", complete);
    manifest_set(&results->manifest, "utc_end", "%s", clock_utc(utc));
    const bool ok = manifest_write(&results->manifest, results->folder) ||
                    results_complain(results, "manifest.csv");
    return results_drop(results) && ok;
}
