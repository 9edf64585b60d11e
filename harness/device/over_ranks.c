/* SPDX-License-Identifier: MIT */
#include "harness/device/over_ranks.h"

#include "variants/ranks/local.h"

#include <stdio.h>
#include <string.h>

static struct {
    const struct device *base;
    const struct rank_gpus *gpus; /* NULL on the host */
    struct device wrapped;
    struct ranks ranks;
    int opened;             /* number of ranks that have streams */
    bool nccl;              /* they have NCCL's communicators, too */
    struct problem of;      /* the problem that has parts */
    const struct split *by; /* its split, or NULL if there are no parts */
    bool dealt;             /* the parts are newer than the whole */
    struct variant shim;
    const struct variant *variant; /* the one that the shim launches */
    const char *nccl_said; /* error of NCCL in the last launch, or NULL */
    char why[256];
} over;

static int host_follow(void *first, void *second)
{
    (void)first;
    (void)second;
    return 0;
}

static const char *wait_for_all(void)
{
    return over.gpus ? over.gpus->wait(&over.ranks) : NULL;
}

/* Lets the base device allocate on that rank's GPU. */
static const char *select_rank(int r)
{
    return over.gpus ? over.gpus->select(&over.ranks.rank[r]) : NULL;
}

static const char *copy_rows(void *to, size_t to_pitch, const void *from,
                             size_t from_pitch, size_t width, size_t rows)
{
    if (over.gpus)
        return over.gpus->copy(to, to_pitch, from, from_pitch, width, rows);
    for (size_t row = 0; row < rows; ++row)
        memcpy((char *)to + row * to_pitch,
               (const char *)from + row * from_pitch, width);
    return NULL;
}

/* --------------------------------------------------------------- dealing */

/* A rank's memory, kept until the next problem: in, mask, out and workspace
 * with guards on both sides; totals; flags + gathered. */
enum { PLACES = 6, FENCED = 4 };
static struct {
    void *memory[PLACES];
    size_t bytes[PLACES];
} places[RANKS_MOST];

/* Inputs lie between NaNs, so that reading past them shows in the result. */
static struct guards guards_of(int r)
{
    struct guards guards = { .count = 2 * FENCED };
    for (int k = 0; k < 2 * FENCED; ++k) {
        unsigned char *memory = places[r].memory[k / 2];
        const size_t past = GUARD_BYTES + places[r].bytes[k / 2];
        guards.at[k] = (struct guard){ k % 2 ? memory + past : memory,
                                       k < 4 ? POISON_BYTE : GUARD_BYTE,
                                       k < 2   ? "beside a rank's input"
                                       : k < 4 ? "beside a rank's mask"
                                       : k < 6 ? "beside a rank's output"
                                               : "beside a rank's workspace" };
    }
    return guards;
}

static const char *fence_parts(void)
{
    const char *why = NULL;
    for (int r = 0; r < over.ranks.count && over.by && !why; ++r) {
        const struct guards guards = guards_of(r);
        why = over.base->write_guards(&guards);
    }
    return why;
}

static void release_all(void)
{
    for (int r = 0; r < RANKS_MOST; ++r)
        for (int k = 0; k < PLACES; ++k) {
            over.base->release(places[r].memory[k]);
            places[r].memory[k] = NULL;
        }
    over.by = NULL;
    over.dealt = false;
}

