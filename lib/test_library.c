/* SPDX-License-Identifier: MIT
 *
 * [cuda]: the library, through its public header alone: every operation with
 * all its flags, of every type, by the definition; what is refused and why;
 * nothing, of any shape; and threads, the first plan included. On a GPU also
 * streams and a captured graph.
 */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/scanbench.h"
#include "src/model/dtype.h"
#include "src/base/test.h"

#ifdef SCANBENCH_CUDA
#include <cuda_runtime_api.h>
#endif

static int device = SCANBENCH_HOST;

/* ----------------------------------------------------------------- memory */

static void *get(size_t bytes)
{
    void *memory = NULL;
    bytes = (bytes + 256) / 256 * 256;
#ifdef SCANBENCH_CUDA
    if (device != SCANBENCH_HOST)
        return cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) ? NULL
                                                                      : memory;
#endif
    memory = aligned_alloc(256, bytes);
    return memory;
}

static void put(void *memory)
{
#ifdef SCANBENCH_CUDA
    if (device != SCANBENCH_HOST) {
        cudaFree(memory);
        return;
    }
#endif
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

static const enum dtype of_dtype[] = { DTYPE_F32, DTYPE_F64, DTYPE_F16,
                                       DTYPE_BF16 };

/* An operator by its symbol, `e` for log(exp x + exp y), and 0 for a flip. */
static const struct {
    char by;
    bool reduces, gives_index;
    int flags;
} table[] = {
    [SCANBENCH_CUMSUM] = { '+', false, false, 0x700 },
    [SCANBENCH_SUM] = { '+', true, false, SCANBENCH_MASKED },
    [SCANBENCH_FLIP] = { 0, false, false, 0 },
    [SCANBENCH_CUMPROD] = { '*', false, false, 0x700 },
    [SCANBENCH_PROD] = { '*', true, false, SCANBENCH_MASKED },
    [SCANBENCH_MEAN] = { '+', true, false, 0 },
    [SCANBENCH_CUMMAX] = { '>', false, false, 0x500 },
    [SCANBENCH_AMAX] = { '>', true, false, SCANBENCH_MASKED },
    [SCANBENCH_CUMMIN] = { '<', false, false, 0x500 },
    [SCANBENCH_AMIN] = { '<', true, false, SCANBENCH_MASKED },
    [SCANBENCH_ARGMAX] = { '>', true, true, 0 },
    [SCANBENCH_ARGMIN] = { '<', true, true, 0 },
    [SCANBENCH_LOGCUMSUMEXP] = { 'e', false, false, 0x500 },
    [SCANBENCH_LOGSUMEXP] = { 'e', true, false, SCANBENCH_MASKED },
};
enum { OPERATIONS = sizeof table / sizeof *table };
#define TABLE(op) table[(op)&0xff]

/* All operations with all their flags. */
static int ops[64], op_count;

static void list_ops(void)
{
    for (int op = 0; op < 0x800; ++op)
        if ((op & 0xff) < OPERATIONS && !(op & ~0xff & ~TABLE(op).flags))
            ops[op_count++] = op;
}

struct work {
    int op, dtype;
    struct scanbench_shape shape;
    int64_t elems, outs;
    size_t bytes, out_bytes; /* of one */
    void *in, *out;
    uint8_t *mask;
    struct scanbench_plan plan;
    void *workspace;
};

/* Sums and products of these are exact in float, and rounded once; extremes
 * have ties and, in some lines, NaN. */
static double element(int op, int64_t k)
{
    const double sign = k * 5 % 7 < 4 ? 1 : -1;
    switch (TABLE(op).by) {
    case '+':
        return sign * (double)(k % 3 == 0);
    case '*':
        return sign * (k % 3 == 0 ? 2 : k % 3 == 1 ? 0.5 : 1);
    case 'e':
        return sign * (double)(k * 31 % 127) / 16;
    default:
        return k % 1009 == 1008 ? NAN : sign * (double)(k * 31 % 127);
    }
}

static bool kept(int64_t k)
{
    return k * 11 % 13 < 8;
}

static bool make(struct work *w, int op, int dtype,
                 struct scanbench_shape shape, int offset)
{
    const enum dtype type = of_dtype[dtype];
    const size_t bytes = dtype_bytes(type);
    *w = (struct work){ .op = op,
                        .dtype = dtype,
                        .shape = shape,
                        .bytes = bytes,
                        .out_bytes = TABLE(op).gives_index ? 8 : bytes };
    const int error = scanbench_plan(op, dtype, shape, device, &w->plan);
    if (!CHECK_FOR(!error, "op %x type %d: %s", op, dtype,
                   scanbench_error_text(error)))
        return false;
    w->elems = shape.outer * shape.axis * shape.inner;
    w->outs = TABLE(op).reduces ? shape.outer * shape.inner : w->elems;
    w->in = (char *)get(((size_t)w->elems + 1) * bytes) + offset * (int)bytes;
    w->out = (char *)get(((size_t)w->outs + 1) * w->out_bytes) +
             offset * (int)w->out_bytes;
    w->mask = (uint8_t *)get((size_t)w->elems + 1) + offset;
    w->workspace = get(w->plan.workspace_bytes);
    for (int64_t k = 0; k < w->elems; ++k) {
        const bool keep = kept(k) || !(op & SCANBENCH_MASKED);
        w->mask[k] = kept(k);
        dtype_store(type, w->in, k, keep ? element(op, k) : NAN);
    }
    memset(w->out, 0xff, (size_t)w->outs * w->out_bytes);
    memset(w->workspace, 0x5a, w->plan.workspace_bytes);
    return true;
}

static int launch(struct work *w, void *stream)
{
    return scanbench_launch(
        &w->plan, w->in, w->op & SCANBENCH_MASKED ? w->mask : NULL, w->out,
        w->plan.workspace_bytes ? w->workspace : NULL, stream);
}

static void drop(struct work *w, int offset)
{
    put((char *)w->in - offset * (int)w->bytes);
    put((char *)w->out - offset * (int)w->out_bytes);
    put(w->mask - offset);
    put(w->workspace);
}

static double identity(char by)
{
    return by == '*'                ? 1
           : by == '<'              ? INFINITY
           : by == '>' || by == 'e' ? -INFINITY
                                    : 0;
}

static double combine(char by, double a, double b)
{
    switch (by) {
    case '+':
        return a + b;
    case '*':
        return a * b;
    case '>':
        return a >= b || isnan(a) ? a : b;
    case '<':
        return a <= b || isnan(a) ? a : b;
    case 'e':
        return a == -INFINITY ? b : fmax(a, b) + log1p(exp(-fabs(a - b)));
    default:
        return b;
    }
}

/* A mean and a logarithm are rounded in the accumulator, too. */
static bool is_right(const struct work *w, int64_t at, double wanted)
{
    const enum dtype type = of_dtype[w->dtype];
    if (TABLE(w->op).gives_index)
        return (double)((const int64_t *)w->out)[at] == wanted;
    const double got = dtype_load(type, w->out, at);
    const double rounded = dtype_value(type, dtype_bits(type, wanted));
    const bool inexact =
        TABLE(w->op).by == 'e' || (w->op & 0xff) == SCANBENCH_MEAN;
    const double slack =
        dtype_roundoff(type) * 2 * fabs(wanted) +
        dtype_acc_roundoff(type) * 1000 * fmax(1, fabs(wanted));
    return isnan(wanted)
               ? isnan(got)
               : got == rounded || (inexact && fabs(got - rounded) <= slack);
}

/* Elements of a line that are not what the definition says. */
static int64_t wrong_in_line(const struct work *w, int64_t first, int64_t line)
{
    const int64_t n = w->shape.axis, step = w->shape.inner;
    const bool reverse = w->op & SCANBENCH_REVERSE;
    const char by = TABLE(w->op).by;
    double acc = identity(by);
    int64_t wrong = 0, place = 0;
    for (int64_t s = 0; s < n; ++s) {
        const int64_t at = first + (reverse ? n - 1 - s : s) * step;
        const int64_t from = by ? at : first + (n - 1 - s) * step;
        const double before = acc;
        if (kept(at) || !(w->op & SCANBENCH_MASKED))
            acc = combine(by, acc, dtype_load(of_dtype[w->dtype], w->in, from));
        if (acc != before && !isnan(before))
            place = s;
        if (!TABLE(w->op).reduces)
            wrong +=
                !is_right(w, at, w->op & SCANBENCH_EXCLUSIVE ? before : acc);
    }
    if ((w->op & 0xff) == SCANBENCH_MEAN)
        acc /= (double)n;
    if (TABLE(w->op).gives_index)
        acc = (double)place;
    return TABLE(w->op).reduces ? !is_right(w, line, acc) : wrong;
}

static int64_t wrong_in(const struct work *w)
{
    int64_t wrong = 0;
    for (int64_t o = 0; o < w->shape.outer; ++o)
        for (int64_t i = 0; i < w->shape.inner; ++i)
            wrong += wrong_in_line(w, o * w->shape.axis * w->shape.inner + i,
                                   o * w->shape.inner + i);
    return wrong;
}

static void check_case(int op, int dtype, struct scanbench_shape shape,
                       int offset)
{
    struct work w;
    if (!make(&w, op, dtype, shape, offset))
        return;
    const int error = launch(&w, NULL);
    CHECK_FOR(!error && !wait_for_all(), "%s", scanbench_error_text(error));
    const int64_t wrong = wrong_in(&w);
    CHECK_FOR(wrong == 0, "op %x type %d %lldx%lldx%lld+%d by %s: %lld wrong",
              op, dtype, (long long)shape.outer, (long long)shape.axis,
              (long long)shape.inner, offset, w.plan.variant, (long long)wrong);
    drop(&w, offset);
}

static void check_results(void)
{
    static const struct scanbench_shape shapes[] = {
        { 1, 1, 1 },    { 1, 40001, 1 }, { 200, 129, 1 }, { 3, 33, 65 },
        { 1, 5, 4097 }, { 7, 1, 3 },     { 2, 200, 64 },
    };
    for (int k = 0; k < op_count; ++k)
        for (int dtype = 0; dtype <= SCANBENCH_BF16; ++dtype)
            for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
                for (int offset = 0; offset < 2; ++offset)
                    check_case(ops[k], dtype, shapes[s], offset);
}

/* ----------------------------------------------------- refusals, and nothing
 */

static void check_refusals(void)
{
    const struct scanbench_shape shape = { 1, 4, 1 };
    struct scanbench_plan plan, none = { 0 };
    float x[4] = { 1, 2, 3, 4 };
    const uint8_t mask[4] = { 0 };
#define GIVES(error, ...) CHECK(scanbench_plan(__VA_ARGS__, &plan) == error)
    for (int op = -1, k = 0; op < 0x1000; ++op)
        if (k < op_count && ops[k] == op)
            ++k;
        else
            GIVES(SCANBENCH_BAD_OP, op, 0, shape, device);
    GIVES(SCANBENCH_BAD_DTYPE, 0, 4, shape, device);
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
    REFUSES(x, mask, x, NULL); /* a mask that is not wanted */
    REFUSES((char *)x + 1, NULL, x, NULL);
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
    CHECK(sizeof plan <= 272); /* the room that python/ has for one */
}

static void check_nothing(void)
{
    static const struct scanbench_shape shapes[] = {
        { 0, 4, 1 }, { 4, 0, 1 }, { 4, 4, 0 }, { 3, 0, 5 }, { 0, 0, 0 }
    };
    struct scanbench_plan plan;
    for (int k = 0; k < op_count; ++k)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
            if (shapes[s].axis == 0 && TABLE(ops[k]).gives_index)
                CHECK(scanbench_plan(ops[k], 0, shapes[s], device, &plan) ==
                      SCANBENCH_BAD_SHAPE);
            else
                check_case(ops[k], SCANBENCH_F64, shapes[s], 0);
    static const struct scanbench_shape huge[] = {
        { 0, INT64_MAX, INT64_MAX },
        { INT64_MAX, INT64_MAX, 0 },
        { INT64_MAX, 0, INT64_MAX },
    };
    for (size_t s = 0; s < sizeof huge / sizeof *huge; ++s)
        for (int k = 0; k < op_count; ++k) {
            if (huge[s].axis == 0 && TABLE(ops[k]).reduces)
                continue; /* as many outputs are refused */
            CHECK(!scanbench_plan(ops[k], 0, huge[s], device, &plan));
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

static void check_threads(void)
{
    struct work work[THREADS];
    void *argument[THREADS];
    for (int k = 0; k < THREADS; ++k) {
        if (!make(&work[k], ops[k * 4], SCANBENCH_F32,
                  (struct scanbench_shape){ 40 + k, 1025, 1 }, 0))
            return;
        argument[k] = &work[k];
    }
    in_threads(run_many, argument);
    CHECK(!wait_for_all());
    for (int k = 0; k < THREADS; ++k) {
        CHECK_FOR(wrong_in(&work[k]) == 0, "op %x", ops[k * 4]);
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
    if (!make(&w, op, SCANBENCH_F32, shape, 0))
        return;
    CHECK(!cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(!launch(&w, stream) && !cudaStreamSynchronize(stream));
    CHECK_FOR(wrong_in(&w) == 0, "stream, op %x by %s", op, w.plan.variant);
    CHECK(!cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(!launch(&w, stream) && !cudaStreamEndCapture(stream, &graph));
    CHECK(!cudaGraphInstantiate(&ready, graph, 0));
    for (int k = 0; k < 3; ++k) {
        memset(w.out, 0xff, (size_t)w.outs * w.out_bytes);
        memset(w.workspace, 0x5a + k, w.plan.workspace_bytes);
        CHECK(!cudaGraphLaunch(ready, stream) &&
              !cudaStreamSynchronize(stream));
        CHECK_FOR(wrong_in(&w) == 0, "graph, op %x by %s", op, w.plan.variant);
    }
    CHECK(!cudaGraphExecDestroy(ready) && !cudaGraphDestroy(graph) &&
          !cudaStreamDestroy(stream));
    drop(&w, 0);
}

static void check_graphs(void)
{
    for (int k = 0; k < op_count; ++k) {
        check_graph(ops[k], (struct scanbench_shape){ 1, 3000001, 1 });
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
#else
        return 77;
#endif
    }
    list_ops();
    check_first_plans();
    check_results();
    check_refusals();
    check_nothing();
    check_threads();
#ifdef SCANBENCH_CUDA
    if (device != SCANBENCH_HOST)
        check_graphs();
#endif
    return test_end();
}
