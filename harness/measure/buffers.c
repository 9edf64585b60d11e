/* SPDX-License-Identifier: MIT */
#include "harness/measure/buffers.h"

#include <string.h>

enum { ALIGNMENT = 256 };

/* A buffer grows, so that later cells reuse it. */
struct buffer {
    void *memory;
    size_t bytes;
};
static struct buffer in_buffer, mask_buffer, out_buffer, workspace_buffer;

/* What the inputs hold. */
static struct {
    bool known;
    struct cell cell; /* its problem */
    const void *in, *mask;
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

static const char *provide(struct buffer *buffer, size_t bytes,
                           const struct device *device)
{
    if (buffer->bytes >= bytes && buffer->memory)
        return NULL;
    buffers_forget(); /* new memory may come at the old address */
    device->release(buffer->memory);
    *buffer = (struct buffer){ 0 };
    const char *why = device->allocate(bytes, &buffer->memory);
    if (!why)
        buffer->bytes = bytes;
    return why;
}

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Bytes of one set with its guards, and the number of sets. */
struct layout {
    size_t in, mask, out, workspace;
    int sets;
};

static size_t fenced(size_t bytes)
{
    return aligned(bytes) + 2 * GUARD_BYTES;
}

/* All sets together fit well into the last-level cache, so that a hot cell
 * stays hot. Larger problems have one set, and evict themselves. */
static struct layout layout_of(const struct cell *cell,
                               const struct device_facts *facts)
{
    const size_t in = cell_in_bytes(cell), mask = cell_mask_bytes(cell);
    const size_t out = cell_out_bytes(cell);
    struct layout l = { .in = fenced(in),
                        .mask = fenced(mask),
                        .out = fenced(out),
                        .workspace =
                            fenced(cell_workspace_bytes(cell, facts)) };
    const int64_t set = (int64_t)(in + mask + out);
    /* Ranks share one problem. */
    l.sets = !cell->ranks && set * BUFFER_SETS * 4 <= facts->l2_bytes
                 ? BUFFER_SETS
                 : 1;
    return l;
}

static const char *provide_all(const struct layout *l,
                               const struct device *device)
{
    const size_t sets = (size_t)l->sets;
    const char *why = provide(&in_buffer, l->in * sets, device);
    if (!why)
        why = provide(&mask_buffer, l->mask * sets, device);
    if (!why)
        why = provide(&out_buffer, l->out * sets, device);
    if (!why)
        why = provide(&workspace_buffer, l->workspace, device);
    return why;
}

/* Memory of earlier cells may leave too little. */
static void release_all(const struct device *device)
{
    struct buffer *all[] = { &in_buffer, &mask_buffer, &out_buffer,
                             &workspace_buffer };
    if (device->forget)
        device->forget();
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        device->release(all[k]->memory);
        *all[k] = (struct buffer){ 0 };
    }
}

static int64_t beyond(const struct buffer *buffer, size_t bytes)
{
    return buffer->bytes > bytes ? (int64_t)(buffer->bytes - bytes) : 0;
}

/* True if memory kept from larger cells leaves too little for other allocations
 * of this one, such as those of ranks. */
static bool in_the_way(const struct cell *cell, const struct layout *l,
                       const struct device_facts *facts)
{
    const size_t sets = (size_t)l->sets;
    const int64_t spare = beyond(&in_buffer, l->in * sets) +
                          beyond(&mask_buffer, l->mask * sets) +
                          beyond(&out_buffer, l->out * sets) +
                          beyond(&workspace_buffer, l->workspace);
    return spare && cell_bytes(cell, facts) + spare > cell_room(facts);
}

