/* SPDX-License-Identifier: MIT */
#include "src/runs/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/clock.h"
#include "src/base/csv.h"
#include "src/base/memory.h"
#include "src/base/whole_file.h"

enum { PATH_BYTES = 1200 };

static char *path_of(const struct results *results, const char *name,
                     char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%s", results->folder, name);
    return path;
}

/* Reports a file that cannot be written, by errno. Returns false. */
static bool report_loss(const struct results *results, const char *name)
{
    char path[PATH_BYTES];
    cannot_write(*name ? path_of(results, name, path) : results->folder);
    if (access(path_of(results, MANIFEST_FILE, path), F_OK) == 0)
        fputs("the rows written so far are kept: go on with --resume\n",
              stderr);
    return false;
}

static bool write_manifest(const struct results *results)
{
    return manifest_write(&results->manifest, results->folder) ||
           report_loss(results, MANIFEST_FILE);
}

static void set_up(struct results *results)
{
    *results = (struct results){ 0 };
    for (int f = 0; f < op_count(); ++f)
        op_file(op_at(f), results->file[f].name);
    strcpy(results->file[RESULTS_CEILINGS].name, CEILINGS_FILE);
    strcpy(results->file[RESULTS_SAMPLES].name, SAMPLES_FILE);
    for (int f = 0; f < RESULTS_FILES; ++f)
        results->file[f].fd = -1;
}

/* A file that must not exist yet. */
static bool create(struct results *results, struct results_file *file)
{
    char path[PATH_BYTES];
    file->fd = open(path_of(results, file->name, path),
                    O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    return file->fd >= 0;
}

/* Keeps other processes from writing to the folder until this one ends. Not
 * flock(): a worker that outlives its parent for a moment would hold it. */
static bool lock(struct results *results)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    if (fcntl(results->file[RESULTS_CEILINGS].fd, F_SETLK, &whole) == 0)
        return true;
    fprintf(stderr, "scanbench: another scanbench is writing to %s\n",
            results->folder);
    return false;
}

/* ----------------------------------------------------------------- opening */

/* Makes a folder and its parents; *fresh if it is new. False with errno. */
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

/* False with errno if the name is too long. */
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

bool results_open(struct results *results, const char *out,
                  const struct manifest *manifest)
{
    char path[PATH_BYTES];
    struct results_file *ceilings = &results->file[RESULTS_CEILINGS];
    set_up(results);
    results->manifest = *manifest;
    /* Runs that begin in the same second are numbered from the second on. */
    bool fresh = false;
    for (int number = 1; !fresh && number < (out ? 2 : 100); ++number)
        if (!name_folder(results, out, number) ||
            !make_folders(results->folder, &fresh))
            return report_loss(results, "");
    bool held = access(path_of(results, MANIFEST_FILE, path), F_OK) == 0;
    for (int f = 0; f < op_count(); ++f)
        held |= !access(path_of(results, results->file[f].name, path), F_OK);
    /* Of several runs that begin now, one makes the file. */
    if (held || (!create(results, ceilings) && errno == EEXIST)) {
        fprintf(stderr,
                "scanbench: %s holds a run already; name another folder with "
                "-o, or go on with it: --resume %s\n",
                results->folder, results->folder);
        return false;
    }
    if (ceilings->fd < 0)
        return report_loss(results, CEILINGS_FILE);
    if (write_manifest(results))
        return lock(results);
    unlink(path_of(results, CEILINGS_FILE, path));
    return false;
}

/* ----------------------------------------------------------------- writing */

bool results_fact(struct results *results, const char *key, const char *format,
                  ...)
{
    va_list arguments;
    va_start(arguments, format);
    manifest_set_list(&results->manifest, key, format, arguments);
    va_end(arguments);
    return manifest_write(&results->manifest, results->folder);
}

/* A line, or the first one under its header. */
struct line {
    struct results_file *file;
    FILE *stream;
    char *text;
    size_t bytes;
};

static void begin_line(struct line *line, struct results_file *file,
                       const struct columns *columns)
{
    line->file = file;
    line->stream = memory_open(&line->text, &line->bytes);
    if (file->bytes == 0)
        columns_write_names(line->stream, columns);
}

