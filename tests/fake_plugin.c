/* SPDX-License-Identifier: MIT
 *
 * A plugin for tests. FAKE in the environment names the fault of it or of its
 * variant cumsum/fake; FAKE_ID and FAKE_NAME rename its family and its variant.
 */
#include "harness/measure/job.h"
#include "src/plugin.h"

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool is(const char *word)
{
    const char *fault = getenv("FAKE");
    return fault && strcmp(fault, word) == 0;
}

__attribute__((constructor)) static void load(void)
{
    if (is("crashes"))
        raise(SIGSEGV);
    if (is("exits"))
        exit(0);
    while (is("hangs"))
        pause();
    if (is("prints"))
        puts("not data");
    if (is("rounds"))
        fesetround(FE_UPWARD);
}

/* Writes to all open files: its worker's socket is one of them. */
static void write_where_it_must_not(void)
{
    static char ones[1 << 16];
    memset(ones, 1, sizeof ones);
    for (int file = 3; file < 12; ++file)
        if ((is("dribbles") && write(file, ones, 1) == 1) ||
            (is("floods") && write(file, ones, sizeof ones) == sizeof ones))
            continue;
    while (is("dribbles"))
        pause();
}

/* Starts a process that outlives the launch, with all open files. "leaves": it
 * has a session of its own and no parent. */
static void fork_one(void)
{
    if (fork() != 0)
        return;
    if (is("leaves") && (setsid() < 0 || fork() != 0))
        _exit(0);
    for (;;)
        pause();
}

/* Starts a child that answers for the worker: seven samples of no time. */
static void forge(void)
{
    static struct job_result forged = { .count = 7, .batch = 1 };
    if (fork() != 0)
        return;
    for (int k = 0; k < forged.count; ++k)
        forged.us[k] = forged.host_us[k] = 0.001;
    for (int file = 3; file < 12; ++file)
        if (write(file, &forged, sizeof forged) < 0)
            continue;
    _exit(0);
}

static void do_harm(void)
{
    if (is("forks") || is("leaves") || is("forks_and_dies"))
        fork_one();
    if (is("forks_and_dies") || is("kills"))
        raise(SIGKILL);
    if (is("forges"))
        forge();
    if (is("commas"))
        setlocale(LC_ALL, "de_DE.UTF-8");
    if (is("own_commas"))
        uselocale(newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0));
    write_where_it_must_not();
}

static int scan(const struct problem *p, void *stream)
{
    const float *x = p->in;
    float *y = p->out;
    (void)stream;
    for (int64_t line = 0; line < shape_lines(p->shape); ++line) {
        const int64_t inner = p->shape.inner;
        int64_t at = line / inner * p->shape.axis * inner + line % inner;
        float sum = 0;
        for (int64_t a = 0; a < p->shape.axis; ++a, at += inner)
            y[at] = sum += x[at];
    }
    if (is("wrong"))
        y[shape_elems(p->shape) / 2] += 1;
    do_harm();
    return 0;
}

/* Takes launches at the most frequent stack depth for timed ones, and copies a
 * remembered result there. */
static int scan_by_depth(const struct problem *p, void *stream)
{
    enum { MOST = 4096, ENOUGH = 20, FRAMES = 16 };
    static float kept[MOST];
    static struct {
        const void *frame;
        int launches;
    } seen[FRAMES];
    const void *frame = __builtin_frame_address(0);
    const size_t bytes = (size_t)shape_elems(p->shape) * sizeof *kept;
    int k = 0;
    while (k < FRAMES - 1 && seen[k].frame && seen[k].frame != frame)
        ++k;
    seen[k].frame = frame;
    if (++seen[k].launches > ENOUGH) {
        memcpy(p->out, kept, bytes);
        return 0;
    }
    scan(p, stream);
    memcpy(kept, p->out, bytes);
    return 0;
}

/* Appends to its own file, FAKE_FILE, and kills its worker. */
static int scan_changed(const struct problem *p, void *stream)
{
    FILE *file = fopen(getenv("FAKE_FILE"), "a");
    (void)p;
    (void)stream;
    if (file && fputs("more", file) >= 0 && fclose(file) == 0)
        raise(SIGKILL);
    return 1;
}

/* The first two launches take longer than --slow allows; "loads": only one. */
static int scan_long_at_first(const struct problem *p, void *stream)
{
    static int launches;
    if (launches++ < (is("loads") ? 1 : 2))
        usleep(300 * 1000);
    return scan(p, stream);
}

/* Writes to an output of its own; "stale": in the first launch only. */
static float elsewhere[4096];

static int scan_elsewhere(const struct problem *p, void *stream)
{
    static bool launched;
    struct problem own = *p;
    own.out = elsewhere;
    if ((is("stale") && launched) || is("lazy"))
        return 0;
    launched = true;
    return scan(&own, stream);
}

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/* Does nothing close behind another launch. */
static int scan_unless_hurried(const struct problem *p, void *stream)
{
    static double end_us;
    if (now_us() - end_us > 1)
        scan_elsewhere(p, stream);
    end_us = now_us();
    return 0;
}

/* Does nothing if its output already begins right. */
static int write_unless_written(const struct problem *p, void *stream)
{
    float first;
    (void)stream;
    memset(&first, WRITE_BYTE, sizeof first);
    if (memcmp(&first, elsewhere, sizeof first) != 0)
        memset(elsewhere, WRITE_BYTE,
               (size_t)shape_elems(p->shape) * sizeof *elsewhere);
    return 0;
}

