/* SPDX-License-Identifier: MIT */
#include "harness/device/over_ranks.h"

#include "variants/ranks/local.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------- the machine at hand */

static struct {
    const struct device *base;
    const struct rank_machine *machine;
    struct device wrapped;
    struct ranks ranks;
    int opened;             /* ranks of whom the streams are there */
    bool nccl;              /* and its communicators */
    struct problem of;      /* what is dealt out */
    const struct split *by; /* as this */
    bool dealt;             /* the parts hold its inputs */
    bool behind;            /* the whole lacks what the parts have computed */
    struct variant shim;
    const struct variant *variant; /* whom the shim stands for */
    const char *nccl_said;         /* of the last launch, or NULL */
    char why[256];
} over;

static const char *host_open(struct ranks *ranks, bool nccl)
{
    (void)ranks;
    (void)nccl;
    return NULL;
}

static const char *host_allocate(const struct rank *rank, size_t bytes,
                                 void **memory)
{
    (void)rank;
    return device_host.allocate(bytes, memory);
}

static void host_release(const struct rank *rank, void *memory)
{
    (void)rank;
    device_host.release(memory);
}

static const char *host_copy(void *to, size_t to_pitch, const void *from,
                             size_t from_pitch, size_t width, size_t rows)
{
    for (size_t row = 0; row < rows; ++row)
        memcpy((char *)to + row * to_pitch,
               (const char *)from + row * from_pitch, width);
    return NULL;
}

static const char *host_set(const struct rank *rank, void *memory, int byte,
                            size_t bytes)
{
    (void)rank;
    memset(memory, byte, bytes);
    return NULL;
}

static const char *host_wait(const struct ranks *ranks)
{
    (void)ranks;
    return NULL;
}

static const char *host_flush(const struct ranks *ranks, size_t bytes)
{
    (void)ranks;
    (void)bytes; /* the device's own flush is of the same caches */
    return NULL;
}

static int host_fork(const struct ranks *ranks, void *stream)
{
    (void)ranks;
    (void)stream;
    return 0;
}

static int host_follow(void *first, void *second)
{
    (void)first;
    (void)second;
    return 0;
}

static const struct rank_machine rank_machine_host = {
    host_open, host_allocate, host_release, host_copy, host_set,
    host_wait, host_flush,    host_fork,    host_fork
};

/* --------------------------------------------------------------- dealing */

/* A rank's memory, which stays until another problem is dealt out: in, mask,
 * out, workspace, totals, gathered + flags. Of the first four the variant is
 * given what lies between two guards. */
enum { PLACES = 6, FENCED = 4 };
struct place {
    void *memory[PLACES];
    size_t bytes[PLACES];
};
static struct place places[RANKS_MOST];

/* 0 times what lies around inputs is NaN. */
static int guards_of(int r, struct guard guards[2 * FENCED])
{
    for (int k = 0; k < FENCED; ++k) {
        unsigned char *memory = places[r].memory[k];
        const unsigned char byte = k < 2 ? POISON_BYTE : GUARD_BYTE;
        guards[2 * k] = (struct guard){ memory, byte };
        guards[2 * k + 1] =
            (struct guard){ memory + GUARD_BYTES + places[r].bytes[k], byte };
    }
    return 2 * FENCED;
}

static const char *fence_parts(void)
{
    struct guard own[2 * FENCED];
    const char *why = NULL;
    for (int r = 0; r < over.ranks.count && over.by && !why; ++r)
        why = over.base->write_guards(own, guards_of(r, own));
    return why;
}

static void release_all(void)
{
    for (int r = 0; r < RANKS_MOST; ++r)
        for (int k = 0; k < PLACES; ++k) {
            if (places[r].memory[k])
                over.machine->release(&over.ranks.rank[r], places[r].memory[k]);
            places[r].memory[k] = NULL;
        }
    over.by = NULL;
    over.dealt = over.behind = false;
}

/* A part's memory begins at a multiple of 256, its own elements where the room
 * for the carry ends. */
