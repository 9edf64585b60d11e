/* SPDX-License-Identifier: MIT
 *
 * Lines of ceilings.csv, and the ceilings of cells between two probes.
 */
#include "src/runs/test_run.h"

#define HEADER                                                                 \
    "kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,process,phase\n"

static void check_written(const struct ceiling *ceiling, const char *wanted)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (ceiling)
        ceiling_write(file, ceiling);
    else
        columns_write_names(file, &ceiling_columns);
    fclose(file);
    CHECK_FOR(strcmp(text, wanted) == 0, "%s", text);
    free(text);
}

#define PROBE                                                                  \
    "traffic,masked_copy,f16,hot,1048576,5242880,4321.125,,copy_b256,2,end\n"
#define ROOF "add,,f64,cold,,,,33500.5,,0,start\n"

static void check_round_trip(void)
{
    static const char text[] = HEADER PROBE ROOF;
    check_written(NULL, HEADER);
    put_text(CEILINGS_FILE, text, strlen(text));
    struct ceilings read = { 0 };
    ceilings_read(&read, run_folder, NULL);
    CHECK(read.count == 2 && !read.damaged);
    struct ceiling *back = read.line;
    CHECK(back[0].twin == -1 && back[0].dtype == DTYPE_F64 &&
          back[0].cache == CACHE_COLD && back[0].elems == -1 &&
          back[0].bytes == -1 && isnan(back[0].gbps) && !*back[0].variant &&
          back[0].gflops == 33500.5 && back[0].process == 0 && !back[0].at_end);
    CHECK(back[1].twin == OP_MASKED_COPY && back[1].dtype == DTYPE_F16 &&
          back[1].cache == CACHE_HOT && back[1].elems == 1 << 20 &&
          back[1].bytes == 5 << 20 && back[1].gbps == 4321.125 &&
          isnan(back[1].gflops) && back[1].process == 2 && back[1].at_end);
    check_written(&back[0], ROOF);
    back[1].variant = "copy_b256"; /* which is not read */
    check_written(&back[1], PROBE);
    ceilings_free(&read);
}

static void check_refused(void)
{
    static const char *const lines[] = {
        "traffic,copy,f32,cold,1e300,512,9,,a,0,start",
        "traffic,copy,f32,cold,0,512,9,,a,0,start",
        "traffic,copy,f32,cold,64,512,9,,a,99999999999,start",
        "traffic,copy,f32,cold,64,512,9,,a,,start",
        "traffic,copy,f32,cold,64,512,inf,,a,0,start",
        "traffic,copy,f32,cold,64,512,9,,,0,start",
        "traffic,,f32,cold,64,512,9,,a,0,start",
        "traffic,copy,f32,cold,64,512,9,,a,0,middle",
        "add,,f32,cold,,,,,,0,start",
        "add,copy,f32,cold,,,,9,,0,start",
    };
    struct ceilings read = { 0 };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k) {
        char text[256];
        snprintf(text, sizeof text, HEADER "%s\n", lines[k]);
        put_text(CEILINGS_FILE, text, strlen(text));
        ceilings_read(&read, run_folder, NULL);
        CHECK_FOR(read.damaged == k + 1 && !read.count, "%s", lines[k]);
    }
}

static struct ceiling probe_of(enum op twin, int bytes, double us)
{
    return (struct ceiling){ .twin = (int)twin,
                             .dtype = DTYPE_F32,
                             .bytes = bytes,
                             .gbps = bytes / (us * 1e3) };
}

/* Read takes 6 us and 1 us per KiB, copy 5 us and 2 us per KiB; process 1 is
 * half as fast. Read has probes at 1, 2 and 8 KiB, copy at 1 and 4. */
static struct ceilings make_probes(struct ceiling probes[6])
{
    static const int kib[] = { 8, 1, 2, 4, 1 };
    for (size_t k = 0; k < 5; ++k)
        probes[k] = probe_of(k < 3 ? OP_READ : OP_COPY, 1024 * kib[k],
                             k < 3 ? 6 + kib[k] : 5 + 2 * kib[k]);
    probes[5] = probes[4];
    probes[5].process = 1;
    probes[5].gbps /= 2;
    struct ceilings all = { probes, 6, 0 };
    ceilings_sort(&all);
    return all;
}

