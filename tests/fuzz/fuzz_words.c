/* SPDX-License-Identifier: MIT
 *
 * Any words after `scanbench`, a line each, as options and as shapes.
 */
#include "tests/fuzz/fuzz.h"

#include <getopt.h>
#include <math.h>

#include "harness/options.h"

enum { MOST_WORDS = 24, MOST_BYTES = 512 };

static void check_shape(const char *word)
{
    struct shape shape, same;
    char text[SHAPE_TEXT_BYTES];
    if (shape_parse(word, &shape))
        return;
    REQUIRE(shape.outer >= 0 && shape.axis >= 0 && shape.inner >= 0);
    REQUIRE(!shape_parse(shape_format(shape, text), &same));
    REQUIRE(shape_equal(shape, same));
    REQUIRE(shape_elems(shape) >= 0 && shape_elems(shape) <= (int64_t)1 << 56);
    for (int op = 0; op < OP_COUNT; ++op)
        for (int dtype = 0; dtype < DTYPE_COUNT; ++dtype)
            REQUIRE(op_bytes((enum op)op, (enum dtype)dtype, shape) >= 0 &&
                    op_out_bytes((enum op)op, (enum dtype)dtype, shape) >= 0 &&
                    op_flops((enum op)op, shape) >= 0);
}

static void check_options(const struct options *options)
{
    REQUIRE(options->ops && options->dtypes && options->caches);
    REQUIRE(options->processes >= 1 && options->budget_ms >= 0);
    REQUIRE(options->timeout_s >= 0.1 && isfinite(options->timeout_s));
    REQUIRE(options->grid_count <= MAX_GRIDS);
    REQUIRE(options->shape_count <= MAX_SHAPES);
    REQUIRE(options->filters.count <= MAX_PATTERNS);
    REQUIRE(options->index >= 0 && options->offset >= 0);
    REQUIRE(options->offset_out >= 0 && options->offset_mask >= 0);
    for (int k = 0; k < options->shape_count; ++k)
        REQUIRE(shape_elems(options->shapes[k]) >= 0);
}

/* getopt keeps its place in a word that was not finished. */
static void forget(void)
{
    char *none[] = { "scanbench", NULL };
    optind = 0;
    getopt(1, none, "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct options options = { .index = 0 };
    struct fuzz_output output;
    char *argv[MOST_WORDS + 1] = { "scanbench" };
    int argc = 1, status;
    if (size > MOST_BYTES)
        return 0;
    char *text = fuzz_text(data, size), *rest = text;
    for (char *word; argc < MOST_WORDS && (word = strsep(&rest, "\n"));) {
        argv[argc++] = word;
        check_shape(word);
    }
    fuzz_catch(&output);
    forget();
    if (options_parse(argc, argv, &options, &status))
        check_options(&options);
    options_free(&options);
    free(fuzz_caught(&output));
    free(text);
    return 0;
}