/* The memory of a part is aligned to 256 bytes. Its own elements need not be,
 * as the room for the carry may precede them. */
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
    const bool scans = over.variant->split;
    const size_t flags = RANKS_STAGES * RANKS_MOST * sizeof *rank->flags;
    const size_t bytes[PLACES] = {
        op_has_input(p->op) ? elems * dtype_bytes(p->dtype) : 0,
        op_has_mask(p->op) ? elems : 0,
        (size_t)(op_out_elems(p->op, part.shape) + sums) *
                op_out_elem_bytes(p->op, p->dtype) +
            (p->op == OP_READ ? READ_SLOTS * 4 : 0),
        scans ? local_workspace_bytes(&rank->part)
        : over.variant->workspace_bytes && elems
            ? over.variant->workspace_bytes(&rank->part)
            : 0,
        scans ? lines * acc : 0,
        scans ? lines * acc * (size_t)over.ranks.count + flags : 0,
    };
    const char *why = select_rank(r);
    char *given[PLACES];
    for (int k = 0; k < PLACES && !why; ++k) {
        why = over.base->allocate(bytes[k] + 2 * GUARD_BYTES,
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
    why = over.base->set(rank->flags, 0, flags);
    return why ? why : over.base->set(rank->part.workspace, 0x5a, bytes[3]);
}

static bool same_place(const struct problem *p, const struct split *split)
{
    return over.by == split && over.of.op == p->op &&
           over.of.dtype == p->dtype && shape_equal(over.of.shape, p->shape) &&
           over.of.in == p->in && over.of.out == p->out &&
           over.of.rank_count == p->rank_count;
}

static struct part_rows part_of(int r)
{
    const struct problem *p = &over.of;
    return ranks_part(over.by, r, over.ranks.count, p->op, p->dtype, p->shape);
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
    return back ? copy_rows(here, near, there, far, width, (size_t)p->rows)
                : copy_rows(there, far, here, near, width, (size_t)p->rows);
}

/* Copies in and mask to the ranks, or back. */
static const char *move_inputs(bool back)
{
    const char *why = NULL;
    const struct problem *p = &over.of;
    for (int r = 0; r < over.ranks.count && !why; ++r) {
        const struct rank *rank = &over.ranks.rank[r];
        const struct part_rows part = part_of(r);
        if (op_has_input(p->op))
            why = move(&part, (void *)rank->part.in, (void *)p->in,
                       dtype_bytes(p->dtype), back);
        if (!why && op_has_mask(p->op))
            why =
                move(&part, (void *)rank->part.mask, (void *)p->mask, 1, back);
    }
    return why;
}

/* Combines the checksums of `read` of all ranks. */
static const char *combine_slots(void)
{
    static uint32_t all[READ_SLOTS], own[READ_SLOTS];
    const char *why = NULL;
    memset(all, 0, sizeof all);
    for (int r = 0; r < over.ranks.count && !why; ++r) {
        if (!shape_elems(over.ranks.rank[r].part.shape))
            continue;
        why = over.base->copy(own, over.ranks.rank[r].part.out, sizeof own);
        for (int k = 0; k < READ_SLOTS; ++k)
            all[k] ^= own[k];
    }
    return why ? why : over.base->copy(over.of.out, all, sizeof all);
}

/* Every rank has the sums; if some differ, the whole becomes poison. */
static const char *move_sums(bool back)
{
    const struct problem *p = &over.of;
    const size_t bytes = (size_t)op_out_bytes(p->op, p->dtype, p->shape);
    const char *why = NULL;
    uint64_t first = 0, found = 0;
    for (int r = 0; r < over.ranks.count && !why; ++r) {
        void *own = over.ranks.rank[r].part.out;
        if (!back || r == 0)
            why = copy_rows(back ? p->out : own, bytes, back ? own : p->out,
                            bytes, bytes, 1);
        if (!why && back)
            why = over.base->fingerprint(own, bytes, r ? &found : &first);
        if (!why && back && r && found != first)
            return over.base->set(p->out, POISON_BYTE, bytes);
    }
    return why;
}

static const char *move_outputs(bool back)
{
    const struct problem *p = &over.of;
    const char *why = NULL;
    if (p->op == OP_READ)
        return back ? combine_slots() : NULL;
    if (op_is_reduction(p->op) && over.by->along == SPLIT_AXIS)
        return move_sums(back);
    for (int r = 0; r < over.ranks.count && !why; ++r) {
        const struct part_rows part =
            op_is_reduction(p->op)
                ? ranks_sums(over.by, r, over.ranks.count, p->shape)
                : part_of(r);
        why = move(&part, over.ranks.rank[r].part.out, p->out,
                   op_out_elem_bytes(p->op, p->dtype), back);
    }
    return why;
}

/* Copies all parts from the whole, or back. */
static const char *move_all(bool back)
{
    const char *why = wait_for_all();
    if (!why)
        why = move_inputs(back);
    if (!why)
        why = move_outputs(back);
    return why ? why : wait_for_all();
}

/* Copies back outputs and inputs, as a launch may have written to both. The
 * next launch deals out again, since the caller may change the whole. */
static const char *gather(void)
{
    if (!over.dealt)
        return NULL;
    over.dealt = false;
    return move_all(true);
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
    const char *why = over.gpus ? over.gpus->open(&over.ranks, nccl) : NULL;
    over.opened = why ? 0 : p->rank_count; /* the next launch fails, too */
    return why;
}

static const char *make_parts(const struct split *split,
                              const struct problem *p)
{
    const char *why = gather();
    release_all();
    over.ranks.op = p->op;
    over.ranks.dtype = p->dtype;
    over.ranks.lines = shape_lines(p->shape);
    for (int r = 0; r < p->rank_count && !why; ++r)
        why = place_rank(r, p, split);
    const char *back = select_rank(0);
    over.of = *p;
    why = why ? why : back;
    over.by = why ? NULL : split;
    return why ? why : fence_parts();
}

/* -------------------------------------------------------------- launching */

/* Launches a twin on every rank, and anything else with all ranks at once. */
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
    int error = over.gpus ? over.gpus->fork(&over.ranks, stream) : 0;
    if (!error)
        error = launch_parts();
    const int ended = over.gpus ? over.gpus->join(&over.ranks, stream) : 0;
    return error ? error : ended;
}

