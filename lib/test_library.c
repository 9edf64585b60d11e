/* SPDX-License-Identifier: MIT
 *
 * [cuda]: the library, through its public header alone: every operation with
 * all its flags, of every type, as the verifier defines it; refusals; tensors
 * without elements; and threads, the first plan included. On a GPU also streams
 * and a captured graph.
 */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/scanbench.h"
#include "src/verify/verify.h"
#include "src/base/test.h"

#ifdef SCANBENCH_CUDA
#include <cuda_runtime_api.h>
#endif

static int device = SCANBENCH_HOST;

/* ----------------------------------------------------------------- memory */

/* A GPU's pool; it starts over when everything has been released. */
enum { ROOM = 256 << 20 };
static void *room;
static size_t taken;
static int held;

static void *get(size_t bytes)
{
    bytes = (bytes + 256) / 256 * 256;
    if (!room)
        return aligned_alloc(256, bytes);
    taken = held++ ? taken + bytes : bytes;
    return CHECK(taken <= ROOM) ? (char *)room + taken - bytes : NULL;
}

static void put(void *memory)
{
    if (room)
        --held;
    else
        free(memory);
}

static int wait_for_all(void)
{
#ifdef SCANBENCH_CUDA
    if (device != SCANBENCH_HOST)
        return (int)cudaDeviceSynchronize();
#endif
    return 0;
}

/* ------------------------------------------------------------------- a case */

static const enum dtype of_dtype[] = { DTYPE_F32,  DTYPE_F64, DTYPE_F16,
                                       DTYPE_BF16, DTYPE_I32, DTYPE_I64,
                                       DTYPE_U8,   DTYPE_BOOL };
enum { TYPES = sizeof of_dtype / sizeof *of_dtype };

/* The verifier's operations, and the flags that they take. */
static const struct {
    enum op op;
    int flags;
} table[] = {
    [SCANBENCH_CUMSUM] = { OP_CUMSUM, 0x700 },
    [SCANBENCH_SUM] = { OP_SUM, SCANBENCH_MASKED },
    [SCANBENCH_FLIP] = { OP_FLIP, 0 },
    [SCANBENCH_CUMPROD] = { OP_CUMPROD, 0x700 },
    [SCANBENCH_PROD] = { OP_PROD, SCANBENCH_MASKED },
    [SCANBENCH_MEAN] = { OP_MEAN, 0 },
    [SCANBENCH_CUMMAX] = { OP_CUMMAX, 0x500 },
    [SCANBENCH_AMAX] = { OP_AMAX, SCANBENCH_MASKED },
    [SCANBENCH_CUMMIN] = { OP_CUMMIN, 0x500 },
    [SCANBENCH_AMIN] = { OP_AMIN, SCANBENCH_MASKED },
    [SCANBENCH_ARGMAX] = { OP_ARGMAX, 0 },
    [SCANBENCH_ARGMIN] = { OP_ARGMIN, 0 },
    [SCANBENCH_LOGCUMSUMEXP] = { OP_LOGCUMSUMEXP, 0x500 },
    [SCANBENCH_LOGSUMEXP] = { OP_LOGSUMEXP, SCANBENCH_MASKED },
    [SCANBENCH_RECURRENCE] = { OP_RECURRENCE, SCANBENCH_REVERSE },
    [SCANBENCH_CUMSUM_NARROW] = { OP_CUMSUM_NARROW, 0x500 },
};
enum { OPERATIONS = sizeof table / sizeof *table };

/* All operations with all their flags. */
static int ops[64], op_total;

static void list_ops(void)
{
    for (int op = 0; op < 0x800; ++op)
        if ((op & 0xff) < OPERATIONS && !(op & ~0xff & ~table[op & 0xff].flags))
            ops[op_total++] = op;
}

static enum op own_op(int op)
{
    const int flags = (op & SCANBENCH_REVERSE ? OP_REVERSE : 0) |
                      (op & SCANBENCH_EXCLUSIVE ? OP_EXCLUSIVE : 0) |
                      (op & SCANBENCH_MASKED ? OP_MASKED : 0);
    return (enum op)((int)table[op & 0xff].op | flags);
}

