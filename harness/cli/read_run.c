/* SPDX-License-Identifier: MIT */
#include "harness/cli/read_run.h"

#include "harness/cli/escape.h"

#include "src/runs/run_processes.h"

#include <stdio.h>

enum { SAID_PER_RUN = 10 };

void hear_on_stderr(void *context, const char *path, int64_t line,
                    const char *problem, const char *remedy)
{
    (void)context;
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

/* A broken disk can damage every line: after a few, only count. */
static void hear(void *context, const char *path, int64_t line,
                 const char *problem, const char *remedy)
{
    int *heard = context;
    if (++*heard <= SAID_PER_RUN)
        hear_on_stderr(NULL, path, line, problem, remedy);
}

static void tell_rest(const char *path, int heard)
{
    if (heard > SAID_PER_RUN)
        fprintf(stderr, "scanbench: %s: and %d problems more\n", path,
                heard - SAID_PER_RUN);
}

bool read_run(struct run_folder *run, const char *path)
{
    int heard = 0;
    const struct listener listener = { hear, &heard };
    const bool ok = run_processes_read(run, path, &listener);
    tell_rest(path, heard);
    return ok;
}

void read_samples(struct run_samples *samples, const struct run_folder *run)
{
    int heard = 0;
    const struct listener listener = { hear, &heard };
    run_samples_read(samples, run, &listener);
    tell_rest(run->path, heard);
}
