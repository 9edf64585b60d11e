/* SPDX-License-Identifier: MIT */
#include "cli/common/read_run.h"

#include "cli/common/escape.h"

#include "src/runs/run_processes.h"

#include <stdio.h>

static void say(const char *path, int64_t line, const char *problem,
                const char *remedy)
{
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

void hear_a_few(void *context, const char *path, int64_t line,
                const char *problem, const char *remedy)
{
    int *heard = context;
    if (++*heard <= LISTENER_SAYS)
        say(path, line, problem, remedy);
}

bool read_run(struct run_folder *run, const char *path)
{
    int heard = 0;
    const struct listener listener = { hear_a_few, &heard };
    const bool ok = run_processes_read(run, path, &listener);
    listener_say_rest(path, heard);
    return ok;
}

void read_samples(struct run_samples *samples, const struct run_folder *run)
{
    int heard = 0;
    const struct listener listener = { hear_a_few, &heard };
    run_samples_read(samples, run, &listener);
    listener_say_rest(run->path, heard);
}
