/* SPDX-License-Identifier: MIT */
#include "harness/cli/ladder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/page.h"
#include "harness/cli/published.h"
#include "harness/tally.h"
#include "src/judge/kernel_header.h"
#include "src/judge/steps.h"
#include "harness/cli/points.h"
#include "src/base/memory.h"

static const char help_text[] =
    "What each step from the simplest kernel to the fastest is worth.\n"
    "\n"
    "  scanbench ladder RUN...                 prints the tables\n"
    "  scanbench ladder --write PAGE RUN...    puts them into the page\n"
    "  scanbench ladder --check PAGE RUN...    1 if the page has others\n"
    "\n"
    "PAGE is variants/README.md, beside the kernels' folders, whose headers\n"
    "are read; without one, those of ./variants. A table stands between\n"
    "<!-- NAME --> and <!-- /NAME -->, where NAME is files-stream, "
    "files-scan,\n"
    "files-sum, files-flip or ladders. RUN is a folder that `scanbench run`\n"
    "wrote, or a folder of such.\n";

/* ---------------------------------------------------------------- headers */

/* The kernels' folder, and the field that was read last. */
struct sources {
    char folder[4096];
    char text[KERNEL_FIELD_BYTES];
    bool failed, lost; /* lost: they are not there, and were asked for once */
};

static const char *field(void *context, const char *id, const char *name)
{
    struct sources *sources = context;
    char path[4096 + 256];
    *sources->text = '\0';
    if (sources->lost)
        return sources->text;
    snprintf(path, sizeof path, "%s/%s.cu", sources->folder, id);
    char *source = page_read(path);
    if (!source)
        fprintf(stderr,
                "scanbench: ladder reads the headers of the kernels in %s/: "
                "call it in the folder of the source\n",
                sources->folder);
    sources->lost = !source;
    if (!source || !kernel_header_field(source, name, sources->text)) {
        if (source)
            fprintf(stderr, "scanbench: %s: its header has no %s\n", path,
                    name);
        sources->failed = true;
    }
    free(source);
    return sources->text;
}

static void find_sources(struct sources *sources, const char *page)
{
    const char *slash = page ? strrchr(page, '/') : NULL;
    snprintf(sources->folder, sizeof sources->folder, "%.*s",
             slash ? (int)(slash - page) : 8, slash ? page : "variants");
}

/* ----------------------------------------------------------------- tables */

static const char *const blocks[] = { "files-stream", "files-scan", "files-sum",
                                      "files-flip", "ladders" };
enum { BLOCKS = sizeof blocks / sizeof *blocks };

static void write_block(const struct ladder *ladder, int block,
                        const struct ladder_headers *headers, FILE *file)
{
    if (strncmp(blocks[block], "files-", 6) == 0)
        ladder_write_files(ladder, blocks[block] + 6, headers, file);
    else
        ladder_write_steps(ladder, file);
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
static void write_page(const struct ladder *ladder, const char *page,
                       const struct ladder_headers *headers, FILE *file)
{
    int inside = -1;
    for (const char *line = page; *line;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
        if (inside >= 0 && block_at(line, "/") == inside)
            inside = -1;
        if (inside < 0)
            fprintf(file, "%.*s\n", (int)strcspn(line, "\n"), line);
        if (inside < 0 && (inside = block_at(line, "")) >= 0)
            write_block(ladder, inside, headers, file);
    }
}

static int with_page(const struct ladder *ladder,
                     const struct page_options *options,
                     const struct ladder_headers *headers, FILE *file,
                     char *const *text)
{
    const char *path = options->write ? options->write : options->check;
    char *page = path ? page_read(path) : NULL;
    if (path && !page)
        return EXIT_BAD;
    if (page)
        write_page(ladder, page, headers, file);
    else
        for (int b = 0; b < BLOCKS; ++b)
            write_block(ladder, b, headers, file);
    free(page);
    fflush(file);
    const struct sources *sources = headers->context;
    if (sources->failed)
        return sources->lost ? EXIT_BAD : EXIT_WRONG;
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
    struct sources sources = { .failed = false };
    const struct ladder_headers headers = { field, &sources };
    char *text = NULL;
    size_t bytes;
    FILE *file = memory_open(&text, &bytes);
    find_sources(&sources, options->write ? options->write : options->check);
    struct ladder *ladder = ladder_make(variant_points, set->run, set->count);
    const int status = with_page(ladder, options, &headers, file, &text);
    ladder_free(ladder);
    memory_close(file, &text);
    free(text);
    return status;
}

/* ------------------------------------------------------------ the command */

int ladder_command(int argc, char **argv)
{
    static const struct page_usage usage = { "ladder", help_text,
                                             "take figures from", "write",
                                             NULL };
    struct page_options options;
    struct published set = { 0 };
    int status;
    if (!page_options(argc, argv, &usage, &options, &status))
        return status;
    if (!published_read(&set, options.runs, options.run_count))
        status = EXIT_BAD;
    else
        status =
            published_of_gpu(&set) ? conclude(&set, &options) : EXIT_NOTHING;
    published_free(&set);
    return status;
}