const char *buffers_provide(struct buffers *buffers, const struct cell *cell,
                            const struct device *device,
                            const struct device_facts *facts)
{
    const struct layout l = layout_of(cell, facts);
    const struct problem at = cell_problem(cell, facts);
    if (in_the_way(cell, &l, facts))
        release_all(device);
    const char *why = provide_all(&l, device);
    if (why) {
        release_all(device);
        why = provide_all(&l, device);
    }
    if (why)
        return why;
    buffers->count = l.sets;
    for (int k = 0; k < l.sets; ++k) {
        struct problem *p = &buffers->problems[k];
        const size_t set = (size_t)k;
        *p = at;
        p->in = (char *)in_buffer.memory + set * l.in + (uintptr_t)at.in;
        if (at.mask)
            p->mask = (uint8_t *)mask_buffer.memory + set * l.mask +
                      (uintptr_t)at.mask;
        p->out = (char *)out_buffer.memory + set * l.out + (uintptr_t)at.out;
        p->workspace = (char *)workspace_buffer.memory + GUARD_BYTES;
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

static bool holds_problem(const struct buffers *buffers,
                          const struct cell *cell)
{
    return filled.known && cell_same_problem(&filled.cell, cell) &&
           filled.in == buffers->problems[0].in &&
           filled.mask == buffers->problems[0].mask &&
           filled.count == buffers->count;
}

bool buffers_are_real(const struct buffers *buffers, const struct cell *cell)
{
    bool all = holds_problem(buffers, cell);
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
    add_fence(g, op_has_input(p->op) ? p->in : NULL,
              elems * dtype_bytes(p->dtype), POISON_BYTE, "before the input",
              "past the end of the input");
    add_fence(g, p->mask, elems, POISON_BYTE, "before the mask",
              "past the end of the mask");
}

static void add_output(struct guards *g, const struct problem *p,
                       const struct cell *cell)
{
    add_fence(g, p->out, (size_t)op_out_bytes(p->op, p->dtype, p->shape),
              GUARD_BYTE, "before the output", "past the end of the output");
    add_fence(g, p->workspace, cell_workspace_bytes(cell, p->device),
              GUARD_BYTE, "before its workspace",
              "past the end of its workspace");
}

const char *buffers_fence(const struct problem *problem,
                          const struct cell *cell, const struct device *device)
{
    struct guards g = { 0 };
    add_output(&g, problem, cell);
    return device->write_guards(&g);
}

const char *buffers_poison(const struct problem *problem,
                           const struct cell *cell, const struct device *device)
{
    const char *why = buffers_fence(problem, cell, device);
    return why ? why
               : device->set(problem->out, POISON_BYTE,
                             (size_t)op_out_bytes(problem->op, problem->dtype,
                                                  problem->shape));
}

const char *buffers_trespass(const struct problem *problem,
                             const struct cell *cell,
                             const struct device *device, const char **why)
{
    struct guards g = { 0 };
    add_input(&g, problem);
    add_output(&g, problem, cell);
    const char *where = NULL;
    *why = device->check_guards(&g, &where);
    return *why ? NULL : where;
}

/* ----------------------------------------------------------------- filling */

/* Guards stay for as long as the problem, so that every write to them is
 * found. */
static const char *fill(const struct problem *problem,
                        const struct device *device, struct input input,
                        int set)
{
    const char *why = NULL;
    struct guards g = { 0 };
    const struct input held = filled.sets[set].input;
    const bool known = filled.sets[set].known;
    add_input(&g, problem);
    filled.sets[set].known = false;
    if (!filled.sets[set].fenced)
        why = device->write_guards(&g);
    if (why)
        return why;
    filled.sets[set].fenced = true;
    /* Verifying an output also compares the whole input with its definition. */
    if (known && held.kind == INPUT_REAL && input.kind == INPUT_REAL)
        why = device->change(problem, held.version, input.version);
    else
        why = device->fill(problem, input);
    filled.sets[set].known = !why;
    filled.sets[set].input = input;
    return why;
}

static bool holds_input(int set, struct input input)
{
    return filled.sets[set].known &&
           filled.sets[set].input.kind == input.kind &&
           filled.sets[set].input.version == input.version;
}

const char *buffers_fill(const struct buffers *buffers, const struct cell *cell,
                         const struct device *device, struct input input,
                         int first, int end)
{
    const char *why = NULL;
    if (!holds_problem(buffers, cell)) {
        memset(&filled, 0, sizeof filled);
        filled.known = true;
        filled.cell = *cell;
        filled.in = buffers->problems[0].in;
        filled.mask = buffers->problems[0].mask;
        filled.count = buffers->count;
    }
    for (int k = first; k < end && !why; ++k)
        if (!holds_input(k, buffers_input(input, k)))
            why =
                fill(&buffers->problems[k], device, buffers_input(input, k), k);
    return why;
}

const char *buffers_garbage(const struct problem *problem,
                            const struct cell *cell,
                            const struct device *device, uint64_t seed)
{
    return device->garbage(problem->workspace,
                           cell_workspace_bytes(cell, problem->device), seed);
}

const char *buffers_settle(const struct problem *problem,
                           const struct cell *cell, const struct device *device)
{
    if (!cell->variant->output)
        return NULL;
    const void *place = launched_to();
    if (!place)
        return "the variant does not know where its output is";
    if (place == problem->out)
        return NULL;
    return device->copy(
        problem->out, place,
        (size_t)op_out_bytes(cell->op, cell->dtype, cell->shape));
}

const char *buffers_several(const struct buffers *buffers,
                            const struct cell *cell,
                            const struct device *device, int count,
                            struct problem *problems, void **memory)
{
    const struct problem *first = &buffers->problems[0];
    const size_t out = fenced(cell_out_bytes(cell));
    const size_t workspace = fenced(cell_workspace_bytes(cell, first->device));
    const size_t place =
        (size_t)((char *)first->out - (char *)out_buffer.memory);
    const char *why =
        device->allocate((out + workspace) * (size_t)(count - 1), memory);
    for (int k = 0; k < count && !why; ++k) {
        problems[k] = *first;
        if (k > 0) {
            char *set = (char *)*memory + (size_t)(k - 1) * (out + workspace);
            problems[k].out = set + place;
            problems[k].workspace = set + out + GUARD_BYTES;
        }
        why = buffers_poison(&problems[k], cell, device);
        if (!why)
            why = buffers_garbage(&problems[k], cell, device, (uint64_t)k + 1);
    }
    return why;
}
