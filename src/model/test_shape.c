/* SPDX-License-Identifier: MIT */
#include "src/model/shape.h"

#include <string.h>

#include "src/base/test.h"

static void check_good(const char *text, int64_t outer, int64_t axis,
                       int64_t inner)
{
    struct shape shape = { -1, -1, -1 };
    const char *problem = shape_parse(text, &shape);
    CHECK_FOR(problem == NULL, "%s: %s", text, problem);
    CHECK_FOR(shape_equal(shape, (struct shape){ outer, axis, inner }),
              "%s is %lldx%lldx%lld", text, (long long)shape.outer,
              (long long)shape.axis, (long long)shape.inner);
}

static void check_bad(const char *text, const char *about)
{
    const struct shape before = { 7, 8, 9 };
    struct shape shape = before;
    const char *problem = shape_parse(text, &shape);
    CHECK_FOR(problem && strstr(problem, about), "'%s': %s", text,
              problem ? problem : "taken");
    CHECK_FOR(shape_equal(shape, before), "'%s'", text);
}

static void check_parse(void)
{
    check_good("32768x32768:1", 32768, 32768, 1);
    check_good("32768x32768:0", 1, 32768, 32768);
    check_good("128x4096x4095:1", 128, 4096, 4095);
    check_good("128x4096x4095:-1", 524288, 4095, 1);
    check_good("128x4096x4095:-3", 1, 128, 16773120);
    check_good("128x4096x4095", 128, 4096, 4095);
    check_good("5:0", 1, 5, 1);
    check_good("5:-1", 1, 5, 1);
    check_good("1x1073741824:1", 1, 1073741824, 1);
    check_good("0x5:1", 0, 5, 1);
    check_good("5x0:1", 5, 0, 1);
    check_good("4611686018427387904x0:0", 1, 4611686018427387904, 0);
    check_good("0x9223372036854775807x9223372036854775807:1", 0, INT64_MAX,
               INT64_MAX);
    check_good("9223372036854775807x9223372036854775807x0x3:1", INT64_MAX,
               INT64_MAX, 0);
    check_good("268435456x268435456:0", 1, 268435456, 268435456);
    check_good("1x1x1x1x1x1x1x1x1x1x1x1x1x1x2x3:15", 2, 3, 1);
    check_good("2x3x4x5x6:2", 6, 4, 30);

    check_bad("", "not a number");
    check_bad("x", "not a number");
    check_bad("4x", "not a number");
    check_bad("4xx5:0", "not a number");
    check_bad("-4x5:0", "not a number");
    check_bad("+4x5:0", "not a number");
    check_bad(" 4x5:0", "not a number");
    check_bad("4x 5:0", "not a number");
    check_bad("4x5", "no :DIM");
    check_bad("4x5x6x7", "no :DIM");
    check_bad("4x5,1", "no :DIM");
    check_bad("4.5x5:1", "no :DIM");
    check_bad("64X64:1", "x between");
    check_bad("1Kx1K:1", "x between");
    check_bad("4 x 5:1", "x between");
    check_bad("4*5:1", "x between");
    check_bad("4x5:", "dim is not a number");
    check_bad("4x5:a", "dim is not a number");
    check_bad("4x5:1x", "dim is not a number");
    check_bad("4x5:2", "outside");
    check_bad("4x5:-3", "outside");
    check_bad("4x5:9223372036854775808", "dim is not a number");
    check_bad("9223372036854775808x1:0", "too large");
    check_bad("99999999999999999999x2:0", "too large");
    check_bad("268435456x268435457:0", "2^56");
    check_bad("1152921504606846976:0", "2^56");
    check_bad("1099511627776x0x1099511627776:1", "2^56"); /* sums */
    check_bad("1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1:0", "16 dims");
}

/* Reads a list; `all` has its shapes with blanks between, and `said` the last
 * one's words. */
static void check_list(const char *list, const char *all, const char *said)
{
    char text[256] = "", one[SHAPE_TEXT_BYTES], words[SHAPE_SAID_BYTES] = "";
    const char *at = list, *problem = NULL;
    for (struct shape shape; !problem && *at; at += *at == ',') {
        if ((problem = shape_read(&at, &shape, words)))
            break;
        strcat(text, *text ? " " : "");
        strcat(text, shape_format(shape, one));
    }
    CHECK_FOR(!problem && strcmp(text, all) == 0, "%s: %s %s", list, text,
              problem ? problem : "");
    CHECK_FOR(strcmp(words, said) == 0, "%s: %s", list, words);
}