/* A type that the operation is defined for. */
static int a_type(int op)
{
    return op_has_dtype(own_op(op), DTYPE_F64) ? SCANBENCH_F64 : SCANBENCH_I32;
}

static struct ragged_lines lines; /* of the cases */

struct work {
    struct problem p;
    struct input input;
    size_t in_bytes, out_bytes;
    struct scanbench_plan plan;
    void *workspace;
};

/* True if the type may lack the operation: it is not defined, or integers and
 * bools on a GPU have no such scan. */
static bool may_lack(const struct problem *p, int error)
{
    if (!op_has_dtype(p->op, p->dtype))
        return error == SCANBENCH_BAD_DTYPE;
    return device != SCANBENCH_HOST && error == SCANBENCH_NOT_BUILT &&
           !dtype_is_float(p->dtype) && op_is_scan(p->op) && !op_adds(p->op) &&
           (op_is_exclusive(p->op) || dtype_bytes(p->dtype) == 1);
}

static bool make(struct work *w, int op, int dtype,
                 struct scanbench_shape shape, int offset, enum input_kind kind)
{
    struct problem *p = &w->p;
    *w = (struct work){ .input.kind = kind };
    *p = (struct problem){ .op = own_op(op),
                           .dtype = of_dtype[dtype],
                           .shape = { shape.outer, shape.axis, shape.inner,
                                      lines } };
    const int64_t offset_bytes = shape_offset_bytes(p->shape);
    const int error =
        !lines.kind
            ? scanbench_plan(op, dtype, shape, device, &w->plan)
            : scanbench_plan_ragged(op, dtype, shape.axis, shape.inner,
                                    shape_segments(p->shape),
                                    lines.offset_bytes, device, &w->plan);
    if (error && may_lack(p, error))
        return false;
    if (!CHECK_FOR(!error, "op %x type %d: %s", op, dtype,
                   scanbench_error_text(error)))
        return false;
    const size_t elems = (size_t)shape_elems(p->shape);
    w->in_bytes = dtype_bytes(p->dtype);
    w->out_bytes = (size_t)op_out_bytes(p->op, p->dtype, p->shape);
    p->in =
        (char *)get((elems + 1) * w->in_bytes) + (size_t)offset * w->in_bytes;
    p->out = (char *)get(w->out_bytes + 8) +
             (size_t)offset * op_out_elem_bytes(p->op, p->dtype);
    p->mask = (uint8_t *)get(elems + 1) + offset;
    p->in2 = get(2 * (elems + 1) * w->in_bytes);
    if (op_may_start(p->op) && !offset)
        p->initial = (char *)p->in2 + (elems + 1) * w->in_bytes;
    p->offsets = get((size_t)offset_bytes);
    if (offset_bytes)
        memcpy((void *)p->offsets, verify_offsets(p->shape),
               (size_t)offset_bytes);
    w->workspace = get(w->plan.workspace_bytes);
    verify_fill(p, w->input, (void *)p->in, (uint8_t *)p->mask);
    memset(p->out, 0xff, w->out_bytes);
    memset(w->workspace, 0x5a, w->plan.workspace_bytes);
    return true;
}

static int launch(struct work *w, void *stream)
{
    void *const workspace = w->plan.workspace_bytes ? w->workspace : NULL;
    if (op_inputs(w->p.op) == 2)
        return scanbench_recur(&w->plan, w->p.in, w->p.in2, w->p.initial,
                               w->p.out, workspace, stream);
    if (lines.kind)
        return scanbench_launch_ragged(&w->plan, w->p.in, w->p.offsets,
                                       w->p.out, workspace, stream);
    return scanbench_launch(&w->plan, w->p.in,
                            op_has_mask(w->p.op) ? w->p.mask : NULL, w->p.out,
                            workspace, stream);
}

static void drop(struct work *w, int offset)
{
    put((char *)w->p.in - (size_t)offset * w->in_bytes);
    put((char *)w->p.out -
        (size_t)offset * op_out_elem_bytes(w->p.op, w->p.dtype));
    put((uint8_t *)w->p.mask - offset);
    put(w->workspace);
    put((void *)w->p.in2);
    put((void *)w->p.offsets);
}