/* Puts the line on disk. One that cannot be written leaves nothing behind. */
static bool end_line(struct results *results, struct line *line)
{
    struct results_file *file = line->file;
    memory_close(line->stream, &line->text);
    bool ok = file->fd >= 0 || create(results, file);
    if (ok) {
        ok = write_all(file->fd, line->text, line->bytes) &&
             fsync(file->fd) == 0;
        const int error = errno;
        if (!ok && ftruncate(file->fd, file->bytes) == 0)
            (void)fsync(file->fd);
        errno = error;
    }
    if (ok)
        file->bytes += (off_t)line->bytes;
    else
        report_loss(results, file->name);
    free(line->text);
    return ok;
}

bool results_row(struct results *results, const struct row *row)
{
    struct line line;
    begin_line(&line, &results->file[op_index(row->op)], &row_columns);
    columns_write(line.stream, &row_columns, row);
    return end_line(results, &line);
}

bool results_samples(struct results *results, const struct row *row,
                     const double *us)
{
    struct line line;
    begin_line(&line, &results->file[RESULTS_SAMPLES], &samples_columns);
    samples_write(line.stream, row, us);
    return end_line(results, &line);
}

bool results_ceiling(struct results *results, const struct ceiling *ceiling)
{
    struct line line;
    if (!*results->card && ceilings_find(&results->ceilings, ceiling))
        return true;
    begin_line(&line, &results->file[RESULTS_CEILINGS], &ceiling_columns);
    ceiling_write(line.stream, ceiling);
    if (!end_line(results, &line))
        return false;
    ceilings_add(&results->ceilings, ceiling);
    return true;
}

/* ----------------------------------------------------------------- closing */

bool results_drop(struct results *results)
{
    bool ok = true;
    for (int f = 0; f < RESULTS_FILES; ++f) {
        struct results_file *file = &results->file[f];
        ok = (file->fd < 0 || close(file->fd) == 0) && ok;
        file->fd = -1;
    }
    ceilings_free(&results->ceilings);
    run_rows_free(&results->rows);
    manifest_free(&results->manifest);
    return ok;
}

bool results_close(struct results *results, bool complete)
{
    char utc[UTC_BYTES];
    manifest_set(&results->manifest, "complete", "%d", complete);
    manifest_set(&results->manifest, "utc_end", "%s", clock_utc(utc));
    const bool ok = write_manifest(results);
    return results_drop(results) && ok;
}

/* ---------------------------------------------------------------- resuming */

/* Counts the problems, which prevent resuming. */
struct refusal {
    const char *folder;
    int heard;
};

static void refuse(void *context, const char *path, int64_t line,
                   const char *problem, const char *remedy)
{
    struct refusal *refusal = context;
    if (++refusal->heard > LISTENER_SAYS)
        return;
    fprintf(stderr, "scanbench: %s cannot be resumed: ", refusal->folder);
    if (access(refusal->folder, F_OK)) {
        fprintf(stderr,
                "there is no such folder: name the one that the run printed\n");
        return;
    }
    fputs(strrchr(path, '/') + 1, stderr);
    if (line)
        fprintf(stderr, ":%lld", (long long)line);
    fprintf(stderr, ": %s (%s)\n", problem, remedy);
}

/* Cuts the file behind its last line break. False with errno. */
static bool drop_torn(struct results_file *file, bool *torn)
{
    const off_t end = lseek(file->fd, 0, SEEK_END);
    const off_t from = end > CSV_LINE_BYTES ? end - CSV_LINE_BYTES : 0;
    char *tail = memory_for(1, CSV_LINE_BYTES);
    ssize_t bytes = pread(file->fd, tail, CSV_LINE_BYTES, from);
    while (bytes > 0 && tail[bytes - 1] != '\n')
        --bytes;
    free(tail);
    file->bytes = from + bytes;
    *torn = end > file->bytes;
    if (bytes == 0 && from > 0)
        errno = EFBIG; /* no line is so long */
    return bytes >= (from > 0) &&
           (!*torn || ftruncate(file->fd, file->bytes) == 0);
}