/* Deals out, and makes the shim, which launches the variant on all parts. */
static const char *ranks_prepare(const struct variant *variant,
                                 const struct problem *problem)
{
    if (!problem->rank_count)
        return NULL;
    over.shim = *variant;
    over.shim.launch = launch_shim;
    over.nccl_said = NULL;
    const struct split *split = ranks_split(variant, problem->op);
    const char *why = open_ranks(problem, split->nccl);
    over.variant = variant;
    if (!why && !same_place(problem, split))
        why = make_parts(split, problem);
    if (why || over.dealt)
        return why;
    why = move_all(false);
    over.dealt = !why;
    return why;
}

/* Replaces the reason by NCCL's, if the launch failed there. */
static const char *explain(const char *why)
{
    if (!why || !over.nccl_said)
        return why;
    snprintf(over.why, sizeof over.why, "NCCL: %s", over.nccl_said);
    return over.why;
}

/* Without ranks: the empty kernel, and planted bugs. */
static const char *ranks_launch(const struct variant *variant,
                                const struct problem *problem)
{
    const char *why =
        problem->rank_count ? ranks_prepare(variant, problem) : gather();
    if (why || !problem->rank_count)
        return why ? why : over.base->launch(variant, problem);
    return explain(over.base->launch(&over.shim, problem));
}

static const char *ranks_sample(const struct variant *variant,
                                const struct problem *problems, int count,
                                int warm, struct sample *sample)
{
    if (!problems->rank_count)
        return over.base->sample(variant, problems, count, warm, sample);
    struct sample exchange = { 0 };
    const char *why = ranks_prepare(variant, problems);
    if (!why && over.gpus && warm != LEAVE_CACHE)
        why = over.gpus->flush(&over.ranks,
                               2 * (size_t)problems->device->l2_bytes);
    if (!why)
        why = explain(
            over.base->sample(&over.shim, problems, count, warm, sample));
    if (why || !variant->split || variant->split->along != SPLIT_AXIS)
        return why;
    over.ranks.only_exchange = true;
    why = explain(
        over.base->sample(&over.shim, problems, 1, LEAVE_CACHE, &exchange));
    over.ranks.only_exchange = false;
    sample->exchange_us = exchange.us;
    return why;
}

/* --- access to the whole, for which parts are gathered --- */

#define GATHERED_FIRST(call, parameters, arguments)                            \
    static const char *ranks_##call parameters                                 \
    {                                                                          \
        const char *why = gather();                                            \
        return why ? why : over.base->call arguments;                          \
    }

GATHERED_FIRST(set, (void *memory, int byte, size_t bytes),
               (memory, byte, bytes))
GATHERED_FIRST(copy, (void *to, const void *from, size_t bytes),
               (to, from, bytes))
GATHERED_FIRST(fingerprint,
               (const void *memory, size_t bytes, uint64_t *fingerprint),
               (memory, bytes, fingerprint))
GATHERED_FIRST(fill, (const struct problem *problem, struct input input),
               (problem, input))
GATHERED_FIRST(change,
               (const struct problem *problem, uint64_t from, uint64_t to),
               (problem, from, to))
GATHERED_FIRST(check,
               (const struct problem *problem, const struct variant *variant,
                struct input input, struct verification *result),
               (problem, variant, input, result))

static const char *ranks_open(int index, struct device_facts *facts,
                              struct driver_facts *driver, bool *absent)
{
    const char *why = over.base->open(index, facts, driver, absent);
    if (!why && over.gpus)
        facts->gpus = over.gpus->reach(index);
    return why;
}

/* The parts have guards of their own. */
static const char *ranks_write_guards(const struct guards *guards)
{
    const char *why = over.base->write_guards(guards);
    return why ? why : fence_parts();
}

static const char *ranks_check_guards(const struct guards *guards,
                                      const char **where)
{
    const char *why = gather();
    if (!why)
        why = over.base->check_guards(guards, where);
    for (int r = 0; r < over.ranks.count && over.by && !why && !*where; ++r) {
        const struct guards own = guards_of(r);
        why = over.base->check_guards(&own, where);
    }
    return why;
}

static void ranks_release(void *memory)
{
    if (memory) {
        (void)gather(); /* the memory may be the whole's */
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
    const char *why = gather();
    return why ? why
               : over.base->stressed(variant, problems, count, stress, unfit);
}

const struct device *ranks_device(enum device_kind kind)
{
    const struct device *base = device_of(kind);
    if (over.base == base)
        return &over.wrapped;
    over.base = base;
#ifdef SCANBENCH_CUDA
    over.gpus = kind == DEVICE_CUDA ? &rank_gpus : NULL;
#endif
    over.wrapped = *base;
    over.wrapped.open = ranks_open;
    over.wrapped.release = ranks_release;
    over.wrapped.set = ranks_set;
    over.wrapped.write_guards = ranks_write_guards;
    over.wrapped.check_guards = ranks_check_guards;
    over.wrapped.copy = ranks_copy;
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
