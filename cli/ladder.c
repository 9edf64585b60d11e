/* SPDX-License-Identifier: MIT */
#include "cli/common/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common/page.h"
#include "cli/common/points.h"
#include "cli/common/runs.h"
#include "src/base/exit_status.h"
#include "src/base/memory.h"
#include "src/analyse/steps.h"

/* ----------------------------------------------------------------- tables */

static const char *const blocks[] = { "stream", "scan", "sum", "flip",
                                      "lessons" };
enum { BLOCKS = sizeof blocks / sizeof *blocks };

/* What the files taught, as links from a page in docs/. */
static bool write_lessons(FILE *file)
{
    for (const struct kernel_head *head = kernel_heads; head->id; ++head) {
        char text[KERNEL_FIELD_BYTES];
        if (strncmp(head->id, "host/", 5) == 0 ||
            strncmp(head->id, "best/", 5) == 0)
            continue;
        if (!kernel_header_field(head->text, "Lesson", text)) {
            fprintf(stderr, "scanbench: %s: its header has no Lesson\n",
                    head->id);
            return false;
        }
        fprintf(file, "- [%s](../variants/%s.%s): %s\n", head->id, head->id,
                head->ending, text);
    }
    return true;
}

static bool write_block(const struct ladder *ladder, int block, FILE *file)
{
    if (strcmp(blocks[block], "lessons") == 0)
        return write_lessons(file);
    ladder_write(ladder, blocks[block], file);
    return true;
}

/* The block that the line begins (or, with "/", ends), or -1. */
static int block_at(const char *line, const char *slash)
{
    char mark[64];
    for (int b = 0; b < BLOCKS; ++b) {
        snprintf(mark, sizeof mark, "<!-- %s%s -->\n", slash, blocks[b]);
        if (strncmp(line, mark, strlen(mark)) == 0)
            return b;
    }
    return -1;
}

/* The page with its blocks made anew. */
static bool write_page(const struct ladder *ladder, const char *page,
                       FILE *file)
{
    int inside = -1;
    bool ok = true;
    for (const char *line = page; *line;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        if (inside >= 0 && block_at(line, "/") == inside)
            inside = -1;
        if (inside < 0)
            fprintf(file, "%.*s\n", (int)strcspn(line, "\n"), line);
        if (inside < 0 && (inside = block_at(line, "")) >= 0)
            ok &= write_block(ladder, inside, file);
    }
    return ok;
}

/* The four tables, as they are printed. */
static void write_tables(const struct ladder *ladder, FILE *file)
{
    for (int b = 0; b < BLOCKS - 1; ++b) {
        fprintf(file, "%s%s\n\n", b ? "\n" : "", blocks[b]);
        write_block(ladder, b, file);
    }
}

static int with_page(const struct ladder *ladder,
                     const struct page_options *options, FILE *file,
                     char *const *text)
{
    const char *path = options->write ? options->write : options->check;
    char *page = path ? page_read(path) : NULL;
    bool ok = !path || page;
    if (page)
        ok = write_page(ladder, page, file);
    else if (ok)
        write_tables(ladder, file);
    free(page);
    fflush(file);
    if (!ok)
        return EXIT_BAD;
    if (options->check)
        return page_check(path, *text,
                          "scanbench ladder --write, with the same runs");
    if (options->write)
        return page_write(path, *text) ? EXIT_OK : EXIT_BAD;
    fputs(*text, stdout);
    return EXIT_OK;
}

static int conclude(const struct published *set,
                    const struct page_options *options)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = memory_open(&text, &bytes);
    struct ladder *ladder = ladder_make(variant_points, set->run, set->count);
    const int status = with_page(ladder, options, file, &text);
    ladder_free(ladder);
    memory_close(file, &text);
    free(text);
    return status;
}

/* ------------------------------------------------------------ the command */

int ladder_command(int argc, char **argv)
{
    struct page_options options;
    struct published set = { 0 };
    int status;
    if (!page_parse(COMMAND_LADDER, argc, argv, &options, &status))
        return status;
    if (!published_read(&set, options.runs, options.run_count))
        status = EXIT_BAD;
    else
        status =
            published_of_gpu(&set) ? conclude(&set, &options) : EXIT_NOTHING;
    published_free(&set);
    return status;
}