static const char *place_rank(int r, const struct problem *p,
                              const struct split *split)
{
    struct rank *rank = &over.ranks.rank[r];
    const struct part_rows part =
        ranks_part(split, r, over.ranks.count, p->op, p->dtype, p->shape);
    rank->part = *p;
    rank->part.shape = part.shape;
    rank->part.ranks = NULL;
    rank->part.rank_count = 0;
    rank->part.workspace = NULL;
    rank->carry_rows = part.carry_rows;
    const size_t elems = (size_t)shape_elems(part.shape);
    const size_t lines = (size_t)over.ranks.lines, acc = sizeof(double);
    const int64_t sums = op_is_scan(p->op) ? 0 : shape_lines(p->shape);
    const bool scans = over.variant && over.variant->split;
    const size_t flags = RANKS_STAGES * RANKS_MOST * sizeof *rank->flags;
    const size_t bytes[PLACES] = {
        op_has_input(p->op) ? elems * dtype_bytes(p->dtype) : 0,
        op_has_mask(p->op) ? elems : 0,
        (size_t)(op_out_elems(p->op, part.shape) + sums) *
                dtype_bytes(p->dtype) +
            (p->op == OP_READ ? READ_SLOTS * 4 : 0),
        scans ? local_workspace_bytes(&rank->part)
        : over.variant->workspace_bytes && elems
            ? over.variant->workspace_bytes(&rank->part)
            : 0,
        scans ? lines * acc : 0,
        scans ? lines * acc * (size_t)over.ranks.count + flags : 0,
    };
    const char *why = NULL;
    char *given[PLACES];
    for (int k = 0; k < PLACES && !why; ++k) {
        why = over.machine->allocate(rank, bytes[k] + 2 * GUARD_BYTES,
                                     &places[r].memory[k]);
        places[r].bytes[k] = bytes[k];
        given[k] = (char *)places[r].memory[k] + GUARD_BYTES;
    }
    if (why)
        return why;
    rank->part.in = given[0];
    rank->part.mask = op_has_mask(p->op) ? (uint8_t *)given[1] : NULL;
    rank->part.out = given[2];
    rank->part.workspace = given[3];
    rank->totals = places[r].memory[4];
    rank->flags = places[r].memory[5];
    rank->gathered = (char *)places[r].memory[5] + flags;
    why = over.machine->set(rank, rank->flags, 0, flags);
    if (!why)
        why = over.machine->set(rank, rank->part.workspace, 0x5a, bytes[3]);
    return why;
}

static bool same_place(const struct problem *p, const struct split *split)
{
    return over.by == split && over.of.op == p->op &&
           over.of.dtype == p->dtype && shape_equal(over.of.shape, p->shape) &&
           over.of.in == p->in && over.of.out == p->out &&
           over.of.rank_count == p->rank_count;
}

/* Copies rows of a part from the whole, or back. */
static const char *move(const struct part_rows *p, void *part, void *whole,
                        size_t elem, bool back)
{
    char *there = (char *)part + (size_t)p->part_first * elem;
    char *here = (char *)whole + (size_t)p->first * elem;
    const size_t width = (size_t)p->width * elem;
    const size_t near = (size_t)p->pitch * elem;
    const size_t far = (size_t)p->part_pitch * elem;
    if (!width || !p->rows)
        return NULL;
    return back ? over.machine->copy(here, near, there, far, width,
                                     (size_t)p->rows)
                : over.machine->copy(there, far, here, near, width,
                                     (size_t)p->rows);
}

/* in and mask, to the ranks or back. */
static const char *move_inputs(bool back)
{
    const char *why = NULL;
    const struct problem *p = &over.of;
    for (int r = 0; r < over.ranks.count && !why; ++r) {
        const struct rank *rank = &over.ranks.rank[r];
        const struct part_rows part =
            ranks_part(over.by, r, over.ranks.count, p->op, p->dtype, p->shape);
        if (op_has_input(p->op))
            why = move(&part, (void *)rank->part.in, (void *)p->in,
                       dtype_bytes(p->dtype), back);
        if (!why && op_has_mask(p->op))
            why =
                move(&part, (void *)rank->part.mask, (void *)p->mask, 1, back);
    }
    return why;
}

