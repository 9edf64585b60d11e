/* SPDX-License-Identifier: MIT */
#include "harness/buffers.h"

#include <string.h>

enum { GUARD_BYTE = 0xc3, ALIGNMENT = 256 };

/* Grows, never shrinks, so that neighbouring cells reuse it. */
struct buffer {
    void *memory;
    size_t bytes;
};
static struct buffer in_buffer, mask_buffer, out_buffer, workspace_buffer;

/* What the inputs hold. */
static struct {
    bool known;
    struct cell cell; /* its problem */
    enum input_kind kind;
    const void *in, *mask;
    int sets;
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

/* Bytes of one set, and how many sets there are. */
struct layout {
    size_t in, mask, out, workspace;
    int sets;
};

/* All sets together stay well inside the last-level cache, so that a hot cell
 * stays hot; larger problems push themselves out. */
static struct layout layout_of(const struct cell *cell,
                               const struct device_facts *facts)
{
    struct layout l = { .in = aligned(cell_in_bytes(cell)),
                        .mask = aligned(cell_mask_bytes(cell)),
                        .out = aligned(cell_out_bytes(cell)),
                        .workspace = cell_workspace_bytes(cell, facts) };
    const int64_t set = (int64_t)(l.in + l.mask + l.out);
    l.sets = set * BUFFER_SETS * 4 <= facts->l2_bytes ? BUFFER_SETS : 1;
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

/* What earlier cells left may be in the way. */
static void release_all(const struct device *device)
{
    struct buffer *all[] = { &in_buffer, &mask_buffer, &out_buffer,
                             &workspace_buffer };
    device->forget();
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        device->release(all[k]->memory);
        *all[k] = (struct buffer){ 0 };
    }
}

const char *buffers_provide(struct buffers *buffers, const struct cell *cell,
                            const struct device *device,
                            const struct device_facts *facts)
{
    const struct layout l = layout_of(cell, facts);
    const size_t elem = dtype_bytes(cell->dtype), shift = (size_t)cell->offset;
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
        *p = cell_problem(cell, facts);
        p->in = (char *)in_buffer.memory + set * l.in + shift * elem;
        p->mask = op_has_mask(cell->op)
                      ? (uint8_t *)mask_buffer.memory + set * l.mask + shift
                      : NULL;
        /* read's output is not made of elements. */
        p->out = (char *)out_buffer.memory + set * l.out + GUARD_BYTES +
                 (cell->op == OP_READ ? 0 : shift * elem);
        p->workspace = workspace_buffer.memory;
    }
    return NULL;
}

const char *buffers_fill(const struct buffers *buffers, const struct cell *cell,
                         const struct device *device, enum input_kind kind)
{
    if (filled.known && cell_same_problem(&filled.cell, cell) &&
        filled.kind == kind && filled.in == buffers->problems[0].in &&
        filled.mask == buffers->problems[0].mask &&
        filled.sets == buffers->count)
        return NULL;
    filled.known = false;
    for (int k = 0; k < buffers->count; ++k) {
        const char *why = device->fill(&buffers->problems[k], kind);
        if (why)
            return why;
    }
    filled.known = true;
    filled.cell = *cell;
    filled.kind = kind;
    filled.in = buffers->problems[0].in;
    filled.mask = buffers->problems[0].mask;
    filled.sets = buffers->count;
    return NULL;
}

static size_t out_bytes(const struct problem *p)
{
    return (size_t)op_out_bytes(p->op, p->dtype, p->shape);
}

const char *buffers_poison(const struct problem *problem,
                           const struct device *device)
{
    char *out = problem->out;
    const size_t bytes = out_bytes(problem);
    const char *why = device->set(out - GUARD_BYTES, GUARD_BYTE, GUARD_BYTES);
    if (!why)
        why = device->set(out, POISON_BYTE, bytes);
    if (!why)
        why = device->set(out + bytes, GUARD_BYTE, GUARD_BYTES);
    return why;
}

const char *buffers_rubbish(const struct problem *problem,
                            const struct cell *cell,
                            const struct device *device, uint64_t seed)
{
    return device->rubbish(problem->workspace,
                           cell_workspace_bytes(cell, problem->device), seed);
}

const char *buffers_several(const struct buffers *buffers,
                            const struct cell *cell,
                            const struct device *device, int count,
                            struct problem *problems, void **memory)
{
    const struct problem *first = &buffers->problems[0];
    const size_t out = aligned(cell_out_bytes(cell));
    const size_t workspace = aligned(cell_workspace_bytes(cell, first->device));
    const size_t place =
        (size_t)((char *)first->out - (char *)out_buffer.memory);
    const char *why =
        device->allocate((out + workspace) * (size_t)(count - 1), memory);
    for (int k = 0; k < count && !why; ++k) {
        problems[k] = *first;
        if (k > 0) {
            char *set = (char *)*memory + (size_t)(k - 1) * (out + workspace);
            problems[k].out = set + place;
            problems[k].workspace = set + out;
        }
        why = buffers_poison(&problems[k], device);
        if (!why)
            why = buffers_rubbish(&problems[k], cell, device, (uint64_t)k + 1);
    }
    return why;
}

const char *buffers_trespass(const struct problem *problem,
                             const struct device *device, const char **why)
{
    char *out = problem->out;
    bool below = true, above = true;
    *why = device->holds(out - GUARD_BYTES, GUARD_BYTE, GUARD_BYTES, &below);
    if (!*why)
        *why = device->holds(out + out_bytes(problem), GUARD_BYTE, GUARD_BYTES,
                             &above);
    return !below ? "before" : !above ? "past the end of" : NULL;
}