static bool is_right(const struct work *w)
{
    static const struct variant any = { .error_growth = ERROR_TILED,
                                        .error_tile = 1024 };
    const struct verification v = verify_host(&w->p, &any, w->input);
    return CHECK_FOR(v.wrong == 0 && !v.input_changed,
                     "op %x type %s %lldx%lldx%lld by %s: %lld wrong",
                     (unsigned)w->p.op, dtype_name(w->p.dtype),
                     (long long)w->p.shape.outer, (long long)w->p.shape.axis,
                     (long long)w->p.shape.inner, w->plan.variant,
                     (long long)v.wrong);
}

static void check_case(int op, int dtype, struct scanbench_shape shape,
                       int offset)
{
    const enum input_kind other = offset ? INPUT_BITS : INPUT_EXACT;
    const bool serves = input_serves(other, own_op(op), of_dtype[dtype]);
    struct work w;
    if (!make(&w, op, dtype, shape, offset,
              serves   ? other
              : offset ? INPUT_EXACT
                       : INPUT_BITS))
        return;
    const int error = launch(&w, NULL);
    CHECK_FOR(!error && !wait_for_all(), "%s", scanbench_error_text(error));
    is_right(&w);
    drop(&w, offset);
}

static void check_results(void)
{
    static const struct scanbench_shape shapes[] = {
        { 1, 1, 1 },    { 1, 20001, 1 }, { 100, 129, 1 }, { 3, 33, 65 },
        { 1, 5, 1025 }, { 7, 1, 3 },     { 2, 200, 64 },
    };
    for (int k = 0; k < op_total; ++k)
        for (int dtype = 0; dtype < TYPES; ++dtype)
            for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
                for (int offset = 0; offset < 2; ++offset)
                    if (device == SCANBENCH_HOST || /* a GPU: every other */
                        (k + dtype + (int)s + offset) % 2 == 0)
                        check_case(ops[k], dtype, shapes[s], offset);
}

/* --------------------------------------------------- refusals, and nothing */

static void check_refusals(void)
{
    const struct scanbench_shape shape = { 1, 4, 1 };
    struct scanbench_plan plan, none = { 0 };
    float x[4] = { 1, 2, 3, 4 };
    const uint8_t mask[4] = { 0 };
#define GIVES(error, ...) CHECK(scanbench_plan(__VA_ARGS__, &plan) == error)
    for (int op = -1, k = 0; op < SCANBENCH_DETERMINISTIC; ++op)
        if (k < op_total && ops[k] == op)
            ++k;
        else
            GIVES(SCANBENCH_BAD_OP, op, 0, shape, device);
    GIVES(SCANBENCH_BAD_DTYPE, 0, TYPES, shape, device);
    GIVES(SCANBENCH_BAD_DTYPE, SCANBENCH_MEAN, SCANBENCH_I32, shape, device);
    GIVES(SCANBENCH_BAD_DTYPE, 0, -1, shape, device);
    GIVES(SCANBENCH_BAD_SHAPE, 0, 0, ((struct scanbench_shape){ 1, -1, 1 }),
          device);
    GIVES(SCANBENCH_BAD_SHAPE, 0, 0,
          ((struct scanbench_shape){ INT64_MAX, 2, 2 }), device);
    GIVES(SCANBENCH_BAD_SHAPE, SCANBENCH_SUM, 0,
          ((struct scanbench_shape){ INT64_MAX, 0, INT64_MAX }), device);
    GIVES(SCANBENCH_NO_DEVICE, 0, 0, shape, -2);
    GIVES(SCANBENCH_NO_DEVICE, 0, 0, shape, 63);
    GIVES(SCANBENCH_NO_DEVICE, 0, 0, shape, 1 << 20);
    CHECK(scanbench_launch(&plan, x, NULL, x, NULL, NULL) == SCANBENCH_NO_PLAN);
    CHECK(scanbench_launch(&none, x, NULL, x, NULL, NULL) == SCANBENCH_NO_PLAN);
    CHECK(scanbench_plan(0, 0, shape, device, NULL) == SCANBENCH_BAD_POINTER);
    GIVES(SCANBENCH_OK, 0, 0, shape, device);
#define REFUSES(...)                                                           \
    CHECK(scanbench_launch(&plan, __VA_ARGS__, NULL) == SCANBENCH_BAD_POINTER)
    REFUSES(NULL, NULL, x, NULL);
    REFUSES(x, NULL, NULL, NULL);
    REFUSES(x, mask, x, NULL); /* a mask without MASKED */
    REFUSES((char *)x + 1, NULL, x, NULL);
    CHECK(scanbench_recur(&plan, x, x, NULL, x + 1, NULL, NULL) ==
          SCANBENCH_BAD_POINTER); /* a second input without RECURRENCE */
    GIVES(SCANBENCH_BAD_DTYPE, SCANBENCH_RECURRENCE, SCANBENCH_I64, shape,
          device);
    GIVES(SCANBENCH_OK, SCANBENCH_RECURRENCE, 0, shape, device);
    REFUSES(x, NULL, x + 1, x);
    CHECK(scanbench_recur(&plan, x, x, (char *)x + 1, x, NULL, NULL) ==
          SCANBENCH_BAD_POINTER);
    GIVES(SCANBENCH_OK, SCANBENCH_MASKED, 0, shape, device);
    REFUSES(x, NULL, x, NULL);
    GIVES(SCANBENCH_OK, SCANBENCH_MASKED | SCANBENCH_REVERSE, 0, shape, device);
    CHECK(plan.workspace_bytes >= 16);
    REFUSES(x, mask, x, NULL);
    REFUSES(x, mask, x, (char *)x + 1);
    for (int error = SCANBENCH_NO_PLAN - 1; error <= 1; ++error)
        CHECK(*scanbench_error_text(error) != 0);
    CHECK(*scanbench_device_text(device) && *scanbench_device_text(-7));
    CHECK(strchr(scanbench_version(), '.') != NULL);
    CHECK(sizeof plan <= 272); /* python/ reserves as much */
}

