/* SPDX-License-Identifier: MIT
 *
 * The comparison of every output element with the reference, and, if there are
 * doubts, on the host.
 */
#include "harness/device/cuda_error.h"
#include "harness/device/kernels_defined.h"

#include <stdlib.h>

/* One thread's results; each warp adds its sum to the whole. */
struct seen {
    unsigned long long checked, wrong, first_wrong;
    double max_error;
};

static __device__ void judge(seen *s, double bound, int64_t index, double error)
{
    ++s->checked;
    s->max_error = fmax(s->max_error, error);
    if (error <= bound)
        return;
    ++s->wrong;
    s->first_wrong = min(s->first_wrong, (unsigned long long)index);
}

/* Called by whole warps; the first lane adds for all. */
static __device__ void gather(seen s, gathered *g)
{
    for (int lanes = 16; lanes; lanes /= 2) {
        s.checked += __shfl_xor_sync(0xffffffffu, s.checked, lanes);
        s.wrong += __shfl_xor_sync(0xffffffffu, s.wrong, lanes);
        s.first_wrong = min(s.first_wrong,
                            __shfl_xor_sync(0xffffffffu, s.first_wrong, lanes));
        s.max_error =
            fmax(s.max_error, __shfl_xor_sync(0xffffffffu, s.max_error, lanes));
    }
    if (threadIdx.x % 32)
        return;
    atomicAdd(&g->checked, s.checked);
    if (s.wrong) {
        atomicAdd(&g->wrong, s.wrong);
        atomicMin(&g->first_wrong, s.first_wrong);
    }
    if (s.max_error > 0)
        atomicMax(&g->max_error_bits,
                  (unsigned long long)__double_as_longlong(s.max_error));
}

constexpr unsigned long long kNone = ~0ull;
constexpr double kInfinite = HUGE_VAL;

template <enum dtype D>
static __global__ void compare_sum(walk w, const total *whole, bool exact,
                                   double bound, gathered *g)
{
    seen s = { 0, 0, kNone, 0 };
    for (GRID_STRIDE(line, w.p.shape.outer * w.p.shape.inner)) {
        total r = {};
        if (exact) /* it telescopes */
            r.sum.high =
                (double)input_level(line_of(w, line), w.p.shape.axis - 1);
        else if (whole)
            r = whole[line];
        else
            r = span_total<D>(w, line / w.p.shape.inner, line % w.p.shape.inner,
                              0, w.p.shape.axis);
        judge(&s, bound, line,
              verify_error(D, exact, dtype_load(D, w.p.out, line),
                           two_sum_value(r.sum), r.magnitude));
    }
    gather(s, g);
}

static __global__ void compare_written(const uint8_t *out, int64_t elems,
                                       int bytes, gathered *g)
{
    seen s = { 0, 0, kNone, 0 };
    for (GRID_STRIDE(index, elems)) {
        bool right = true;
        for (int k = 0; k < bytes; ++k)
            right &= out[index * bytes + k] == WRITE_BYTE;
        judge(&s, 0, index, right ? 0 : kInfinite);
    }
    gather(s, g);
}

/* Compares the special input's sums. */
template <enum dtype D>
static __global__ void compare_special(walk w, bool loses_subnormals,
                                       gathered *g)
{
    const struct shape shape = w.p.shape;
    const bool sums = op_is_reduction(w.p.op);
    seen s = { 0, 0, kNone, 0 };
    for (GRID_STRIDE(at, sums ? shape.outer * shape.inner : w.elems)) {
        int64_t line = at, a = shape.axis - 1;
        if (!sums)
            locate(w, at, &line, &a);
        const struct input_line l = line_of(w, line);
        const uint64_t index = sums ? input_index(l, a) : (uint64_t)at;
        const bool right =
            !verify_is_asked(loses_subnormals, l) ||
            verify_special(D, w.p.op, l, a, index, bits_at<D>(w.p.out, at));
        judge(&s, 0, at, right ? 0 : kInfinite);
    }
    gather(s, g);
}

/* Compares the special input with its definition. */
template <enum dtype D>
static __global__ void compare_input(walk w, gathered *g)
{
    bool changed = false;
    for (GRID_STRIDE(index, w.elems)) {
        int64_t line, a;
        uint64_t bits;
        locate(w, index, &line, &a);
        const struct input_line l = line_of(w, line);
        input_at<D>(l, a, index, &bits);
        changed |= bits_at<D>(w.p.in, index) != bits;
        if (w.masked)
            changed |= w.p.mask[index] != input_mask(l, a, (uint64_t)index);
    }
    if (changed)
        g->input_changed = 1;
}

static __global__ void fold_slots(const unsigned *slots, gathered *g)
{
    unsigned word = 0;
    for (int slot = threadIdx.x; slot < READ_SLOTS; slot += kThreads)
        word ^= slots[slot];
    atomicXor(&g->found_word, word);
}