/* Opens a file, if it exists, and drops a line that was cut short. The lock
 * comes first: the last line of a run under way is not torn. */
static bool reopen(struct results *results, int number,
                   const struct listener *listener)
{
    struct results_file *file = &results->file[number];
    char path[PATH_BYTES];
    bool torn = false;
    file->fd =
        open(path_of(results, file->name, path), O_RDWR | O_APPEND | O_CLOEXEC);
    if (file->fd < 0 && errno == ENOENT)
        return number != RESULTS_CEILINGS || create(results, file) ||
               report_loss(results, file->name);
    if (file->fd >= 0 && number == RESULTS_CEILINGS && !lock(results))
        return false;
    if (file->fd < 0 || !drop_torn(file, &torn)) {
        listener_tell(listener, path, 0, strerror(errno),
                      "begin another run with -o");
        return false;
    }
    if (torn)
        fprintf(stderr,
                "scanbench: %s: its last line was cut short while it was "
                "written, and is dropped\n",
                path);
    return true;
}

static bool same_run(const struct manifest *old, const struct manifest *now,
                     const char *folder)
{
    const struct manifest_key *key = manifest_difference(
        old, now,
        strcmp(manifest_get(now, "device_kind"), "host") == 0
            ? KEY_RESUMED | KEY_RESUMED_HOST
            : KEY_RESUMED);
    if (!key)
        return true;
    fprintf(
        stderr,
        "scanbench: %s cannot be resumed: it began with %s '%s', not '%s'%s\n",
        folder, key->name, manifest_get(old, key->name),
        manifest_get(now, key->name),
        strcmp(key->name, "plugins") ? ""
                                     : ": give each again by --plugin FILE");
    return false;
}

/* Opens and reads all files. The process loses its lock when reading closes
 * ceilings.csv. */
static bool read_all(struct results *results, const struct manifest *now,
                     const struct listener *listener)
{
    struct manifest *old = &results->manifest;
    bool ok = !manifest_read(old, results->folder, listener) &&
              manifest_is_known(old, results->folder, listener) &&
              same_run(old, now, results->folder) &&
              reopen(results, RESULTS_CEILINGS, listener);
    if (ok && results->file[RESULTS_CEILINGS].bytes > 0)
        ceilings_read(&results->ceilings, results->folder, listener);
    ok = ok && lock(results) && reopen(results, RESULTS_SAMPLES, listener);
    for (int o = 0; o < op_count() && ok; ++o) {
        ok = reopen(results, o, listener);
        if (ok && results->file[o].bytes > 0)
            run_rows_read(&results->rows, op_at(o), results->folder, listener);
    }
    run_rows_sort(&results->rows);
    return ok;
}

bool results_resume(struct results *results, const char *folder,
                    const struct manifest *now)
{
    const size_t bytes = sizeof results->folder;
    set_up(results);
    if ((size_t)snprintf(results->folder, bytes, "%s", folder) >= bytes) {
        errno = ENAMETOOLONG;
        return report_loss(results, "");
    }
    struct refusal refusal = { .folder = results->folder };
    const bool ok =
        read_all(results, now, &(struct listener){ refuse, &refusal });
    const char *card = manifest_get(now, "gpu_hash");
    listener_say_rest(results->folder, refusal.heard);
    if (strcmp(manifest_get(&results->manifest, "gpu_hash"), card) != 0)
        snprintf(results->card, sizeof results->card, "%s",
                 *card ? card : "unknown");
    if (!ok || refusal.heard)
        results_drop(results);
    return ok && !refusal.heard;
}

bool results_go_on(struct results *results)
{
    const double before = manifest_number(&results->manifest, "resumed");
    manifest_set(&results->manifest, "resumed", "%.10g",
                 before > 0 ? before + 1 : 1);
    manifest_set(&results->manifest, "complete", "%d", 0);
    manifest_set(&results->manifest, "utc_end", "%s", "");
    return write_manifest(results);
}

const struct row *results_finished(const struct results *results,
                                   const struct row *like)
{
    const struct row *found = run_rows_last(&results->rows, like);
    return found && found->status != STATUS_ERROR ? found : NULL;
}
