/* SPDX-License-Identifier: MIT
 *
 * The device's inputs and verifications against the host's, element by element:
 * on right results, and on results with planted errors.
 */
#include "harness/device/device.h"
#include "harness/device/kernels.h"

#include "src/base/test.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shape shapes[] = {
    { 1, 1, 1 },     { 3, 255, 1 }, { 2, 257, 3 },    { 1, 12345, 1 },
    { 5, 1, 130 },   { 300, 2, 5 }, { 1, 131073, 1 }, { 2, 600, 33 },
    { 1, 32769, 1 }, { 3, 64, 1 },  { 5, 63, 1 },     { 4, 4095, 1 },
    { 7, 1024, 1 },  { 70, 3, 1 },  { 2, 256, 40 },
};

static const struct variant tiled = { .error_growth = ERROR_TILED,
                                      .error_tile = 1024 };
static const struct variant cancelling = { .error_growth = ERROR_CANCELLING };

/* Host and device copies of one problem. */
struct pair {
    struct problem host, device;
    size_t in_bytes, mask_bytes, out_bytes;
};

static void *device_memory(size_t bytes)
{
    void *memory = NULL;
    CHECK(cudaMalloc(&memory, bytes + 8) == cudaSuccess);
    return memory;
}

static struct pair make_pair(enum op op, enum dtype dtype, struct shape shape)
{
    struct pair pair = { 0 };
    pair.in_bytes = (size_t)shape_elems(shape) * dtype_bytes(dtype);
    pair.mask_bytes = (size_t)shape_elems(shape);
    pair.out_bytes = (size_t)op_out_bytes(op, dtype, shape);
    pair.host = (struct problem){ .op = op,
                                  .dtype = dtype,
                                  .shape = shape,
                                  .in = calloc(1, pair.in_bytes + 8),
                                  .mask = calloc(1, pair.mask_bytes + 8),
                                  .out = calloc(1, pair.out_bytes + 8),
                                  .in2 = calloc(1, pair.in_bytes + 8),
                                  .initial = calloc(1, pair.in_bytes + 8) };
    pair.device = pair.host;
    pair.device.in = device_memory(pair.in_bytes);
    pair.device.mask = device_memory(pair.mask_bytes);
    pair.device.out = device_memory(pair.out_bytes);
    pair.device.in2 = device_memory(pair.in_bytes);
    pair.device.initial = device_memory(pair.in_bytes);
    return pair;
}

static void free_pair(struct pair *pair)
{
    free((void *)pair->host.in);
    free((void *)pair->host.mask);
    free(pair->host.out);
    free((void *)pair->host.in2);
    free((void *)pair->host.initial);
    cudaFree((void *)pair->device.in);
    cudaFree((void *)pair->device.mask);
    cudaFree(pair->device.out);
    cudaFree((void *)pair->device.in2);
    cudaFree((void *)pair->device.initial);
}

/* Copies an element's bits, or 0 where it is masked off, joined with those of
 * the second input. */
static void move(const struct problem *p, int64_t from, int64_t to)
{
    const size_t bytes = dtype_bytes(p->dtype);
    char *out = (char *)p->out + (size_t)to * bytes;
    memset(out, 0, bytes);
    if (p->op != OP_MASKED_COPY || p->mask[from])
        memcpy(out, (const char *)p->in + (size_t)from * bytes, bytes);
    for (size_t k = 0; k < bytes && p->op == OP_COPY_XOR; ++k)
        out[k] ^= ((const char *)p->in2)[(size_t)from * bytes + k];
}

/* Leaves out low beside an infinite high, where it is NaN. */
static double total(struct two_sum sum)
{
    return isfinite(sum.high) ? two_sum_value(sum) : sum.high;
}

/* A line's elements, combined. */
struct combined {
    struct two_sum sum;
    long double product;
    double best; /* the largest, of the elements or of their negatives */
    struct affine state;
};

static double result(enum op op, struct combined all, int64_t count)
{
    return op_may_start(op)                ? affine_value(all.state)
           : op_adds(op)                   ? total(all.sum)
           : op == OP_MEAN                 ? total(all.sum) / (double)count
           : op_reducer(op) == REDUCER_MUL ? (double)all.product
           : op_reducer(op) == REDUCER_MIN ? -all.best
                                           : all.best;
}

static void add_element(enum op op, struct combined *all, double x)
{
    const double y = op_reducer(op) == REDUCER_MIN ? -x : x;
    all->sum = two_sum_add(all->sum, x);
    all->product *= x;
    all->best = isnan(all->best) || all->best > y ? all->best : y;
}

