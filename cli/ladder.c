/* SPDX-License-Identifier: MIT
 *
 * scanbench ladder: tables of the kernels' progress, and the lessons of their
 * headers, printed or put into a page.
 */
#include "cli/common/commands.h"

#include "cli/common/runs.h"
#include "src/choose/catalogue.h"
#include "src/base/exit.h"
#include "src/base/memory.h"
#include "src/analyse/steps.h"

static const char *const blocks[] = { "stream", "scan", "reduce", "flip",
                                      "lessons" };
enum { LESSONS = 4, BLOCKS };

/* Writes the lesson of each GPU kernel, with links from a page in docs/. */
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
        fprintf(file, "- [%s](../variants/%s): %s\n", head->id, head->file,
                text);
    }
    return true;
}

/* Returns the block that the line begins (or, with a slash, ends), or -1. */
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

/* Copies the page and replaces its blocks. */
static bool write_page(const struct ladder *ladder, const char *page,
                       FILE *file)
{
    int inside = -1;
    bool ok = true;
    for (const char *line = page, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        if (inside >= 0 && block_at(line, "/") == inside)
            inside = -1;
        if (inside >= 0)
            continue;
        fprintf(file, "%.*s\n", (int)(end - line), line);
        inside = block_at(line, "");
        if (inside == LESSONS)
            ok &= write_lessons(file);
        else if (inside >= 0)
            ladder_write(ladder, blocks[inside], file);
    }
    return ok;
}

static int conclude(const struct ladder *ladder,
                    const struct page_options *options)
{
    const char *path = options->write;
    char *page, *text = NULL;
    size_t bytes;
    int status = EXIT_BAD;
    if (!path) {
        for (int b = 0; b < LESSONS; ++b) {
            printf("%s%s\n\n", b ? "\n" : "", blocks[b]);
            ladder_write(ladder, blocks[b], stdout);
        }
        return EXIT_OK;
    }
    if (!(page = page_read(path)))
        return EXIT_BAD;
    FILE *file = memory_open(&text, &bytes);
    const bool ok = write_page(ladder, page, file);
    memory_close(file, &text);
    if (ok)
        status = page_write(path, text);
    free(text);
    free(page);
    return status;
}

int ladder_command(int argc, char **argv)
{
    struct page_options options;
    struct published set;
    int status;
    if (page_begin(COMMAND_LADDER, argc, argv, &options, &set, &status)) {
        struct ladder *ladder = ladder_make(variant_points, set.run, set.count);
        status = conclude(ladder, &options);
        ladder_free(ladder);
    }
    published_free(&set);
    return status;
}
