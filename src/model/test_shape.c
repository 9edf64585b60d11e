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
    check_good("128x4096x4095:1", 128, 4096, 4095);
    check_good("128x4096x4095:-1", 524288, 4095, 1);
    check_good("128x4096x4095:-3", 1, 128, 16773120);
    check_good("128x4096x4095", 128, 4096, 4095);
    check_good("5:0", 1, 5, 1);
    check_good("0x5:1", 0, 5, 1);
    check_good("5x0:1", 5, 0, 1);
    check_good("0x9223372036854775807x9223372036854775807:1", 0, INT64_MAX,
               INT64_MAX);
    check_good("9223372036854775807x9223372036854775807x0x3:1", INT64_MAX,
               INT64_MAX, 0);
    check_good("268435456x268435456:0", 1, 268435456, 268435456);
    check_good("1x1x1x1x1x1x1x1x1x1x1x1x1x1x2x3:15", 2, 3, 1);

    check_bad("", "not a number");
    check_bad("4x", "not a number");
    check_bad("-4x5:0", "not a number");
    check_bad(" 4x5:0", "not a number");
    check_bad("4x5x6x7", "no :DIM");
    check_bad("4.5x5:1", "no :DIM");
    check_bad("64X64:1", "x between");
    check_bad("4 x 5:1", "x between");
    check_bad("4*5:1", "x between");
    check_bad("4x5:", "dim is not a number");
    check_bad("4x5:2", "outside");
    check_bad("4x5:-3", "outside");
    check_bad("4x5:9223372036854775808", "dim is not a number");
    check_bad("9223372036854775808x1:0", "too large");
    check_bad("268435456x268435457:0", "2^56");
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
    check_bad("4,5", "no :DIM");
    check_bad("4,5,6x7:1", "not both");
    check_bad("(4x5):1", "not both");
    check_bad("(4,5:1", "no )");
    check_bad("()", "not a number");
    check_bad("(4,5)1", "no :DIM");
    check_bad("4x5:1,6x7:1", "more than one");
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
    CHECK(strcmp(shape_format((struct shape){ 1, 0, 33 }, text), "1x0x33") ==
          0);
    CHECK(strcmp(shape_format((struct shape){ most, most, most }, text),
                 "9223372036854775807x9223372036854775807x"
                 "9223372036854775807") == 0);
}

/* The text of a shape, and of its lines, both ways. */
static void check_ragged_text(const char *text, const char *shorter,
                              const char *lines, int64_t segments)
{
    char again[SHAPE_TEXT_BYTES], column[SHAPE_TEXT_BYTES];
    struct shape shape;
    struct ragged_lines back = { 7, 7, LINES_ONE, 4 };
    const char *problem = shape_parse(text, &shape);
    CHECK_FOR(!problem, "%s: %s", text, problem);
    CHECK_FOR(strcmp(shape_format(shape, again), shorter) == 0, "%s", again);
    CHECK_FOR(strcmp(lines_format(shape.lines, column), lines) == 0, "%s",
              column);
    CHECK(lines_parse(column, &back));
    CHECK_FOR(back.mean == shape.lines.mean && back.seed == shape.lines.seed &&
                  back.kind == shape.lines.kind &&
                  back.offset_bytes == shape.lines.offset_bytes,
              "%s", column);
    CHECK_FOR(shape_segments(shape) == segments &&
                  shape_class_of(shape) == SHAPE_CLASS_RAGGED &&
                  shape_lines(shape) == segments * shape.inner,
              "%s: %lld", text, (long long)shape_segments(shape));
}

static void check_ragged(void)
{
    static const char *const none[] = {
        "5",           "5:plain:0:i64", "5:one:0:i16",
        "0:one:0:i64", "5:one:-1:i64",  "5:one:0:i64 "
    };
    struct ragged_lines lines = { 0 };
    check_ragged_text("ragged:1000:16:zipf", "ragged:1000:16:zipf",
                      "16:zipf:0:i64", 63);
    check_ragged_text("ragged:999:400:one,offsets=i32,seed=7,inner=3",
                      "ragged:999:400:one,inner=3,seed=7,offsets=i32",
                      "400:one:7:i32", 2);
    check_ragged_text("ragged:0:5:equal,inner=1,seed=0,offsets=i64",
                      "ragged:0:5:equal", "5:equal:0:i64", 1);
    check_list("ragged:10:5:uniform,inner=2,4x5x6:1",
               "ragged:10:5:uniform,"
               "inner=2 4x5x6",
               "dim 1 of 4 x 5 x 6, stride 6");
    check_bad("ragged:10", "TOTAL");
    check_bad("ragged:10:5:long", "TOTAL");
    check_bad("ragged:10:5:one:3", "stands");
    check_bad("ragged:10:5:one,offsets=i16", "stands");
    check_bad("ragged:10:5:one,inner=3,seed=1,inner=3", "twice");
    check_bad("ragged:10:5:one,offsets=i32,offsets=i64", "twice");
    check_bad("ragged:10:0:one", "MEAN is at least 1");
    check_bad("ragged:2147483648:5:one,offsets=i32", "below 2^31");
    check_bad("ragged:72057594037927937:5:one", "2^56");
    check_bad("ragged:10:5:one,seed=4294967296", "4294967295");
    for (size_t k = 0; k < sizeof none / sizeof *none; ++k)
        CHECK_FOR(!lines_parse(none[k], &lines), "%s", none[k]);
    CHECK(lines_parse("", &lines) && lines.kind == LINES_PLAIN);
}

/* Ascending, from 0 to the total, and the longest is of the kind. */
static void check_offsets(void)
{
    enum { TOTAL = 1 << 20, MEAN = 16, SEGMENTS = TOTAL / MEAN };
    static const int64_t least[] = { 0, 30, 16, TOTAL / 32, 100, TOTAL };
    static const int64_t most[] = { 0, 33, 16, TOTAL / 2, 500, TOTAL };
    static int64_t offsets[SEGMENTS + 1];
    static int32_t narrow[SEGMENTS + 1];
    for (uint8_t kind = LINES_PLAIN + 1; kind < LINE_KIND_COUNT; ++kind) {
        int64_t longest = 0, empty = 0;
        bool right = true;
        shape_offsets((struct shape){ 1, TOTAL, 1, { MEAN, 3, kind, 8 } },
                      offsets);
        shape_offsets((struct shape){ 1, TOTAL, 1, { MEAN, 3, kind, 4 } },
                      narrow);
        for (int g = 0; g < SEGMENTS; ++g) {
            const int64_t length = offsets[g + 1] - offsets[g];
            right &= length >= 0 && narrow[g] == offsets[g];
            longest = length > longest ? length : longest;
            empty += length == 0;
            right &= !length ||
                     offset_find(offsets, 8, SEGMENTS, offsets[g + 1] - 1) == g;
        }
        CHECK_FOR(right && offsets[0] == 0 && offsets[SEGMENTS] == TOTAL &&
                      narrow[SEGMENTS] == TOTAL,
                  "kind %d", kind);
        CHECK_FOR(longest >= least[kind] && longest <= most[kind] &&
                      (empty > SEGMENTS / 80 || kind == LINES_EQUAL),
                  "kind %d: longest %lld, empty %lld", kind, (long long)longest,
                  (long long)empty);
    }
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
        { { 1, 99, 9, { 3, 0, LINES_ONE, 8 } }, SHAPE_CLASS_RAGGED },
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
    check_ragged();
    check_offsets();
    check_classes();
    return test_end();
}