/* The ranks' checksums of one read as one. */
static const char *move_slots(bool back)
{
    static uint32_t all[READ_SLOTS], own[READ_SLOTS];
    const char *why = NULL;
    if (!back)
        return NULL;
    memset(all, 0, sizeof all);
    for (int r = 0; r < over.ranks.count && !why; ++r) {
        if (!shape_elems(over.ranks.rank[r].part.shape))
            continue;
        why = over.base->read(own, over.ranks.rank[r].part.out, sizeof own);
        for (int k = 0; k < READ_SLOTS; ++k)
            all[k] ^= own[k];
    }
    return why ? why : over.base->write(over.of.out, all, sizeof all);
}

/* Sums along the axis are on every rank; if one differs from the first, nobody
 * is to take them for right. */
static const char *move_sums(bool back)
{
    const struct problem *p = &over.of;
    const size_t bytes = (size_t)op_out_bytes(p->op, p->dtype, p->shape);
    const char *why = NULL;
    for (int r = 0; r < over.ranks.count && !why; ++r) {
        void *own = over.ranks.rank[r].part.out;
        int64_t first = -1;
        if (!back || r == 0)
            why = over.machine->copy(back ? p->out : own, bytes,
                                     back ? own : p->out, bytes, bytes, 1);
        else
            why = over.base->differs(p->out, own, bytes, &first);
        if (!why && first >= 0)
            return over.base->set(p->out, POISON_BYTE, bytes);
    }
    return why;
}

static const char *move_outputs(bool back)
{
    const struct problem *p = &over.of;
    const char *why = NULL;
    if (p->op == OP_READ)
        return move_slots(back);
    if (p->op == OP_SUM && over.by->along == SPLIT_AXIS)
        return move_sums(back);
    for (int r = 0; r < over.ranks.count && !why; ++r) {
        const struct part_rows part =
            p->op == OP_SUM ? ranks_sums(over.by, r, over.ranks.count, p->shape)
                            : ranks_part(over.by, r, over.ranks.count, p->op,
                                         p->dtype, p->shape);
        why = move(&part, over.ranks.rank[r].part.out, p->out,
                   dtype_bytes(p->dtype), back);
    }
    return why;
}

/* What the parts have computed, and what they hold of the inputs. */
static const char *take_together(void)
{
    if (!over.behind)
        return NULL;
    over.behind = false;
    const char *why = over.machine->wait(&over.ranks);
    if (!why)
        why = move_outputs(true);
    if (!why)
        why = move_inputs(true);
    return why ? why : over.machine->wait(&over.ranks);
}

/* Somebody is about to change what lies in the whole. */
static const char *take_over(void)
{
    const char *why = take_together();
    over.dealt = false;
    return why;
}

static const char *open_ranks(const struct problem *p, bool nccl)
{
    if (over.opened == p->rank_count && over.nccl >= nccl)
        return NULL;
    release_all();
    memset(&over.ranks, 0, sizeof over.ranks);
    over.ranks.count = p->rank_count;
    over.nccl = nccl;
    for (int r = 0; r < p->rank_count; ++r)
        over.ranks.rank[r].gpu =
            p->device->index + (p->device->gpus >= p->rank_count ? r : 0);
    over.ranks.follow = host_follow;
    over.ranks.nccl_said = &over.nccl_said;
    const char *why = over.machine->open(&over.ranks, nccl);
    over.opened = why ? 0 : p->rank_count; /* the next launch says why, too */
    return why;
}

static const char *deal_out(const struct variant *variant,
                            const struct problem *p)
{
    const struct split *split = ranks_split(variant, p->op);
    const char *why = open_ranks(p, split->nccl);
    over.variant = variant;
    if (!why && !same_place(p, split)) {
        why = take_together();
        release_all();
        over.ranks.op = p->op;
        over.ranks.dtype = p->dtype;
        over.ranks.lines = shape_lines(p->shape);
        for (int r = 0; r < p->rank_count && !why; ++r)
            why = place_rank(r, p, split);
        over.of = *p;
        over.by = why ? NULL : split;
        if (!why)
            why = fence_parts();
    }
    if (why || over.dealt)
        return why;
    why = over.machine->wait(&over.ranks);
    if (!why)
        why = move_inputs(false);
    if (!why)
        why = move_outputs(false);
    if (!why)
        why = over.machine->wait(&over.ranks);
    over.dealt = !why;
    return why;
}