/* Compares with the special result, the exact one, or within a bound. */
static int compare(const walk &w, const struct variant *variant, bool special,
                   bool exact, double bound, gathered *g)
{
    const enum op op = w.p.op;
    const unsigned blocks = (unsigned)blocks_for(w.elems);
    const int64_t lines = shape_lines(w.p.shape);
    const struct reference none = {}, *r = &none;
    if (reducer_of(op))
        return defined_check(w, g);
    if (op_adds(op) && w.elems > 0 && !special &&
        !(exact && op_is_reduction(op))) {
        const int error = reference_of(w, &r);
        if (error)
            return error;
    }
    with_dtype(w.p.dtype, [&](auto d) {
        constexpr enum dtype kDtype = decltype(d)::value;
        if (special) {
            compare_special<kDtype>
                <<<blocks, kThreads>>>(w, variant->loses_subnormals, g);
            compare_input<kDtype><<<blocks, kThreads>>>(w, g);
        } else if (op_is_reduction(op))
            compare_sum<kDtype><<<(unsigned)blocks_for(lines), kThreads>>>(
                w, r->whole, exact, bound, g);
    });
    if (op == OP_READ)
        fold_slots<<<1, kThreads>>>((const unsigned *)w.p.out, g);
    else if (op == OP_WRITE)
        compare_written<<<blocks, kThreads>>>((const uint8_t *)w.p.out, w.elems,
                                              (int)dtype_bytes(w.p.dtype), g);
    return op_has_input(op) && w.elems > 0 && !special
               ? quick_check(w, r, variant->error_growth == ERROR_CANCELLING,
                             bound, g)
               : (int)cudaGetLastError();
}

static __device__ gathered on_device;

/* Compares, and copies what was gathered to the host. */
static int gather_all(const walk &w, const struct variant *variant,
                      bool special, bool exact, double bound, gathered *found)
{
    gathered *g;
    *found = {};
    found->first_wrong = kNone;
    int error = cudaGetSymbolAddress((void **)&g, on_device);
    if (!error)
        error = cudaMemcpy(g, found, sizeof *g, cudaMemcpyHostToDevice);
    if (!error)
        error = compare(w, variant, special, exact, bound, g);
    if (!error)
        error = cudaMemcpy(found, g, sizeof *g, cudaMemcpyDeviceToHost);
    return error;
}

int64_t kernels_slow_checks;

/* Verifies copies on the host: what a plugin's reducer defines, and what may be
 * wrong. */
static const char *check_on_host(const struct problem *problem,
                                 const struct variant *variant,
                                 struct input input,
                                 struct verification *result)
{
    const size_t elems = (size_t)shape_elems(problem->shape);
    const size_t in_bytes = elems * dtype_bytes(problem->dtype);
    const size_t mask_bytes = problem->mask ? elems : 0;
    const size_t out_bytes =
        (size_t)op_out_bytes(problem->op, problem->dtype, problem->shape);
    char *out = (char *)malloc(out_bytes + in_bytes + mask_bytes + 1);
    if (!out)
        return "the host has no memory to verify the output";
    char *in = out + out_bytes, *mask = in + in_bytes;
    struct problem copy = *problem;
    copy.in = in;
    copy.mask = (const uint8_t *)mask;
    copy.out = out;
    int error =
        cudaMemcpy(out, problem->out, out_bytes, cudaMemcpyDeviceToHost);
    if (!error && op_has_input(problem->op))
        error = cudaMemcpy(in, problem->in, in_bytes, cudaMemcpyDeviceToHost);
    if (!error)
        error =
            cudaMemcpy(mask, problem->mask, mask_bytes, cudaMemcpyDeviceToHost);
    if (!error)
        *result = verify_host(&copy, variant, input);
    free(out);
    return cuda_error_text(error);
}

const char *kernels_check(const struct problem *problem,
                          const struct variant *variant, struct input input,
                          struct verification *result)
{
    if (op_reducer(problem->op) >= REDUCER_PLUGIN)
        return check_on_host(problem, variant, input, result);
    const walk w = walk_of(problem, input);
    const bool sums = op_adds(problem->op);
    const bool special = sums && input.kind == INPUT_SPECIAL && w.elems > 0;
    const bool exact = input.kind != INPUT_REAL || !sums;
    const double bound = exact ? 0 : verify_bound(variant, problem->shape.axis);
    gathered found;
    TRY(gather_all(w, variant, special, exact, bound, &found));
    if (found.doubts) {
        ++kernels_slow_checks;
        return check_on_host(problem, variant, input, result);
    }

    *result = {};
    result->checked = (int64_t)found.checked;
    result->wrong = (int64_t)found.wrong;
    result->first_wrong =
        found.first_wrong == kNone ? -1 : (int64_t)found.first_wrong;
    memcpy(&result->max_error, &found.max_error_bits, sizeof(double));
    result->bound = bound;
    result->input_changed = found.input_changed;
    if (problem->op == OP_READ) {
        result->checked = READ_SLOTS;
        result->wrong = found.expected_word != found.found_word;
        result->first_wrong = result->wrong ? 0 : -1;
    }
    return NULL;
}
