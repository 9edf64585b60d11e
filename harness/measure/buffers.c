/* SPDX-License-Identifier: MIT */
#include "harness/measure/buffers.h"

#include <string.h>

enum { ALIGNMENT = 256 };

/* Memory of each kind, which grows, so that later cells reuse it. */
enum kind {
    IN,
    SECOND,  /* or the mask */
    INITIAL, /* or the offsets */
    OUT,
    WORKSPACE,
    KINDS
};
static struct {
    void *memory;
    size_t bytes;
} kept[KINDS];

/* The contents of the inputs. */
static struct {
    bool known;
    struct cell cell;  /* of that problem */
    struct problem at; /* its pointers */
    uint64_t offset_fingerprint;
    int count;
    struct {
        bool fenced, known;
        struct input input;
    } sets[BUFFER_SETS];
} filled;

void buffers_forget(void)
{
    filled.known = false;
}

static size_t fenced(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + 2 * GUARD_BYTES;
}

/* Bytes of one set with its guards, and the number of sets. */
struct layout {
    size_t set[KINDS];
    int sets;
};

/* All sets together fit well into the last-level cache, so that a hot cell
 * stays hot. Larger problems have one set, and evict themselves. */
static struct layout layout_of(const struct cell *cell,
                               const struct device_facts *facts)
{
    const size_t in = cell_in_bytes(cell), second = cell_second_bytes(cell);
    const size_t initial = cell_initial_bytes(cell);
    const size_t out = cell_out_bytes(cell);
    const int64_t set = (int64_t)(in + second + initial + out);
    /* Ranks share one problem. */
    const bool several =
        !cell->ranks && set * BUFFER_SETS * 4 <= facts->l2_bytes;
    return (struct layout){
        { fenced(in), fenced(second), fenced(initial), fenced(out),
          fenced(cell_workspace_bytes(cell, facts)) },
        several ? BUFFER_SETS : 1,
    };
}

/* All sets share one workspace. */
static size_t bytes_of(const struct layout *l, int kind)
{
    return l->set[kind] * (size_t)(kind == WORKSPACE ? 1 : l->sets);
}

static void release(int kind, const struct device *device)
{
    device->release(kept[kind].memory);
    kept[kind].memory = NULL;
    kept[kind].bytes = 0;
}

static const char *provide_all(const struct layout *l,
                               const struct device *device)
{
    const char *why = NULL;
    for (int k = 0; k < KINDS && !why; ++k) {
        if (kept[k].bytes >= bytes_of(l, k))
            continue;
        buffers_forget(); /* new memory may come at the old address */
        release(k, device);
        why = device->allocate(bytes_of(l, k), &kept[k].memory);
        kept[k].bytes = why ? 0 : bytes_of(l, k);
    }
    return why;
}

/* Memory of earlier cells may leave too little. */
static void release_all(const struct device *device)
{
    if (device->forget)
        device->forget();
    for (int k = 0; k < KINDS; ++k)
        release(k, device);
}

const char *buffers_provide(struct buffers *buffers, const struct cell *cell,
                            const struct device *device,
                            const struct device_facts *facts,
                            enum input_kind input)
{
    const struct layout l = layout_of(cell, facts);
    const struct problem at = cell_problem(cell, facts);
    int64_t spare = 0;
    for (int k = 0; k < KINDS; ++k)
        if (kept[k].bytes > bytes_of(&l, k))
            spare += (int64_t)(kept[k].bytes - bytes_of(&l, k));
    /* The excess may leave too little for other memory, such as ranks'. */
    if (spare && cell_bytes(cell, facts) + spare > cell_room(facts))
        release_all(device);
    const char *why = provide_all(&l, device);
    if (why) {
        release_all(device);
        why = provide_all(&l, device);
    }
    if (why)
        return why;
    *buffers = (struct buffers){
        .cell = cell,
        .device = device,
        .count = l.sets,
        .out_bytes = (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape),
        .workspace_bytes = cell_workspace_bytes(cell, facts),
    };
    for (int k = 0; k < l.sets; ++k) {
        struct problem *p = &buffers->problems[k];
        char *set[KINDS];
        for (int kind = 0; kind < KINDS; ++kind)
            set[kind] = (char *)kept[kind].memory + (size_t)k * l.set[kind];
        *p = at;
        p->in = set[IN] + (uintptr_t)at.in;
        if (at.mask)
            p->mask = (uint8_t *)set[SECOND] + (uintptr_t)at.mask;
        if (at.in2)
            p->in2 = set[SECOND] + (uintptr_t)at.in2;
        if (at.initial)
            p->initial = input == INPUT_EXACT
                             ? set[INITIAL] + (uintptr_t)at.initial
                             : NULL;
        if (at.offsets)
            p->offsets = set[INITIAL] + (uintptr_t)at.offsets;
        p->out = set[OUT] + (uintptr_t)at.out;
        p->workspace = (char *)kept[WORKSPACE].memory + GUARD_BYTES;
    }
    return NULL;
}