/* The right output but for the last rounding, by the plainest loop. */
static void solve(struct pair *pair)
{
    const struct problem *p = &pair->host;
    const struct shape s = p->shape;
    for (int64_t line = 0; line < shape_lines(s); ++line) {
        const int64_t first =
            line / s.inner * s.axis * s.inner + line % s.inner;
        struct combined all = { .product = 1, .best = -INFINITY };
        if (op_may_start(p->op))
            all.state.b = dtype_load(p->dtype, p->initial, line);
        for (int64_t step = 0; step < s.axis; ++step) {
            const int64_t a = op_is_reverse(p->op) ? s.axis - 1 - step : step;
            const int64_t index = first + a * s.inner;
            const struct combined before = all;
            if (!op_has_mask(p->op) || p->mask[index])
                add_element(p->op, &all, dtype_load(p->dtype, p->in, index));
            if (op_may_start(p->op))
                all.state = affine_combine(
                    all.state,
                    affine_of(dtype_load(p->dtype, p->in, index),
                              dtype_load(p->dtype, p->in2, index), 1));
            if (op_is_scan(p->op))
                dtype_store(
                    p->dtype, p->out, index,
                    result(p->op, op_is_exclusive(p->op) ? before : all, step));
            else if (p->op == OP_FLIP)
                move(p, index, first + (s.axis - 1 - a) * s.inner);
            else if (op_kind(p->op) == KIND_COPY || p->op == OP_COPY_XOR)
                move(p, index, index);
        }
        if (op_is_reduction(p->op))
            dtype_store(p->dtype, p->out, line, result(p->op, all, s.axis));
    }
    if (p->op == OP_READ) { /* all in one slot */
        memset(p->out, 0, pair->out_bytes);
        for (int64_t index = 0; index < shape_elems(s); ++index) {
            uint64_t bits = 0;
            const size_t bytes = dtype_bytes(p->dtype);
            memcpy(&bits, (const char *)p->in + (size_t)index * bytes, bytes);
            *(uint32_t *)p->out ^= verify_word(p->dtype, bits, index);
        }
    }
    if (p->op == OP_WRITE)
        memset(p->out, WRITE_BYTE, pair->out_bytes);
}

