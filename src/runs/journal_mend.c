/* SPDX-License-Identifier: MIT
 *
 * Reading a journal back after whatever happened to it.
 */
#include "src/runs/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/csv.h"
#include "src/base/memory.h"
#include "src/base/own_file.h"
#include "src/runs/listener.h"

enum { PATH_BYTES = 1300, FIELDS = 64 };

/* A file under repair: `good` collects what stays, `bad` what goes. */
struct mending {
    const char *path;
    struct csv_reader csv;
    FILE *good, *bad;
    char *good_text, *bad_text;
    size_t good_bytes, bad_bytes;
    int bad_lines;
    bool torn;
};

static bool failed(const char *path)
{
    fprintf(stderr, "scanbench: cannot mend %s: %s\n", path,
            own_file_why(errno));
    return false;
}

/* Copies the bytes between two places of the file. */
static bool copy(FILE *from, off_t start, off_t end, FILE *to)
{
    bool ok = fseeko(from, start, SEEK_SET) == 0;
    for (; ok && start < end; ++start) {
        const int byte = getc(from);
        ok = byte != EOF && putc(byte, to) != EOF;
    }
    return ok && fseeko(from, end, SEEK_SET) == 0;
}

static void tell(struct mending *mending, const struct journal_reader *reader,
                 const char *why)
{
    const int64_t line = mending->csv.line;
    if (++mending->bad_lines <= LISTENER_SAYS)
        fprintf(stderr, "scanbench: %s:%lld: %s: %s%s\n", mending->path,
                (long long)line, why,
                line == 1 ? "not a file to go on with; begin anew with "
                            "another -o"
                          : "it is moved to the same name with .damaged, "
                            "and ",
                line == 1 ? "" : reader->loss);
}

/* One record: where it goes. False: no more, or it cannot go on. */
static bool sort_line(struct mending *mending,
                      const struct journal_reader *reader, bool *ok)
{
    char *fields[FIELDS];
    struct csv_reader *csv = &mending->csv;
    const off_t start = ftello(csv->file);
    const size_t count = csv_read(csv, fields, FIELDS);
    const off_t end = ftello(csv->file);
    if (csv->unreadable) { /* what follows is not lost, so nothing is mended */
        fprintf(stderr, "scanbench: cannot mend %s:%lld: %s\n", mending->path,
                (long long)csv->line, csv->problem);
        return *ok = false;
    }
    if (count == 0 && !csv->problem)
        return false;
    if (csv->torn) {
        mending->torn = true;
        fprintf(stderr,
                "scanbench: %s:%lld was cut short while it was written: it is "
                "taken off, and %s\n",
                mending->path, (long long)csv->line, reader->loss);
        return false;
    }
    const char *why = csv->problem;
    if (!why)
        why = reader->take(reader->context, fields, count, csv->line);
    if (why)
        tell(mending, reader, why);
    if (why && csv->line == 1)
        return *ok = false;
    *ok = copy(csv->file, start, end, why ? mending->bad : mending->good) ||
          failed(mending->path);
    return *ok;
}

static bool write_file(const char *path, FILE *file, const char *text,
                       size_t bytes)
{
    if (!file)
        return failed(path);
    bool ok = fwrite(text, 1, bytes, file) == bytes && fflush(file) == 0 &&
              fsync(fileno(file)) == 0;
    if (fclose(file))
        ok = false;
    return ok || failed(path);
}

/* Whole or not at all, and only if there is something to mend. */
static bool replace(const struct mending *mending)
{
    char path[PATH_BYTES];
    if (mending->bad_bytes == 0) {
        if (!mending->torn)
            return true;
        return ftruncate(fileno(mending->csv.file),
                         (off_t)mending->good_bytes) == 0 ||
               failed(mending->path);
    }
    snprintf(path, sizeof path, "%s.damaged", mending->path);
    const int damaged = own_file_open(path, O_WRONLY | O_CREAT | O_APPEND);
    if (!write_file(path, own_file_stream(damaged, "a"), mending->bad_text,
                    mending->bad_bytes))
        return false;
    snprintf(path, sizeof path, "%s.new", mending->path);
    if (!write_file(path, own_file_create(path), mending->good_text,
                    mending->good_bytes)) {
        unlink(path);
        return false;
    }
    return rename(path, mending->path) == 0 || failed(mending->path);
}

bool journal_mend(const char *path, const struct journal_reader *reader)
{
    struct mending mending = { .path = path };
    bool ok = true;
    mending.csv.file = own_file_stream(own_file_open(path, O_RDWR), "r");
    if (!mending.csv.file)
        return failed(path);
    mending.good = memory_open(&mending.good_text, &mending.good_bytes);
    mending.bad = memory_open(&mending.bad_text, &mending.bad_bytes);
    while (ok && sort_line(&mending, reader, &ok))
        ;
    listener_say_rest(mending.path, mending.bad_lines);
    memory_close(mending.good, &mending.good_text);
    memory_close(mending.bad, &mending.bad_text);
    ok = ok && replace(&mending);
    csv_read_end(&mending.csv);
    fclose(mending.csv.file);
    free(mending.good_text);
    free(mending.bad_text);
    return ok;
}