struct input buffers_input(struct input input, int set)
{
    if (!input.version)
        return input;
    const bool rare = input_is_rare(input.version) ^ (set & 1);
    input.version += (uint64_t)set << 32;
    while (input_is_rare(input.version) != rare)
        input.version += 2; /* odd ones stay so, and are not 0 */
    return input;
}

static bool holds_problem(const struct buffers *buffers)
{
    const struct problem *p = &buffers->problems[0], *at = &filled.at;
    return filled.known && cell_same_problem(&filled.cell, buffers->cell) &&
           at->in == p->in && at->mask == p->mask && at->in2 == p->in2 &&
           at->initial == p->initial && at->offsets == p->offsets &&
           filled.count == buffers->count;
}

bool buffers_are_real(const struct buffers *buffers)
{
    bool all = holds_problem(buffers);
    for (int k = 0; k < buffers->count; ++k)
        all &= filled.sets[k].known && filled.sets[k].input.kind == INPUT_REAL;
    return all;
}

/* ---------------------------------------------------------------- guards */

static void add_fence(struct guards *g, const void *memory, size_t bytes,
                      unsigned char byte, const char *before,
                      const char *behind)
{
    unsigned char *first = (unsigned char *)memory;
    if (!memory)
        return;
    g->at[g->count++] = (struct guard){ first - GUARD_BYTES, byte, before };
    g->at[g->count++] = (struct guard){ first + bytes, byte, behind };
}

static void add_input(struct guards *g, const struct problem *p)
{
    const size_t elems = (size_t)shape_elems(p->shape);
    const size_t bytes = dtype_bytes(p->dtype);
    add_fence(g, op_has_input(p->op) ? p->in : NULL, elems * bytes, POISON_BYTE,
              "before the input", "past the end of the input");
    add_fence(g, p->in2, elems * bytes, POISON_BYTE, "before the second input",
              "past the end of the second input");
    add_fence(g, p->initial, (size_t)shape_lines(p->shape) * bytes, POISON_BYTE,
              "before the initial elements",
              "past the end of the initial elements");
    add_fence(g, p->offsets, (size_t)shape_offset_bytes(p->shape), POISON_BYTE,
              "before the offsets", "past the end of the offsets");
    add_fence(g, p->mask, elems, POISON_BYTE, "before the mask",
              "past the end of the mask");
}

static void add_output(struct guards *g, const struct buffers *buffers,
                       const struct problem *p)
{
    add_fence(g, p->out, buffers->out_bytes, GUARD_BYTE, "before the output",
              "past the end of the output");
    add_fence(g, p->workspace, buffers->workspace_bytes, GUARD_BYTE,
              "before its workspace", "past the end of its workspace");
}

const char *buffers_fence(const struct buffers *buffers,
                          const struct problem *problem)
{
    struct guards g = { 0 };
    add_output(&g, buffers, problem);
    return buffers->device->write_guards(&g);
}

const char *buffers_poison(const struct buffers *buffers,
                           const struct problem *problem)
{
    const char *why = buffers_fence(buffers, problem);
    return why ? why
               : buffers->device->set(problem->out, POISON_BYTE,
                                      buffers->out_bytes);
}

const char *buffers_trespass(const struct buffers *buffers,
                             const struct problem *problem, const char **where)
{
    struct guards g = { 0 };
    add_input(&g, problem);
    add_output(&g, buffers, problem);
    return buffers->device->check_guards(&g, where);
}

/* ----------------------------------------------------------------- filling */