/* A comma is in a tensor or between shapes. */
static void check_lists(void)
{
    check_list("4x5x6:1,7x8:0", "4x5x6 1x7x8", "dim 0 of 7 x 8, stride 8");
    check_list("4,5,6:-1", "20x6x1", "dim 2 of 4 x 5 x 6, stride 1");
    check_list("4, 5, 6:1,7:0", "4x5x6 1x7x1", "dim 0 of 7, stride 1");
    check_list("7:0,4,5,6:1,8x9:1", "1x7x1 4x5x6 8x9x1",
               "dim 1 of 8 x 9, stride 1");
    check_list("(4, 5, 6)", "20x6x1",
               "dim 2 of 4 x 5 x 6, stride 1 (without :DIM the last)");
    check_list("(4,5,6):0,(7,),3x5x7", "1x4x30 1x7x1 3x5x7",
               "dim 1 of 3 x 5 x 7, stride 7 (three extents without :DIM "
               "are outer x axis x inner)");
    check_list("3x5x7,4,5,6", "3x5x7 4x5x6",
               "dim 1 of 4 x 5 x 6, stride 6 (three extents without :DIM "
               "are outer x axis x inner)");
    check_bad("4,5", "no :DIM");
    check_bad("4,5,6x7:1", "not both");
    check_bad("(4x5):1", "not both");
    check_bad("(4,5:1", "no )");
    check_bad("()", "not a number");
    check_bad("(4,5)1", "no :DIM");
    check_bad("4x5:1,6x7:1", "more than one");
    check_bad("4,5,6,7", "no :DIM");
}

static void check_counts(void)
{
    const struct shape shape = { 3, 5, 7 };
    CHECK(shape_elems(shape) == 105);
    CHECK(shape_lines(shape) == 21);
    CHECK(shape_elems((struct shape){ 1 << 20, 1 << 20, 1 << 20 }) ==
          (int64_t)1 << 60);
    CHECK(shape_lines((struct shape){ 65537, 1, 65537 }) == 4295098369);
    CHECK(shape_fits(shape));
    CHECK(shape_fits((struct shape){ 1 << 20, 1 << 20, 1 << 16 }));
    CHECK(!shape_fits((struct shape){ 1 << 20, 1 << 20, 1 << 17 }));
    static const struct shape none[] = { { 0, INT64_MAX, INT64_MAX },
                                         { INT64_MAX, INT64_MAX, 0 } };
    for (size_t k = 0; k < sizeof none / sizeof *none; ++k)
        CHECK(shape_fits(none[k]) && shape_elems(none[k]) == 0 &&
              shape_lines(none[k]) == 0);
    /* No elements, but too many lines. */
    CHECK(!shape_fits((struct shape){ INT64_MAX, 0, INT64_MAX }));
    CHECK(!shape_fits((struct shape){ -1, -1, 1 }));
    CHECK(!shape_equal(shape, (struct shape){ 2, 5, 7 }));
    CHECK(!shape_equal(shape, (struct shape){ 3, 4, 7 }));
    CHECK(!shape_equal(shape, (struct shape){ 3, 5, 6 }));
}

static void check_format(void)
{
    const int64_t most = INT64_MAX;
    char text[SHAPE_TEXT_BYTES];
    struct shape back;
    CHECK(strcmp(shape_format((struct shape){ 1, 0, 33 }, text), "1x0x33") ==
          0);
    CHECK(strcmp(shape_format((struct shape){ most, most, most }, text),
                 "9223372036854775807x9223372036854775807x"
                 "9223372036854775807") == 0);
    shape_format((struct shape){ 128, 4096, 4095 }, text);
    CHECK(!shape_parse(text, &back));
    CHECK(shape_equal(back, (struct shape){ 128, 4096, 4095 }));
}

static void check_classes(void)
{
    static const struct {
        struct shape shape;
        enum shape_class class;
    } cases[] = {
        { { 1 << 20, 1023, 1 }, SHAPE_CLASS_SHORT_LINES },
        { { 1, 1023, 1 }, SHAPE_CLASS_SHORT_LINES },
        { { 1023, 1024, 1 }, SHAPE_CLASS_FEW_LINES },
        { { 1, 1 << 30, 1 }, SHAPE_CLASS_FEW_LINES },
        { { 1024, 1024, 1 }, SHAPE_CLASS_MANY_LINES },
        { { 32768, 32768, 1 }, SHAPE_CLASS_MANY_LINES },
        { { 111028397, 2, 2 }, SHAPE_CLASS_SHORT_AXIS },
        { { 1, 31, 1 << 17 }, SHAPE_CLASS_SHORT_AXIS },
        { { 166925, 102, 3 }, SHAPE_CLASS_TINY_INNER },
        { { 1, 32, 31 }, SHAPE_CLASS_TINY_INNER },
        { { 1, 32, 32 }, SHAPE_CLASS_NARROW_INNER },
        { { 60, 5000, 2047 }, SHAPE_CLASS_NARROW_INNER },
        { { 1, 32768, 2048 }, SHAPE_CLASS_WIDE_INNER },
        { { 0, 5, 3 }, SHAPE_CLASS_SHORT_AXIS },
        { { 4, 5, 0 }, SHAPE_CLASS_SHORT_LINES },
    };
    bool seen[SHAPE_CLASS_COUNT] = { false };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const enum shape_class class = shape_class_of(cases[k].shape);
        CHECK_FOR(class == cases[k].class, "%zu: %s", k,
                  shape_class_name(class));
        seen[class] = true;
    }
    for (int c = 0; c < SHAPE_CLASS_COUNT; ++c)
        CHECK_FOR(seen[c], "%s", shape_class_name((enum shape_class)c));
}

int main(void)
{
    check_parse();
    check_lists();
    check_counts();
    check_format();
    check_classes();
    return test_end();
}
