/* SPDX-License-Identifier: MIT */
#include "cli/common/runs.h"

#include "cli/common/rows.h"
#include "cli/common/options_parts.h"
#include "src/base/exit.h"
#include "src/base/memory.h"
#include "src/choose/catalogue.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A listener that prints the first few problems; its context counts all. */
static void hear_a_few(void *context, const char *path, int64_t line,
                       const char *problem, const char *remedy)
{
    int *heard = context;
    if (++*heard > LISTENER_SAYS)
        return;
    fputs("scanbench: ", stderr);
    write_plain(stderr, path);
    if (line)
        fprintf(stderr, ":%lld", (long long)line);
    fputs(": ", stderr);
    write_plain(stderr, problem);
    fputs(" (", stderr);
    write_plain(stderr, remedy);
    fputs(")\n", stderr);
}

bool read_run(struct run_folder *run, const char *path)
{
    int heard = 0;
    const struct listener listener = { hear_a_few, &heard };
    const bool ok = run_folder_read(run, path, &listener);
    listener_say_rest(path, heard);
    return ok;
}

bool open_run(enum command command, int argc, char **argv,
              struct show_options *options, struct run_folder *run, int *status)
{
    struct words words;
    *run = (struct run_folder){ 0 };
    *options = (struct show_options){ .filter.top = command == COMMAND_SHOW };
    if (!command_parse(command, argc, argv, options, &words, status))
        return false;
    *status = EXIT_BAD;
    return read_run(run, words.word[0]);
}

/* ------------------------------------------------------------ several runs */

static bool add(struct published *set, const char *path)
{
    set->run = memory_more(set->run, set->count, sizeof *set->run);
    return read_run(&set->run[set->count++], memory_copy(path));
}

static bool add_below(struct published *set, const char *folder)
{
    char **paths = NULL;
    const int count = run_folders_below(folder, &paths);
    bool ok = count > 0;
    if (count < 0)
        fprintf(stderr, "scanbench: %s: %s (name a run, or a folder of runs)\n",
                folder, strerror(errno));
    else if (count == 0)
        fprintf(stderr,
                "scanbench: %s: neither a run nor a folder of runs (no "
                "manifest.csv)\n",
                folder);
    for (int k = 0; k < count; ++k) {
        ok = ok && add(set, paths[k]);
        free(paths[k]);
    }
    free(paths);
    return ok;
}

static int newest_first(const void *left, const void *right)
{
    const struct run_folder *l = left, *r = right;
    const int order = strcmp(run_fact(r, "utc"), run_fact(l, "utc"));
    return order ? order : strcmp(l->path, r->path);
}

bool published_read(struct published *set, char *const *folders, int count)
{
    bool ok = true;
    *set = (struct published){ 0 };
    for (int k = 0; k < count && ok; ++k)
        ok = run_folder_is(folders[k]) ? add(set, folders[k])
                                       : add_below(set, folders[k]);
    if (set->count)
        qsort(set->run, set->count, sizeof *set->run, newest_first);
    return ok;
}

void published_free(struct published *set)
{
    for (size_t k = 0; k < set->count; ++k) {
        char *path = (char *)set->run[k].path;
        run_folder_free(&set->run[k]);
        free(path);
    }
    free(set->run);
    *set = (struct published){ 0 };
}

/* -------------------------------------------------------------- the filter */

static void patterns_free(struct patterns *patterns)
{
    while (patterns->count > 0)
        regfree(&patterns->compiled[--patterns->count]);
}

void options_free(struct options *options)
{
    patterns_free(&options->filter.filters);
    patterns_free(&options->filter.excludes);
}

static bool patterns_match(const struct patterns *patterns, const char *id)
{
    for (int k = 0; k < patterns->count; ++k)
        if (regexec(&patterns->compiled[k], id, 0, NULL, 0) == 0)
            return true;
    return false;
}

bool filter_wants(const struct filter *filter, const char *id)
{
    return (!filter->filters.count || patterns_match(&filter->filters, id)) &&
           !patterns_match(&filter->excludes, id);
}

static bool is_word(const char *word, size_t chars, const char *name)
{
    return strlen(name) == chars && strncmp(word, name, chars) == 0;
}

/* "FAMILY", "FOLDER" or "FOLDER/FAMILY". A row has no folder: its
 * operation's has to match, unless FOLDER serves several (host/, best/). */
static bool is_family(const char *word, size_t chars, const struct row *row)
{
    const char *own = catalogue_folder(row->op);
    const char *slash = memchr(word, '/', chars);
    if (!slash)
        return is_word(word, chars, own) || is_word(word, chars, row->family);
    const size_t before = (size_t)(slash - word);
    for (int op = 0; op < op_count(); ++op) {
        const char *folder = catalogue_folder(op_at(op));
        if (is_word(word, before, folder) && strcmp(folder, own) != 0)
            return false;
    }
    return is_word(slash + 1, chars - before - 1, row->family);
}