/* Returns the output's place; "lazy": after the launch's work. */
static const void *output(const struct problem *p)
{
    struct problem own = *p;
    own.out = elsewhere;
    if (is("lazy")) {
        usleep(300 * 1000);
        scan(&own, NULL);
    }
    return is("nowhere") ? NULL : elsewhere;
}

static const char *refuses(const struct problem *p)
{
    return p->shape.axis == 7 ? "fake: no sevens" : NULL;
}

#define FAKE                                                                   \
    {                                                                          \
        .name = "fake", .idea = "one loop", .runs_on = DEVICE_HOST,            \
        .ops = OPS(FORM_OF(OP_CUMSUM), DTYPE_BIT(DTYPE_F32)), .passes = 1,     \
        .error_growth = ERROR_SERIAL, .deterministic = true,                   \
        .refuses = refuses, .launch = scan                                     \
    }
static struct variant points[] = { FAKE, { 0 } }, again[] = { FAKE, { 0 } };
static struct plugin_family families[] = { { "scan/fake", points },
                                           { NULL, NULL },
                                           { NULL, NULL } };
static struct plugin plugin = { PLUGIN_SIZES, "fake", families, NULL };

/* Returns the table of a plugin built before struct variant had `output`. */
static const struct plugin *as_of_old(void)
{
    enum { OLD_BYTES = offsetof(struct variant, launch) + sizeof(void *) };
    static struct variant packed[2];
    memcpy(packed, points, OLD_BYTES);
    memset((char *)packed + OLD_BYTES, 0, sizeof packed - OLD_BYTES);
    plugin.variant_bytes = OLD_BYTES;
    families[0].variants = packed;
    return &plugin;
}

/* A fault replaces the bytes of a field. */
#define FAULT(word, field, ...)                                                \
    {                                                                          \
        word, &(field), &(const __typeof__(field)){ __VA_ARGS__ },             \
            sizeof(field)                                                      \
    }
#define ELSEWHERE(word, launched)                                              \
    FAULT(word, points[0].launch, launched),                                   \
        FAULT(word, points[0].output, output)
static const struct reducer no_reducer;
static const struct {
    const char *word;
    void *field;
    const void *wrong;
    size_t bytes;
} faults[] = {
    FAULT("no_launch", points[0].launch, NULL),
    FAULT("changed", points[0].launch, scan_changed),
    FAULT("depth", points[0].launch, scan_by_depth),
    FAULT("loads", points[0].launch, scan_long_at_first),
    FAULT("dawdles", points[0].launch, scan_long_at_first),
    FAULT("compiles", points[0].launch, scan_long_at_first),
    FAULT("compiles", points[0].compiles, true),
    ELSEWHERE("elsewhere", scan_elsewhere),
    ELSEWHERE("stale", scan_elsewhere),
    ELSEWHERE("lazy", scan_elsewhere),
    ELSEWHERE("nowhere", scan_elsewhere),
    ELSEWHERE("hurried", scan_unless_hurried),
    ELSEWHERE("written", write_unless_written),
    FAULT("written", points[0].ops, FORM_OF(OP_WRITE),
          { [DTYPE_F32] = REDUCER_BIT(REDUCER_NONE) }),
    FAULT("written", points[0].error_growth, ERROR_NONE),
    FAULT("no_idea", points[0].idea, NULL),
    FAULT("control", points[0].idea, "\033[31mred"),
    FAULT("device", points[0].runs_on, (enum device_kind)7),
    FAULT("cuda", points[0].runs_on, DEVICE_CUDA),
    FAULT("no_ops", points[0].ops.forms, 0),
    FAULT("dtypes", points[0].ops.reducers, 0),
    FAULT("passes", points[0].passes, NAN),
    FAULT("growth", points[0].error_growth, (enum error_growth)99),
    FAULT("tile", points[0].error_growth, ERROR_TILED),
    FAULT("version", plugin.version, 7),
    FAULT("newer", plugin.variant_bytes, sizeof(struct variant) + 8),
    FAULT("older_reducer", plugin.reducers, &no_reducer),
    FAULT("older_reducer", plugin.reducer_bytes, sizeof(struct reducer) - 8),
    FAULT("newer_reducer", plugin.reducers, &no_reducer),
    FAULT("newer_reducer", plugin.reducer_bytes, sizeof(struct reducer) + 8),
    FAULT("no_name", plugin.name, NULL),
    FAULT("no_families", plugin.families, NULL),
    FAULT("no_variants", families[0].variants, NULL),
    FAULT("empty", families[0].variants, points + 1),
    FAULT("twice", families[1], "scan/again", again),
};

static void do_faults(void)
{
    enum { MANY = 1 << 20 };
    for (size_t k = 0; k < sizeof faults / sizeof *faults; ++k)
        if (is(faults[k].word))
            memcpy(faults[k].field, faults[k].wrong, faults[k].bytes);
    if (getenv("FAKE_NAME"))
        points[0].name = getenv("FAKE_NAME");
    if (getenv("FAKE_ID"))
        families[0].id = getenv("FAKE_ID");
    if (is("garbage"))
        memset(&plugin, 0x5a, sizeof plugin);
    if (is("garbage_behind"))
        memset(&plugin.name, 0x5a, 2 * sizeof plugin.name);
    if (is("endless")) {
        struct variant *table = malloc(MANY * sizeof *table);
        for (size_t k = 0; table && k < MANY; ++k)
            table[k] = points[0];
        families[0].variants = table;
    }
}

const struct plugin *scanbench_plugin(void)
{
    if (is("old"))
        return as_of_old();
    do_faults();
    return is("nothing") ? NULL : &plugin;
}