static double us_of(const struct ceiling *probes, size_t count, enum op op,
                    int process, int outer, int axis, int inner)
{
    const struct shape shape = { outer, axis, inner };
    const struct ceilings all = { (struct ceiling *)probes, count, 0 };
    const struct ceiling like = { .dtype = probes->dtype, .process = process };
    const double gbps = ceiling_gbps(&all, &like, op, shape);
    return gbps > 0 ? (double)op_bytes(op, like.dtype, shape) / (gbps * 1e3)
                    : NAN;
}

static void check_between(void)
{
    struct ceiling probes[6];
    const size_t count = make_probes(probes).count;
    /* A fixed part and a rate, at a probe, between two and beyond the ends. */
    static const int kib[] = { 1, 2, 4, 8, 16 };
    for (size_t k = 0; k < 5; ++k)
        CHECK(is_near(us_of(probes, count, OP_READ, 0, 1, 256 * kib[k], 1),
                      6 + kib[k]));
    CHECK(is_near(us_of(probes, count, OP_READ, 0, 1, 128, 1), 6.5));
    CHECK(is_near(us_of(probes, count, OP_CUMSUM, 0, 1, 256, 1), 9));
    /* One probe gives a rate. */
    CHECK(is_near(us_of(probes, count, OP_COPY, 1, 1, 256, 1), 28));
    CHECK(isnan(us_of(probes, count, OP_MASKED_COPY, 0, 1, 256, 1)));
    CHECK(isnan(us_of(probes, count, OP_READ, 1, 1, 256, 1)));
}

/* A time that falls, or grows faster than the bytes, is not continued. */
static void check_ends(void)
{
    const struct ceiling steep[] = { probe_of(OP_COPY, 1024, 1),
                                     probe_of(OP_COPY, 2048, 9) };
    const struct ceiling falling[] = { probe_of(OP_COPY, 1024, 9),
                                       probe_of(OP_COPY, 2048, 8) };
    CHECK(is_near(us_of(steep, 2, OP_COPY, 0, 1, 64, 1), 0.5));
    CHECK(is_near(us_of(steep, 2, OP_COPY, 0, 1, 512, 1), 18));
    CHECK(is_near(us_of(falling, 2, OP_COPY, 0, 1, 64, 1), 9));
    CHECK(is_near(us_of(falling, 2, OP_COPY, 0, 1, 512, 1), 8));
}

/* A sum along an axis of 3 writes a quarter of its 4 KiB: half of the bytes are
 * copied and half are read. */
static void check_short_axis(void)
{
    struct ceiling probes[6];
    const size_t count = make_probes(probes).count;
    CHECK(is_near(us_of(probes, count, OP_SUM, 0, 256, 3, 1), (13 + 10) / 2.));
    CHECK(is_near(us_of(probes, count, OP_SUM, 0, 1, 1, 512), 13));
    /* Along a longer axis, and without probes of copy, all bytes are read. */
    CHECK(is_near(us_of(probes, count, OP_SUM, 0, 64, 15, 1), 10));
    CHECK(is_near(us_of(probes + 3, 3, OP_SUM, 0, 256, 3, 1), 10));
}

/* A sum of 8 bools reads 8 bytes and writes 8: one of the bytes read, and all
 * written, are moved by a widening copy. */
static void check_widening(void)
{
    struct ceiling probes[] = { probe_of(OP_WIDEN, 1024, 9),
                                probe_of(OP_READ, 1024, 7) };
    probes[0].dtype = probes[1].dtype = DTYPE_BOOL;
    ceilings_sort(&(struct ceilings){ probes, 2, 0 });
    CHECK(
        is_near(us_of(probes, 2, OP_SUM, 0, 64, 8, 1), (9 * 9 + 7 * 7) / 16.));
    CHECK(is_near(us_of(probes, 2, OP_SUM, 0, 1024, 1, 1), 81));
    CHECK(is_near(us_of(probes, 2, OP_CUMSUM, 0, 1, 1024, 1), 81));
    CHECK(isnan(us_of(probes, 2, OP_CUMMAX, 0, 1, 512, 1)));
}

int main(void)
{
    make_folder();
    check_between();
    check_ends();
    check_short_axis();
    check_widening();
    check_round_trip();
    check_refused();
    remove_run();
    return test_end();
}