/* The flags of contracts that make sense for the operation. */
static int contracts_of(int op)
{
    const enum op own = own_op(op);
    const bool sums =
        op_is_reduction(own) && (op & 0xff) != SCANBENCH_LOGSUMEXP;
    return SCANBENCH_DETERMINISTIC | (sums ? SCANBENCH_PORTABLE_BITS : 0) |
           ((op & 0xff) == SCANBENCH_CUMSUM ? SCANBENCH_MONOTONE : 0);
}

static void check_contracts(void)
{
    const struct scanbench_shape shape = { 9, 100, 1 },
                                 line = { 1, 1 << 20, 1 };
    const int all =
        SCANBENCH_DETERMINISTIC | SCANBENCH_PORTABLE_BITS | SCANBENCH_MONOTONE;
    const bool host = device == SCANBENCH_HOST;
    struct scanbench_plan plan;
    for (int k = 0; k < op_total; ++k)
        for (int flag = SCANBENCH_DETERMINISTIC; flag < all; flag *= 2)
            if (flag & contracts_of(ops[k]))
                for (int dtype = 0; dtype < TYPES; ++dtype)
                    check_case(ops[k] | flag, dtype, shape, 1);
            else
                GIVES(SCANBENCH_BAD_OP, ops[k] | flag, 0, shape, device);
    GIVES(SCANBENCH_BAD_OP, SCANBENCH_SUM | 0x4000, 0, shape, device);
#define WITHIN(op, most)                                                       \
    scanbench_plan_within(op, 0, shape, most, device, &plan)
    CHECK(!WITHIN(SCANBENCH_SUM, 101) && !WITHIN(SCANBENCH_AMAX, 1e-9));
    CHECK(WITHIN(SCANBENCH_SUM, 1) == SCANBENCH_NOT_BUILT);
    CHECK(WITHIN(SCANBENCH_PROD, 50) == SCANBENCH_NOT_BUILT);
    CHECK(WITHIN(SCANBENCH_AMAX, -1) == SCANBENCH_NOT_BUILT);
    CHECK(WITHIN(SCANBENCH_AMAX, NAN) == SCANBENCH_NOT_BUILT && !plan.variant);
    GIVES(SCANBENCH_OK, SCANBENCH_MONOTONE, 0, line, device);
    CHECK(!host || strcmp(plan.variant, "chunked_two_pass") != 0);
    GIVES(SCANBENCH_OK, SCANBENCH_SUM | (all & ~SCANBENCH_MONOTONE), 0, line,
          device);
    CHECK(!host || strcmp(plan.variant, "chunked_two_pass") != 0);
}