/* -------------------------------------------------------------- launching */

/* A twin on every rank at once; the split's own launch otherwise. */
static int launch_parts(void)
{
    struct problem p = over.of;
    if (over.variant->split) {
        p.ranks = &over.ranks;
        return over.variant->launch(&p, NULL);
    }
    int error = 0;
    for (int r = 0; r < over.ranks.count && !error; ++r) {
        const struct rank *rank = &over.ranks.rank[r];
        if (!shape_elems(rank->part.shape) || over.ranks.only_exchange)
            continue;
        error = local_of(&over.ranks, r)
                    ? over.variant->launch(&rank->part, rank->stream)
                    : -1;
    }
    return error;
}

static int launch_shim(const struct problem *problem, void *stream)
{
    (void)problem;
    ++over.ranks.ticket;
    over.ranks.ticket += !over.ranks.ticket;
    int error = over.machine->fork(&over.ranks, stream);
    if (!error)
        error = launch_parts();
    const int ended = over.machine->join(&over.ranks, stream);
    return error ? error : ended;
}

static void make_shim(const struct variant *variant)
{
    over.shim = *variant;
    over.shim.launch = launch_shim;
    over.nccl_said = NULL;
}

/* Of a launch that failed in NCCL what that said of it. */
static const char *told(const char *why)
{
    if (!why || !over.nccl_said)
        return why;
    snprintf(over.why, sizeof over.why, "NCCL: %s", over.nccl_said);
    return over.why;
}

/* Dealing out takes longer than a launch, and is no part of it. */
static const char *ranks_prepare(const struct variant *variant,
                                 const struct problem *problem)
{
    return problem->rank_count ? deal_out(variant, problem) : NULL;
}

static const char *ranks_launch(const struct variant *variant,
                                const struct problem *problem)
{
    if (!problem->rank_count) {
        const char *why = take_over();
        return why ? why : over.base->launch(variant, problem);
    }
    const char *why = deal_out(variant, problem);
    make_shim(variant);
    over.behind = !why;
    return why ? why : told(over.base->launch(&over.shim, problem));
}

static const char *ranks_sample(const struct variant *variant,
                                const struct problem *problems, int count,
                                int warm, struct sample *sample)
{
    sample->exchange_us = NAN;
    if (!problems || !problems->rank_count)
        return over.base->sample(variant, problems, count, warm, sample);
    struct sample exchange = { 0 };
    const char *why = deal_out(variant, problems);
    make_shim(variant);
    over.behind = !why;
    if (!why && warm != LEAVE_CACHE)
        why = over.machine->flush(&over.ranks,
                                  2 * (size_t)problems->device->l2_bytes);
    if (!why)
        why =
            told(over.base->sample(&over.shim, problems, count, warm, sample));
    sample->exchange_us = NAN;
    if (why || !variant->split || variant->split->along != SPLIT_AXIS)
        return why;
    over.ranks.only_exchange = true;
    why = told(
        over.base->sample(&over.shim, problems, 1, LEAVE_CACHE, &exchange));
    over.ranks.only_exchange = false;
    sample->exchange_us = exchange.us;
    return why;
}

/* ------------------------------------------------------ whoever looks first */

#define FIRST(ready, call)                                                     \
    do {                                                                       \
        const char *why_ = ready();                                            \
        return why_ ? why_ : over.base->call;                                  \
    } while (0)

static const char *ranks_open(int index, struct device_facts *facts,
                              struct driver_facts *driver, bool *absent)
{
    const char *why = over.base->open(index, facts, driver, absent);
#ifdef SCANBENCH_CUDA
    if (!why && facts->kind == DEVICE_CUDA)
        facts->gpus = rank_gpus_cuda(index);
#endif
    return why;
}

static const char *ranks_set(void *memory, int byte, size_t bytes)
{
    FIRST(take_over, set(memory, byte, bytes));
}

