/* SPDX-License-Identifier: MIT
 *
 * scanbench run on several devices.
 */
#include "cli/common/commands.h"

#include "harness/sweep/sweep.h"
#include "src/base/clock.h"
#include "src/base/exit.h"
#include "src/base/memory.h"
#include "src/runs/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FOLDER_BYTES = 1024, WORD_BYTES = 32, MORE_WORDS = 6 };

/* Runs on several devices, and the folder that joins them. */
struct beside {
    const struct options *options;
    int argc;
    char **argv;
    int (*run)(int argc, char **argv, const char *joined, int together);
    struct device_place places[MAX_DEVICES];
    int count;
    char folder[FOLDER_BYTES];
    pid_t pids[MAX_DEVICES];
};

/* A path that is too long becomes "", on which the run fails with a message. */
static char *folder_of(const char *joined, int number, char *path)
{
    if (snprintf(path, FOLDER_BYTES, "%s/device%d", joined, number) >=
        FOLDER_BYTES)
        *path = '\0';
    return path;
}

static bool has_folder(const char *joined, int number)
{
    char path[FOLDER_BYTES];
    return access(folder_of(joined, number, path), F_OK) == 0;
}

char *beside_folder(const char *joined, int number)
{
    char path[FOLDER_BYTES];
    folder_of(joined, number, path);
    return run_folder_is(path) ? memory_copy(path) : NULL;
}

bool beside_is_asked(const struct options *options)
{
    return options->all_devices || options->place_count > 1 ||
           (options->resume && has_folder(options->resume, 0));
}

/* Takes all GPUs that open. */
static void find_all(struct beside *b)
{
    const char *why = NULL;
    while (b->count < MAX_DEVICES && !why) {
        bool absent;
        struct worker worker;
        why = worker_start(&worker, DEVICE_CUDA, b->count, b->options, &absent);
        if (!why) {
            worker_stop(&worker);
            b->places[b->count] =
                (struct device_place){ DEVICE_CUDA, b->count };
            ++b->count;
        } else if (b->count == 0 || !absent)
            fprintf(stderr, "scanbench: cuda:%d does not open: %s\n", b->count,
                    why);
    }
}

static void name_folder(struct beside *b)
{
    char utc[UTC_BYTES];
    const char *root = getenv("SCANBENCH_RESULTS");
    const char *named =
        b->options->resume ? b->options->resume : b->options->out;
    if (named)
        snprintf(b->folder, sizeof b->folder, "%s", named);
    else
        snprintf(b->folder, sizeof b->folder, "%s/side-by-side/%s",
                 root && *root ? root : "results", clock_utc(utc));
}

/* Makes one device's command line: the given words, then its folder and device,
 * as the last of equal options counts. */
static char **words_of(const struct beside *b, int number, char *path,
                       int *argc)
{
    static char device[WORD_BYTES] = "host";
    const struct device_place *place = &b->places[number];
    char **words = memory_for((size_t)b->argc + MORE_WORDS, sizeof *words);
    memcpy(words, b->argv, (size_t)b->argc * sizeof *words);
    *argc = b->argc;
    words[(*argc)++] = b->options->resume ? "--resume" : "--out";
    words[(*argc)++] = path;
    if (!b->options->resume) {
        if (place->kind == DEVICE_CUDA)
            snprintf(device, sizeof device, "cuda:%d", place->index);
        words[(*argc)++] = "--device";
        words[(*argc)++] = device;
    }
    words[(*argc)++] = "-q";
    return words;
}

static bool start(struct beside *b, int number)
{
    static char path[FOLDER_BYTES];
    fflush(NULL); /* the child would write it again */
    b->pids[number] = fork();
    if (b->pids[number] == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        int argc;
        folder_of(b->folder, number, path);
        char **words = words_of(b, number, path, &argc);
        if (nowhere >= 0)
            dup2(nowhere, STDOUT_FILENO);
        const int status = b->run(argc, words, b->folder, b->count);
        fflush(NULL);
        _exit(status);
    }
    if (b->pids[number] > 0)
        return true;
    fprintf(stderr, "scanbench: cannot start a process: %s\n", strerror(errno));
    return false;
}

/* The graver of two exit statuses. */
static int worse(int left, int right)
{
    static const int order[] = { EXIT_INTERRUPTED, EXIT_BAD, EXIT_WRONG,
                                 EXIT_NOTHING };
    for (size_t k = 0; k < sizeof order / sizeof *order; ++k)
        if (left == order[k] || right == order[k])
            return order[k];
    return EXIT_OK;
}

/* Passes on an interrupt, which may have reached this process alone. */
static int wait_for(struct beside *b, int number)
{
    int status;
    char path[FOLDER_BYTES];
    while (waitpid(b->pids[number], &status, 0) < 0 && errno == EINTR)
        for (int k = 0; k < b->count && worker_interrupted; ++k)
            if (b->pids[k] > 0)
                kill(b->pids[k], SIGTERM);
    b->pids[number] = 0;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_BAD;
    if (code != EXIT_OK)
        fprintf(stderr, "scanbench: %s ended with status %d\n",
                folder_of(b->folder, number, path), code);
    return worker_interrupted ? worse(code, EXIT_INTERRUPTED) : code;
}

static int run_all(struct beside *b)
{
    int status = EXIT_OK;
    worker_catch_interrupts();
    for (int k = 0; k < b->count && !worker_interrupted; ++k)
        if (!start(b, k))
            status = EXIT_BAD;
    for (int k = 0; k < b->count; ++k)
        if (b->pids[k] > 0)
            status = worse(status, wait_for(b, k));
    return status;
}

int beside_run(int argc, char **argv, const struct options *options,
               int (*run)(int argc, char **argv, const char *joined,
                          int together))
{
    static struct beside b;
    b = (struct beside){
        .options = options, .argc = argc, .argv = argv, .run = run
    };
    char path[FOLDER_BYTES];
    if (options->resume) {
        /* Counts up to the last folder. */
        for (int k = 0; k < MAX_DEVICES; ++k)
            if (has_folder(options->resume, k))
                b.count = k + 1;
    } else if (options->all_devices)
        find_all(&b);
    else {
        b.count = options->place_count;
        memcpy(b.places, options->places, sizeof b.places);
    }
    name_folder(&b);
    const int status = b.count ? run_all(&b) : EXIT_NOTHING;
    int runs = 0;
    for (int k = 0; k < b.count && !options->dry_run; ++k)
        runs += run_folder_is(folder_of(b.folder, k, path));
    if (runs > 1)
        fprintf(stderr,
                "scanbench: %d devices; scanbench compare --cards %s shows "
                "them side by side\n",
                runs, b.folder);
    if (runs > 0)
        puts(b.folder);
    return status;
}