static void check_ragged(void)
{
    static const int plain[] = { SCANBENCH_CUMSUM,
                                 SCANBENCH_CUMSUM | SCANBENCH_REVERSE,
                                 SCANBENCH_SUM, SCANBENCH_MEAN,
                                 SCANBENCH_AMAX };
    struct scanbench_plan plan;
    for (size_t k = 0; k < sizeof plain / sizeof *plain; ++k)
        for (int dtype = 0; dtype <= SCANBENCH_BF16; ++dtype)
            for (uint8_t kind = LINES_UNIFORM; kind <= LINES_ONE; ++kind) {
                const uint8_t offset_bytes = dtype % 2 ? 4 : 8;
                lines = (struct ragged_lines){ 9, 0, kind, offset_bytes };
                check_case(plain[k], dtype,
                           (struct scanbench_shape){ 1, 3000, 1 + kind % 2 },
                           kind % 2);
            }
    lines = (struct ragged_lines){ 0 };
#define RAGGED(...) scanbench_plan_ragged(__VA_ARGS__, device, &plan)
    CHECK(RAGGED(SCANBENCH_FLIP, 0, 9, 1, 2, 8) == SCANBENCH_BAD_OP);
    CHECK(RAGGED(SCANBENCH_MASKED, 0, 9, 1, 2, 8) == SCANBENCH_BAD_OP);
    CHECK(RAGGED(0, 0, 9, 1, 0, 8) == SCANBENCH_BAD_SHAPE);
    CHECK(RAGGED(0, 0, 9, 1, 2, 0) == SCANBENCH_BAD_SHAPE);
    CHECK(RAGGED(0, 0, INT64_MIN, 1, -1, 8) == SCANBENCH_BAD_SHAPE);
    CHECK(RAGGED(0, 0, INT64_C(1) << 31, 1, 2, 4) == SCANBENCH_BAD_SHAPE);
    CHECK(!RAGGED(SCANBENCH_SUM, 0, 0, 1, 0, 8) && plan.steps_ == 0);
}

static void check_nothing(void)
{
    static const struct scanbench_shape shapes[] = {
        { 0, 4, 1 }, { 4, 0, 1 }, { 4, 4, 0 }, { 3, 0, 5 }, { 0, 0, 0 }
    };
    struct scanbench_plan plan;
    for (int k = 0; k < op_total; ++k)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
            if (shapes[s].axis == 0 && op_gives_index(own_op(ops[k])))
                GIVES(SCANBENCH_BAD_SHAPE, ops[k], 0, shapes[s], device);
            else
                check_case(ops[k], a_type(ops[k]), shapes[s], 0);
    static const struct scanbench_shape huge[] = {
        { 0, INT64_MAX, INT64_MAX },
        { INT64_MAX, INT64_MAX, 0 },
        { INT64_MAX, 0, INT64_MAX },
    };
    for (size_t s = 0; s < sizeof huge / sizeof *huge; ++s)
        for (int k = 0; k < op_total; ++k) {
            if (huge[s].axis == 0 && op_is_reduction(own_op(ops[k])))
                continue; /* more outputs than are allowed */
            GIVES(SCANBENCH_OK, ops[k], a_type(ops[k]), huge[s], device);
            CHECK(!scanbench_launch(&plan, NULL, NULL, NULL, NULL, NULL));
        }
}

/* ---------------------------------------------------------------- threads */

enum { THREADS = 8 };

static void *plan_first(void *error)
{
    struct scanbench_plan plan;
    *(int *)error =
        scanbench_plan(SCANBENCH_SUM, SCANBENCH_F32,
                       (struct scanbench_shape){ 8, 8, 1 }, device, &plan);
    return NULL;
}

static void *run_many(void *one)
{
    struct work *w = one;
    for (int k = 0; k < 20; ++k)
        if (launch(w, NULL))
            return one;
    return NULL;
}

static void in_threads(void *(*body)(void *), void *argument[THREADS])
{
    pthread_t thread[THREADS];
    void *failed;
    for (int k = 0; k < THREADS; ++k)
        CHECK(!pthread_create(&thread[k], NULL, body, argument[k]));
    for (int k = 0; k < THREADS; ++k)
        CHECK(!pthread_join(thread[k], &failed) && !failed);
}