static bool has_family(const struct filter *select, const struct row *row)
{
    const char *word = select->family;
    bool has = !word;
    for (size_t chars; word && *word; word += chars + (word[chars] == ',')) {
        chars = strcspn(word, ",");
        has |= is_family(word, chars, row);
    }
    return has;
}

char *row_id(const struct row *row, char id[ROW_ID_BYTES])
{
    char shape[SHAPE_TEXT_BYTES];
    snprintf(id, ROW_ID_BYTES, "%s/%s/%s/%s/%s", op_name(row->op), row->variant,
             dtype_name(row->dtype), shape_format(row->shape, shape),
             cache_names[row->cache]);
    return id;
}

unsigned row_contracts(const struct row *row)
{
    return catalogue_contracts(variant_points, row->op, row->dtype,
                               row->variant, row->marks / MARK_CONTRACTS);
}

bool select_wants(const struct filter *select, const struct row *row)
{
    char id[ROW_ID_BYTES];
    bool has_shape = select->shape_count == 0;
    for (int k = 0; k < select->shape_count; ++k)
        has_shape |= shape_equal(select->shapes[k], row->shape);
    if ((select->ops && !(select->ops & op_bit(row->op))) ||
        (select->dtypes && !(select->dtypes & 1u << row->dtype)) ||
        (select->caches && !(select->caches & 1u << row->cache)) ||
        !has_shape || !has_family(select, row) ||
        (select->contracts & ~row_contracts(row)))
        return false;
    *strrchr(row_id(row, id), '/') = '\0'; /* patterns match up to the shape */
    return filter_wants(select, id);
}

size_t select_rows(const struct filter *select, struct run_rows *rows)
{
    size_t kept = 0;
    for (size_t r = 0; r < rows->count; ++r)
        if (select_wants(select, &rows->row[r]))
            rows->row[kept++] = rows->row[r];
    return rows->count = kept;
}

/* -------------------------------------------------------------------- files */

bool page_begin(enum command command, int argc, char **argv,
                struct page_options *options, struct published *set,
                int *status)
{
    struct words words;
    bool gpu = false;
    size_t rows = 0;
    *options = (struct page_options){ .filter.top = 10 };
    *set = (struct published){ 0 };
    if (!command_parse(command, argc, argv, options, &words, status))
        return false;
    *status = EXIT_BAD;
    if (!published_read(set, words.word, words.count))
        return false;
    *status = EXIT_NOTHING;
    if (!options->filter.caches)
        options->filter.caches = 1u << CACHE_COLD;
    for (size_t k = 0; k < set->count; ++k) {
        gpu |= strcmp(run_fact(&set->run[k], "device_kind"), "host") != 0;
        rows += select_rows(&options->filter, &set->run[k].rows);
    }
    if (!gpu)
        fputs("scanbench: all these runs are of a host, but rules and ladders "
              "are made of GPU variants: `scanbench show RUN` has the host's "
              "fastest\n",
              stderr);
    else if (!rows)
        fputs("scanbench: no such cell in these runs: scanbench table lists "
              "what they have\n",
              stderr);
    return gpu && rows;
}

bool page_read_rules(const char *path, struct rules *rules)
{
    char why[RULES_WHY_BYTES];
    size_t bytes;
    char *text = whole_file_read(path, &bytes);
    const bool ok =
        text && rules_parse(rules, path, text, strlen(text), NULL, why);
    if (!text)
        fprintf(stderr, "scanbench: cannot read %s: %s\n", path,
                strerror(errno));
    else if (!ok)
        fprintf(stderr, "scanbench: rules %s: %s\n", path, why);
    free(text);
    return ok;
}

int page_write(const char *path, const char *text)
{
    return whole_file_write(path, text, strlen(text)) || cannot_write(path)
               ? EXIT_OK
               : EXIT_BAD;
}

bool installed_file(const char *installed, const char *built,
                    char path[PATH_MAX])
{
    char program[PATH_MAX / 2] = "", file[PATH_MAX];
    const ssize_t chars =
        readlink("/proc/self/exe", program, sizeof program - 1);
    char *slash = chars > 0 ? strrchr(program, '/') : NULL;
    if (!slash)
        return false;
    *slash = '\0';
    snprintf(file, sizeof file, "%s/%.512s", program, installed);
    if (realpath(file, path))
        return true;
    snprintf(file, sizeof file, "%s/%.512s", program, built);
    return realpath(file, path);
}