/* Those of the parts are written, and looked at, with those of the whole. */
static const char *ranks_write_guards(const struct guard *guards, int count)
{
    const char *why = over.base->write_guards(guards, count);
    return why ? why : fence_parts();
}

static const char *ranks_look(const struct guard *guards, int count,
                              int *broken)
{
    FIRST(take_together, look_at_guards(guards, count, broken));
}

static const char *ranks_look_at_parts(const char **where)
{
    static const char *const names[2 * FENCED] = {
        "before a rank's input",     "past the end of a rank's input",
        "before a rank's mask",      "past the end of a rank's mask",
        "before a rank's output",    "past the end of a rank's output",
        "before a rank's workspace", "past the end of a rank's workspace"
    };
    struct guard own[2 * FENCED];
    const char *why = over.by ? take_together() : NULL;
    *where = NULL;
    for (int r = 0; r < over.ranks.count && over.by && !why && !*where; ++r) {
        int broken = -1;
        why = over.base->look_at_guards(own, guards_of(r, own), &broken);
        *where = broken < 0 ? NULL : names[broken];
    }
    return why;
}

static const char *ranks_copy(void *to, const void *from, size_t bytes)
{
    FIRST(take_over, copy(to, from, bytes));
}

static const char *ranks_read(void *host, const void *memory, size_t bytes)
{
    FIRST(take_together, read(host, memory, bytes));
}

static const char *ranks_write(void *memory, const void *host, size_t bytes)
{
    FIRST(take_over, write(memory, host, bytes));
}

static const char *ranks_differs(const void *left, const void *right,
                                 size_t bytes, int64_t *first)
{
    FIRST(take_together, differs(left, right, bytes, first));
}

static const char *ranks_fingerprint(const void *memory, size_t bytes,
                                     uint64_t *fingerprint)
{
    FIRST(take_together, fingerprint(memory, bytes, fingerprint));
}

static const char *ranks_fill(const struct problem *problem, struct input input)
{
    FIRST(take_over, fill(problem, input));
}

static const char *ranks_change(const struct problem *problem, uint64_t from,
                                uint64_t to)
{
    FIRST(take_over, change(problem, from, to));
}

static const char *ranks_check(const struct problem *problem,
                               const struct variant *variant,
                               struct input input, struct verification *result)
{
    FIRST(take_together, check(problem, variant, input, result));
}

static void ranks_release(void *memory)
{
    if (memory) {
        (void)take_over(); /* it may be the whole that goes */
        over.by = NULL;
    }
    over.base->release(memory);
}

static const char *ranks_stressed(const struct variant *variant,
                                  const struct problem *problems, int count,
                                  const struct stress *stress, bool *unfit)
{
    *unfit = problems->rank_count > 0;
    if (*unfit)
        return "several ranks are not put under stress";
    FIRST(take_over, stressed(variant, problems, count, stress, unfit));
}

const struct device *ranks_device(enum device_kind kind)
{
    const struct device *base = device_of(kind);
    if (over.base == base)
        return &over.wrapped;
    over.base = base;
    over.machine = &rank_machine_host;
#ifdef SCANBENCH_CUDA
    if (kind == DEVICE_CUDA)
        over.machine = &rank_machine_cuda;
#endif
    over.wrapped = *base;
    over.wrapped.open = ranks_open;
    over.wrapped.release = ranks_release;
    over.wrapped.set = ranks_set;
    over.wrapped.look_at_guards = ranks_look;
    over.wrapped.write_guards = ranks_write_guards;
    over.wrapped.look_at_parts = ranks_look_at_parts;
    over.wrapped.copy = ranks_copy;
    over.wrapped.read = ranks_read;
    over.wrapped.write = ranks_write;
    over.wrapped.differs = ranks_differs;
    over.wrapped.fingerprint = ranks_fingerprint;
    over.wrapped.fill = ranks_fill;
    over.wrapped.change = ranks_change;
    over.wrapped.check = ranks_check;
    over.wrapped.prepare = ranks_prepare;
    over.wrapped.launch = ranks_launch;
    over.wrapped.stressed = base->stressed ? ranks_stressed : NULL;
    over.wrapped.sample = ranks_sample;
    return &over.wrapped;
}