static void check_first_plans(void)
{
    int error[THREADS];
    void *argument[THREADS];
    for (int k = 0; k < THREADS; ++k)
        argument[k] = &error[k];
    in_threads(plan_first, argument);
    for (int k = 0; k < THREADS; ++k)
        CHECK_FOR(!error[k], "%s: %s", scanbench_error_text(error[k]),
                  scanbench_device_text(device));
}

/* Each thread takes the operation `apart` places after that of the one before,
 * and an axis that is longer by `more`: of one operation, a kernel's launches
 * need various amounts of shared memory. */
static void check_threads(const int *op, int apart,
                          struct scanbench_shape first, int more)
{
    struct work work[THREADS];
    void *argument[THREADS];
    for (int k = 0; k < THREADS; ++k) {
        const int one = op[apart * k];
        const struct scanbench_shape shape = { first.outer + k,
                                               first.axis + more * k,
                                               first.inner };
        if (!make(&work[k], one, SCANBENCH_F32, shape, 0,
                  one == SCANBENCH_FLIP ? INPUT_BITS : INPUT_EXACT))
            return;
        argument[k] = &work[k];
    }
    in_threads(run_many, argument);
    CHECK(!wait_for_all());
    for (int k = 0; k < THREADS; ++k) {
        is_right(&work[k]);
        drop(&work[k], 0);
    }
}

/* ----------------------------------------------------------------- streams */

#ifdef SCANBENCH_CUDA
/* Every operation on a stream of its own, and once more in a graph, replayed.
 */
static void check_graph(int op, struct scanbench_shape shape)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    struct work w;
    if (!make(&w, op, SCANBENCH_F32, shape, 0,
              op == SCANBENCH_FLIP ? INPUT_BITS : INPUT_EXACT))
        return;
    CHECK(!cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(!launch(&w, stream) && !cudaStreamSynchronize(stream));
    CHECK_FOR(is_right(&w), "%s", "stream");
    CHECK(!cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(!launch(&w, stream) && !cudaStreamEndCapture(stream, &graph));
    CHECK(!cudaGraphInstantiate(&ready, graph, 0));
    for (int k = 0; k < 3; ++k) {
        memset(w.p.out, 0xff, w.out_bytes);
        memset(w.workspace, 0x5a + k, w.plan.workspace_bytes);
        CHECK(!cudaGraphLaunch(ready, stream) &&
              !cudaStreamSynchronize(stream));
        CHECK_FOR(is_right(&w), "%s", "graph");
    }
    CHECK(!cudaGraphExecDestroy(ready) && !cudaGraphDestroy(graph) &&
          !cudaStreamDestroy(stream));
    drop(&w, 0);
}

static void check_graphs(void)
{
    for (int k = 0; k < op_total; ++k) {
        check_graph(ops[k], (struct scanbench_shape){ 1, 100003, 1 });
        check_graph(ops[k], (struct scanbench_shape){ 512, 4096, 1 });
        check_graph(ops[k], (struct scanbench_shape){ 4, 700, 1000 });
    }
}
#endif

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "cuda") == 0) {
#ifdef SCANBENCH_CUDA
        int count = 0;
        if (cudaGetDeviceCount(&count) || count == 0)
            return getenv("SCANBENCH_REQUIRE_GPU") ? 1 : 77;
        device = 0;
        CHECK(!cudaMallocManaged(&room, ROOM, cudaMemAttachGlobal));
#else
        return 77;
#endif
    }
    list_ops();
    check_first_plans();
    check_results();
    check_refusals();
    check_contracts();
    check_ragged();
    check_nothing();
    check_threads(ops, 4, (struct scanbench_shape){ 40, 1025, 1 }, 0);
    check_threads(&(const int){ SCANBENCH_CUMSUM }, 0,
                  (struct scanbench_shape){ 40, 16, 8 }, 12);
    check_threads(&(const int){ SCANBENCH_SUM }, 0,
                  (struct scanbench_shape){ 300, 8, 8 }, 12);
#ifdef SCANBENCH_CUDA
    if (device != SCANBENCH_HOST)
        check_graphs();
#endif
    return test_end();
}
