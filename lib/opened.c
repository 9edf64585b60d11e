/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dladdr() */
#include "lib/opened.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "harness/rule_sets.h"
#include "lib/scanbench.h"
#include "variants/registry.h"

static struct {
    pthread_mutex_t mutex;
    struct opened device[OPENED_MOST + 1]; /* the host is last */
    atomic_bool ready[OPENED_MOST + 1];
    struct rule_sets sets;
    bool sets_read, sets_good;
} all = { .mutex = PTHREAD_MUTEX_INITIALIZER };
static pthread_once_t watched = PTHREAD_ONCE_INIT;

enum { ROOT_BYTES = 1000 };

/* Reads rules of further GPUs, GPU/rules.csv, from LIBDIR/scanbench/ and
 * PREFIX/share/scanbench/rules/, relative to the library or its program. */
static bool read_rule_sets(struct rule_sets *sets)
{
    static const char *const places[] = { "scanbench",
                                          "../share/scanbench/rules",
                                          "../../share/scanbench/rules" };
    enum { PLACES = sizeof places / sizeof *places };
    char root[PLACES][ROOT_BYTES + 64];
    const char *roots[PLACES + 1] = { NULL };
    Dl_info info;
    const char *slash = NULL;
    if (dladdr((void *)&all, &info) && info.dli_fname)
        slash = strrchr(info.dli_fname, '/');
    const int folder = slash ? (int)(slash - info.dli_fname) : 0;
    for (int k = 0; slash && folder < ROOT_BYTES && k < PLACES; ++k) {
        snprintf(root[k], sizeof root[k], "%.*s/%s", folder, info.dli_fname,
                 places[k]);
        roots[k] = root[k];
    }
    return rule_sets_read(sets, NULL, roots, NULL);
}

static int fail(struct opened *opened, int error, const char *why)
{
    snprintf(opened->text, sizeof opened->text, "%s", why);
    return error;
}

/* A forked child lacks OpenMP's threads, and any that held the mutex. */
static void forked(void)
{
    pthread_mutex_init(&all.mutex, NULL);
    all.device[OPENED_MOST].facts.sm_count = 1;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forked);
}

static void open_host(struct opened *opened)
{
    opened->facts = (struct device_facts){ .kind = DEVICE_HOST, .sm_count = 1 };
#ifdef _OPENMP
    opened->facts.sm_count = omp_get_max_threads();
    if (opened->facts.sm_count > MOST_THREADS)
        opened->facts.sm_count = MOST_THREADS;
#endif
    snprintf(opened->text, sizeof opened->text, "this machine, %d threads",
             opened->facts.sm_count);
}

static int open_gpu(struct opened *opened, int index)
{
    struct driver_facts driver = { .ecc = -1 };
    bool absent;
    const int error = gpu_read(index, &opened->facts, &driver, &absent);
    if (absent)
        return fail(opened, SCANBENCH_NO_DEVICE,
                    scanbench_error_text(SCANBENCH_NO_DEVICE));
    if (error)
        return fail(opened, error, gpu_error_text(error));
    if (!all.sets_read) {
        all.sets_good = read_rule_sets(&all.sets);
        all.sets_read = true;
    }
    if (!all.sets_good)
        return fail(opened, SCANBENCH_BAD_RULES, all.sets.why);
    rule_sets_pick(&all.sets, &opened->facts, &driver,
                   driver_bus_gbps(&driver));
    /* Prepares rules here, so that no plan has to. */
    if (opened->facts.rules && (!rules_ready(opened->facts.rules) ||
                                !rules_ready(opened->facts.portable_rules)))
        return fail(opened, SCANBENCH_BAD_RULES, "no memory for the rules");
    snprintf(opened->text, sizeof opened->text, "%s, rules %s", driver.name,
             opened->facts.rules ? opened->facts.rules->name : "none");
    return 0;
}

/* Collects the operations and types of the kernels that the build has. */
static void count_kernels(struct opened *opened)
{
    for (const struct family *f = registry; f->id; ++f)
        for (const struct variant *v = f->variants; v->name; ++v)
            for (int d = 0; d < DTYPE_COUNT; ++d)
                for (int o = 0; o < op_count(); ++o)
                    if (v->runs_on == opened->facts.kind &&
                        family_has(f, v, op_at(o), (enum dtype)d))
                        opened->ops[d] |= op_bit(op_at(o));
}

const struct opened *opened_device(int device)
{
    if (device < SCANBENCH_HOST || device >= OPENED_MOST)
        return NULL;
    const int slot = device == SCANBENCH_HOST ? OPENED_MOST : device;
    struct opened *opened = &all.device[slot];
    if (atomic_load_explicit(&all.ready[slot], memory_order_acquire))
        return opened;
    pthread_once(&watched, watch_forks);
    pthread_mutex_lock(&all.mutex);
    if (!atomic_load_explicit(&all.ready[slot], memory_order_relaxed)) {
        if (device == SCANBENCH_HOST)
            open_host(opened);
        else
            opened->error = open_gpu(opened, device);
        if (!opened->error)
            count_kernels(opened);
        atomic_store_explicit(&all.ready[slot], true, memory_order_release);
    }
    pthread_mutex_unlock(&all.mutex);
    return opened;
}