/* Runs both verifiers on the contents of host.out. */
static void compare_verifications(struct pair *pair,
                                  const struct variant *variant,
                                  struct input input)
{
    struct verification host = verify_host(&pair->host, variant, input), device;
    CHECK(cudaMemcpy(pair->device.out, pair->host.out, pair->out_bytes,
                     cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(!kernels_check(&pair->device, variant, input, &device));
    CHECK(host.checked == device.checked);
    CHECK(host.wrong == device.wrong);
    CHECK(host.first_wrong == device.first_wrong);
    CHECK(host.bound == device.bound);
    CHECK(host.input_changed == device.input_changed);
    CHECK_FOR(host.max_error == device.max_error ||
                  fabs(host.max_error - device.max_error) <=
                      1e-6 * host.max_error + 1e-6,
              "%s %s axis %lld, input %d: host %g, device %g",
              op_name(pair->host.op), dtype_name(pair->host.dtype),
              (long long)pair->host.shape.axis, (int)input.kind, host.max_error,
              device.max_error);
}

static void plant(struct pair *pair, int64_t index, double value)
{
    dtype_store(pair->host.dtype, pair->host.out, index, value);
}

static void copy_input(struct pair *pair)
{
    CHECK(cudaMemcpy((void *)pair->device.in, pair->host.in, pair->in_bytes,
                     cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy((void *)pair->device.mask, pair->host.mask,
                     pair->mask_bytes, cudaMemcpyHostToDevice) == cudaSuccess);
    CHECK(cudaMemcpy((void *)pair->device.in2, pair->host.in2, pair->in_bytes,
                     cudaMemcpyHostToDevice) == cudaSuccess);
}

static void flip_bit(void *array, size_t bytes, size_t at, int bit)
{
    ((unsigned char *)array)[at % bytes] ^= (unsigned char)(1 << bit % 8);
}

/* Plants single errors all over a warp's lanes, its vectors and its last chunk:
 * the device has to find the same as the host, within rounding. */
static void test_places(struct pair *pair, struct input input, int outputs_hit,
                        int inputs_hit)
{
    const struct problem *p = &pair->host;
    const int64_t outputs = op_out_elems(p->op, p->shape);
    const int64_t elems = shape_elems(p->shape);
    const size_t bytes = dtype_bytes(p->dtype);
    uint64_t kept = 0;
    for (int k = 0; k < outputs_hit && p->op != OP_READ; ++k) {
        const int64_t at =
            (int64_t)(split_mix_hash((uint64_t)k) >> 1) % outputs;
        char *element = (char *)p->out + (size_t)at * bytes;
        memcpy(&kept, element, bytes);
        const int bit = k * 3 % (8 * (int)bytes); /* errors of all sizes */
        flip_bit(element, bytes, (size_t)bit / 8, bit);
        compare_verifications(pair, &tiled, input);
        memcpy(element, &kept, bytes);
    }
    for (int k = 0; k < inputs_hit && op_has_input(p->op); ++k) {
        const size_t in = (size_t)(split_mix_hash((uint64_t)k) >> 1) %
                          ((size_t)elems * bytes);
        const void *const arrays[] = { p->in,
                                       op_inputs(p->op) == 2 ? p->in2 : NULL,
                                       op_has_mask(p->op) ? p->mask : NULL };
        for (int n = 0; n < 3; ++n) {
            const size_t size = n < 2 ? pair->in_bytes : pair->mask_bytes;
            if (!arrays[n])
                continue;
            flip_bit((void *)arrays[n], size, in, n < 2 ? k : 0);
            copy_input(pair);
            compare_verifications(pair, &tiled, input);
            flip_bit((void *)arrays[n], size, in, n < 2 ? k : 0);
        }
    }
    copy_input(pair);
}

/* The device's input has the host's bits. */
static void compare_inputs(const struct pair *pair)
{
    void *back = malloc(pair->in_bytes + 8);
    CHECK(cudaMemcpy(back, pair->device.in, pair->in_bytes,
                     cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(!op_has_input(pair->host.op) ||
          memcmp(back, pair->host.in, pair->in_bytes) == 0);
    CHECK(cudaMemcpy(back, pair->device.in2, pair->in_bytes,
                     cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(op_inputs(pair->host.op) < 2 ||
          memcmp(back, pair->host.in2, pair->in_bytes) == 0);
    free(back);
}

/* Host and device make the same input, and find its result right. */
static void test_right(struct pair *pair, struct input input)
{
    verify_fill(&pair->host, input, (void *)pair->host.in,
                (uint8_t *)pair->host.mask);
    CHECK(!kernels_fill(&pair->device, input));
    compare_inputs(pair);
    if (input.version) { /* there and back */
        CHECK(!kernels_change(&pair->device, input.version, 0));
        CHECK(!kernels_change(&pair->device, 0, input.version + 1));
        CHECK(!kernels_change(&pair->device, input.version + 1, input.version));
        compare_inputs(pair);
    }
    solve(pair);
    compare_verifications(pair, &tiled, input);
    /* Elsewhere no error is measured against anything. */
    if (input.kind == INPUT_REAL && op_adds(pair->host.op))
        compare_verifications(pair, &cancelling, input);
}

/* Changed input is compared as any real one; its sums are not. */
static void test_wrong(struct pair *pair, struct input input)
{
    const int64_t outputs = op_out_elems(pair->host.op, pair->host.shape);
    /* All definitions share one walk. */
    const bool few = input.version || op_reducer(pair->host.op) > REDUCER_ADD;
    test_places(pair, input, few ? 3 : 10, few ? input.version == 0 : 4);
    if (pair->host.op == OP_READ || pair->host.op == OP_WRITE)
        return;
    plant(pair, outputs / 2, 12345);
    plant(pair, outputs - 1, NAN);
    compare_verifications(pair, &tiled, input);

    /* An input that changed on both sides. */
    const int64_t at = shape_elems(pair->host.shape) / 3;
    dtype_store(pair->host.dtype, (void *)pair->host.in, at, 77);
    CHECK(cudaMemcpy((void *)pair->device.in, pair->host.in, pair->in_bytes,
                     cudaMemcpyHostToDevice) == cudaSuccess);
    compare_verifications(pair, &tiled, input);
}

static void test_pair(struct pair *pair, bool planted)
{
    const enum op op = pair->host.op;
    for (int kind = 0; kind < INPUT_KINDS; ++kind) {
        const struct input input = { (enum input_kind)kind, 0 };
        if (!input_serves(input.kind, op, pair->host.dtype) ||
            (!op_has_input(op) && kind != INPUT_REAL))
            continue;
        test_right(pair, input);
        if (planted)
            test_wrong(pair, input);
    }
    if (!op_rounds(op, pair->host.dtype))
        return; /* only the input depends on the version */
    test_right(pair, (struct input){ INPUT_REAL, 4711 });
    if (planted)
        test_wrong(pair, (struct input){ INPUT_REAL, 4711 });
    test_right(pair, (struct input){ INPUT_REAL, 42 });
}

/* One byte is enough, in any guard, at either end; and once it is mended,
 * nothing is found any more. */
static void test_guards(void)
{
    enum { BYTES = MOST_GUARDS * (GUARD_BYTES + 3) };
    struct guards guards = { .count = MOST_GUARDS };
    unsigned char *memory = device_memory(BYTES);
    static const char where[MOST_GUARDS];
    const char *found;
    for (int k = 0; k < MOST_GUARDS; ++k)
        guards.at[k] =
            (struct guard){ memory + k * (GUARD_BYTES + 3) + 1,
                            (unsigned char)(k % 2 ? 0xc3 : 0xff), where + k };
    CHECK(cudaMemset(memory, 0x5a, BYTES) == cudaSuccess);
    CHECK(!kernels_check_guards(&guards, &found) && found == where);
    CHECK(!kernels_write_guards(&guards));
    for (int k = 0; k < MOST_GUARDS; ++k)
        for (int end = 0; end < 2; ++end) {
            const struct guards own = { 1, { guards.at[k] } };
            unsigned char *at = own.at->memory + (end ? GUARD_BYTES - 1 : 0),
                          beside = 0;
            CHECK(cudaMemcpy(&beside, at + (end ? 1 : -1), 1,
                             cudaMemcpyDeviceToHost) == cudaSuccess);
            CHECK(beside == 0x5a);
            CHECK(!kernels_check_guards(&guards, &found) && !found);
            CHECK(cudaMemset(at, 0, 1) == cudaSuccess);
            CHECK(!kernels_check_guards(&guards, &found) && found == where + k);
            CHECK(!kernels_write_guards(&own));
        }
    cudaFree(memory);
}

/* The device's fingerprint is the host's, and every bit counts in it. */
static void test_fingerprints(void)
{
    enum { BYTES = 100002 };
    unsigned char *host = calloc(1, BYTES + 16);
    char *device = device_memory(BYTES + 16);
    for (int k = 0; k < BYTES; ++k)
        host[k] = (unsigned char)split_mix_hash((uint64_t)k);
    CHECK(cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice) ==
          cudaSuccess);
    for (int offset = 0; offset <= 2; offset += 2) {
        uint64_t of_device = 0, of_host = 1, of_changed = 0;
        const size_t bytes = (size_t)(BYTES - offset);
        /* Aligned as the device's. */
        CHECK(!kernels_fingerprint(device + offset, bytes, &of_device));
        CHECK(!device_host.fingerprint(host + offset, bytes, &of_host));
        CHECK((uintptr_t)host % 16 != 0 || of_device == of_host);
        host[BYTES - 1] ^= 1;
        CHECK(!device_host.fingerprint(host + offset, bytes, &of_changed));
        CHECK(of_changed != of_host);
        host[BYTES - 1] ^= 1;
    }
    free(host);
    cudaFree(device);
}

/* A bit for each distribution that a shape of one line has. */
static unsigned single_line_distributions(void)
{
    unsigned seen = 0;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k)
        if (shape_lines(shapes[k]) == 1)
            seen |= 1u << input_line_of((struct input){ INPUT_REAL, 0 },
                                        DTYPE_F32, false, shapes[k], 0)
                              .distribution;
    return seen;
}

int main(void)
{
    CHECK(single_line_distributions() == 7);
    int count;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0)
        return getenv("SCANBENCH_REQUIRE_GPU") ? 1 : 77;
    for (int op = 0; op < op_count(); ++op)
        for (int dtype = 0; dtype <= DTYPE_BF16; ++dtype)
            for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
                /* The definitions share their walk: each has some shapes.
                 * Errors are planted for one type at each shape. */
                const bool turn = (k + (size_t)op + (size_t)dtype) % 4 == 0;
                if ((op_reducer(op_at(op)) > REDUCER_ADD && !turn) ||
                    !op_has_dtype(op_at(op), (enum dtype)dtype))
                    continue;
                struct pair pair =
                    make_pair(op_at(op), (enum dtype)dtype, shapes[k]);
                test_pair(&pair, turn);
                free_pair(&pair);
            }
    test_fingerprints();
    test_guards();
    kernels_forget();
    return test_end();
}