static const char *fingerprint_offsets(const struct buffers *buffers,
                                       const struct problem *problem,
                                       uint64_t *fingerprint)
{
    return buffers->device->fingerprint(
        problem->offsets, (size_t)shape_offset_bytes(problem->shape),
        fingerprint);
}

static const char *fill_offsets(const struct buffers *buffers,
                                const struct problem *problem)
{
    const char *why = buffers->device->copy(
        (void *)problem->offsets, verify_offsets(problem->shape),
        (size_t)shape_offset_bytes(problem->shape));
    return why ? why
               : fingerprint_offsets(buffers, problem,
                                     &filled.offset_fingerprint);
}

/* Guards stay for as long as the problem, so that every write to them is
 * found. Verifying an output also compares the whole input with its definition,
 * so that the known contents can be changed in few places. */
static const char *fill(const struct buffers *buffers, int set,
                        struct input input)
{
    const char *why = NULL;
    struct guards g = { 0 };
    const struct problem *problem = &buffers->problems[set];
    const struct input held = filled.sets[set].input;
    const bool known = filled.sets[set].known;
    add_input(&g, problem);
    filled.sets[set].known = false;
    if (!filled.sets[set].fenced)
        why = buffers->device->write_guards(&g);
    if (!why && !filled.sets[set].fenced && problem->offsets)
        why = fill_offsets(buffers, problem);
    if (why)
        return why;
    filled.sets[set].fenced = true;
    if (known && held.kind == INPUT_REAL && input.kind == INPUT_REAL)
        why = buffers->device->change(problem, held.version, input.version);
    else
        why = buffers->device->fill(problem, input);
    filled.sets[set].known = !why;
    filled.sets[set].input = input;
    return why;
}

const char *buffers_fill(const struct buffers *buffers, struct input input,
                         int first, int end)
{
    const char *why = NULL;
    if (!holds_problem(buffers)) {
        memset(&filled, 0, sizeof filled);
        filled.known = true;
        filled.cell = *buffers->cell;
        filled.at = buffers->problems[0];
        filled.count = buffers->count;
    }
    for (int k = first; k < end && !why; ++k) {
        const struct input held = filled.sets[k].input,
                           wanted = buffers_input(input, k);
        if (!filled.sets[k].known || held.kind != wanted.kind ||
            held.version != wanted.version)
            why = fill(buffers, k, wanted);
    }
    return why;
}

const char *buffers_garbage(const struct buffers *buffers,
                            const struct problem *problem, uint64_t seed)
{
    return buffers->device->garbage(problem->workspace,
                                    buffers->workspace_bytes, seed);
}

const char *buffers_offsets(const struct buffers *buffers,
                            const struct problem *problem, bool *intact)
{
    uint64_t found = filled.offset_fingerprint;
    const char *why =
        problem->offsets ? fingerprint_offsets(buffers, problem, &found) : NULL;
    *intact = found == filled.offset_fingerprint;
    return why;
}

const char *buffers_settle(const struct buffers *buffers,
                           const struct problem *problem)
{
    if (!buffers->cell->variant->output)
        return NULL;
    const void *place = last_launch.to;
    if (!place)
        return "the variant did not name the place of its output";
    return place == problem->out
               ? NULL
               : buffers->device->copy(problem->out, place, buffers->out_bytes);
}

const char *buffers_several(const struct buffers *buffers, int count,
                            struct problem *problems, void **memory)
{
    const struct problem *first = &buffers->problems[0];
    const size_t out = fenced(cell_out_bytes(buffers->cell));
    const size_t bytes = out + fenced(buffers->workspace_bytes);
    const size_t place =
        (size_t)((char *)first->out - (char *)kept[OUT].memory);
    const char *why =
        buffers->device->allocate(bytes * (size_t)(count - 1), memory);
    for (int k = 0; k < count && !why; ++k) {
        problems[k] = *first;
        if (k > 0) {
            char *set = (char *)*memory + (size_t)(k - 1) * bytes;
            problems[k].out = set + place;
            problems[k].workspace = set + out + GUARD_BYTES;
        }
        why = buffers_poison(buffers, &problems[k]);
        if (!why)
            why = buffers_garbage(buffers, &problems[k], (uint64_t)k + 1);
    }
    return why;
}
