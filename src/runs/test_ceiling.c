/* SPDX-License-Identifier: MIT
 *
 * A line of ceilings.csv, written and read back; and what is none.
 */
#include "src/runs/ceiling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/csv.h"
#include "src/base/test.h"

static const struct ceiling probe = { .twin = OP_MASKED_COPY,
                                      .dtype = DTYPE_F16,
                                      .cache = CACHE_HOT,
                                      .elems = 1 << 20,
                                      .bytes = 5 << 20,
                                      .gbps = 4321.125,
                                      .gflops = NAN,
                                      .variant = "copy_b256",
                                      .process = 2,
                                      .phase = "end" };
static const struct ceiling roof = { .twin = -1,
                                     .dtype = DTYPE_F64,
                                     .elems = -1,
                                     .bytes = -1,
                                     .gbps = NAN,
                                     .gflops = 33500.5,
                                     .phase = "start" };

/* The line that it makes, split into fields. */
static size_t split(const struct ceiling *ceiling, char *line, char **fields,
                    const char *wanted)
{
    char *text = NULL;
    size_t bytes;
    const char *problem;
    FILE *file = open_memstream(&text, &bytes);
    CHECK(ceiling ? ceiling_write(file, ceiling) : ceiling_write_header(file));
    fclose(file);
    CHECK_FOR(strcmp(text, wanted) == 0, "%s", text);
    strcpy(line, text);
    free(text);
    return csv_split(line, fields, 2 * CEILING_COLUMN_COUNT, &problem);
}

static void check_round_trip(void)
{
    char line[512], *fields[2 * CEILING_COLUMN_COUNT];
    struct ceiling back;
    size_t count = split(NULL, line, fields,
                         "kind,twin,dtype,cache,elems,bytes,gbps,gflops,"
                         "variant,process,phase\n");
    CHECK(ceiling_is_header(fields, count));
    CHECK(!ceiling_is_header(fields, count - 1));
    count = split(&probe, line, fields,
                  "traffic,masked_copy,f16,hot,1048576,5242880,4321.125,,"
                  "copy_b256,2,end\n");
    CHECK(!ceiling_is_header(fields, count));
    CHECK(ceiling_read(&back, fields, count));
    CHECK(back.twin == OP_MASKED_COPY && back.dtype == DTYPE_F16 &&
          back.cache == CACHE_HOT && back.elems == 1 << 20 &&
          back.bytes == 5 << 20 && back.gbps == 4321.125 &&
          isnan(back.gflops) && back.process == 2 &&
          strcmp(back.variant, "copy_b256") == 0 &&
          strcmp(back.phase, "end") == 0);
    count = split(&roof, line, fields, "add,,f64,cold,,,,33500.5,,0,start\n");
    CHECK(ceiling_read(&back, fields, count));
    CHECK(back.twin == -1 && back.elems == -1 && isnan(back.gbps) &&
          back.gflops == 33500.5);
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
        "add,,f32,cold,,,,,,0,start",
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k) {
        char line[256], *fields[2 * CEILING_COLUMN_COUNT];
        const char *problem;
        struct ceiling back;
        strcpy(line, lines[k]);
        const size_t count =
            csv_split(line, fields, 2 * CEILING_COLUMN_COUNT, &problem);
        CHECK_FOR(!ceiling_read(&back, fields, count), "%s", lines[k]);
    }
}

int main(void)
{
    check_round_trip();
    check_refused();
    return test_end();
}
