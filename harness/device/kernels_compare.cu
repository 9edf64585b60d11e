/* SPDX-License-Identifier: MIT
 *
 * The comparison of every output element with the reference.
 */
#include "harness/device/cuda_error.h"
#include "harness/device/kernels_defined.h"

#include <vector>

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

/* Steps whose loads are all in flight before the first is judged. */
constexpr int kAhead = 8;

/* Compares one chunk of a line. The loads of kAhead steps go first: where inner
 * is 1, a thread's chunk is contiguous, and its loads share sectors while those
 * are still in the L1. */
template <enum dtype D>
static __device__ void compare_chunk(const walk &w, int64_t o, int64_t i,
                                     int64_t first, int64_t end, total before,
                                     double whole, bool cancelling, bool exact,
                                     double bound, seen *s, bool *changed)
{
    const struct shape shape = w.p.shape;
    const struct input_line l = line_of(w, o * shape.inner + i);
    const bool exclusive = op_is_exclusive(w.p.op);
    for (int64_t base = first; base < end; base += kAhead) {
        double y[kAhead];
        uint64_t memory[kAhead];
        uint8_t mask[kAhead];
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            const int64_t step = min(base + k, end - 1);
            const int64_t a = w.reverse ? shape.axis - 1 - step : step;
            const int64_t index = (o * shape.axis + a) * shape.inner + i;
            y[k] = dtype_load(D, w.p.out, index);
            memory[k] = bits_at<D>(w.p.in, index);
            mask[k] = w.masked ? w.p.mask[index] : 1;
        }
#pragma unroll
        for (int k = 0; k < kAhead; ++k) {
            const int64_t step = base + k;
            if (step >= end)
                break;
            const int64_t a = w.reverse ? shape.axis - 1 - step : step;
            const int64_t index = (o * shape.axis + a) * shape.inner + i;
            uint64_t bits;
            double x = input_at<D>(l, a, index, &bits);
            *changed |= bits != memory[k];
            if (w.masked) {
                const uint8_t m = input_mask(l, a, (uint64_t)index);
                *changed |= m != mask[k];
                x = m ? x : 0;
            }
            total upto = before;
            upto.sum = two_sum_add(before.sum, x);
            upto.magnitude += fabs(x);
            const double r = two_sum_value(exclusive ? before.sum : upto.sum);
            const double against = cancelling  ? whole
                                   : exclusive ? before.magnitude
                                               : upto.magnitude;
            judge(s, bound, index, verify_error(D, exact, y[k], r, against));
            before = upto;
        }
    }
}

template <enum dtype D>
static __global__ void compare_scan(const __grid_constant__ walk w,
                                    const total *prefixes, const total *whole,
                                    bool cancelling, bool exact, double bound,
                                    gathered *g)
{
    const struct shape shape = w.p.shape;
    seen s = { 0, 0, kNone, 0 };
    bool changed = false;
    for (GRID_STRIDE(item, shape.outer * w.chunks * shape.inner)) {
        const auto [o, c, i] = place_of(item, w.chunks, shape.inner);
        const int64_t line = o * shape.inner + i;
        double magnitude = 0;
        if (cancelling)
            magnitude = whole ? whole[line].magnitude
                              : span_total<D>(w, o, i, 0, shape.axis).magnitude;
        total before = {};
        if (prefixes)
            before = prefixes[item];
        compare_chunk<D>(w, o, i, c * kChunk, min((c + 1) * kChunk, shape.axis),
                         before, magnitude, cancelling, exact, bound, &s,
                         &changed);
    }
    if (changed)
        g->input_changed = 1;
    gather(s, g);
}

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

template <enum dtype D>
static __global__ void compare_moves(walk w, gathered *g)
{
    const struct shape shape = w.p.shape;
    seen s = { 0, 0, kNone, 0 };
    for (GRID_STRIDE(index, w.elems)) {
        uint64_t want =
            0x0101010101010101u * WRITE_BYTE >> (64 - 8 * dtype_bytes(D));
        if (w.p.op != OP_WRITE) {
            int64_t line, a;
            locate(w, index, &line, &a);
            const int64_t from = w.reverse ? shape.axis - 1 - a : a;
            const int64_t at = index + (from - a) * shape.inner;
            const struct input_line l = line_of(w, line);
            want = w.masked && !input_mask(l, from, (uint64_t)at)
                       ? 0
                       : input_bits(D, l, from, (uint64_t)at);
        }
        judge(&s, 0, index, bits_at<D>(w.p.out, index) == want ? 0 : kInfinite);
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

/* Compares the input with its definition, and takes read's checksum of it. */
template <enum dtype D>
static __global__ void compare_input(walk w, gathered *g)
{
    unsigned word = 0, changed = 0;
    for (GRID_STRIDE(index, w.elems)) {
        int64_t line, a;
        uint64_t bits;
        locate(w, index, &line, &a);
        const struct input_line l = line_of(w, line);
        input_at<D>(l, a, index, &bits);
        changed |= bits_at<D>(w.p.in, index) != bits;
        if (w.masked)
            changed |= w.p.mask[index] != input_mask(l, a, (uint64_t)index);
        word ^= verify_word(D, bits, index);
    }
    if (changed)
        g->input_changed = 1;
    for (int lanes = 16; lanes; lanes /= 2)
        word ^= __shfl_xor_sync(0xffffffffu, word, lanes);
    if (threadIdx.x % 32 == 0)
        atomicXor(&g->expected_word, word);
}

static __global__ void fold_slots(const unsigned *slots, gathered *g)
{
    unsigned word = 0;
    for (int slot = threadIdx.x; slot < READ_SLOTS; slot += kThreads)
        word ^= slots[slot];
    atomicXor(&g->found_word, word);
}

/* A comparison of one kind of input: of the special one, or with the exact
 * result, or within a bound; by quick_check(), or else by the kernels above. */
struct way {
    bool special, exact, quick;
    double bound;
};

static int compare(const walk &w, const struct variant *variant, way way,
                   gathered *g)
{
    const enum op op = w.p.op;
    const bool sums = op_adds(op), scans = op_is_scan(op) && !way.special;
    const bool cancelling = variant->error_growth == ERROR_CANCELLING;
    const unsigned blocks = (unsigned)blocks_for(w.elems);
    const int64_t lines = shape_lines(w.p.shape);
    const struct reference none = {}, *r = &none;
    if (reducer_of(op))
        return defined_check(w, g);
    if (sums && w.elems > 0 && !way.special &&
        !(way.exact && (way.quick || op_is_reduction(op)))) {
        const int error = reference_of(w, &r);
        if (error)
            return error;
    }
    with_dtype(w.p.dtype, [&](auto d) {
        constexpr enum dtype kDtype = decltype(d)::value;
        if (way.special)
            compare_special<kDtype>
                <<<blocks, kThreads>>>(w, variant->loses_subnormals, g);
        else if (op_is_reduction(op))
            compare_sum<kDtype><<<(unsigned)blocks_for(lines), kThreads>>>(
                w, r->whole, way.exact, way.bound, g);
        else if (op == OP_READ)
            fold_slots<<<1, kThreads>>>((const unsigned *)w.p.out, g);
        else if (scans && !way.quick)
            compare_scan<kDtype>
                <<<(unsigned)blocks_for(lines * w.chunks), kThreads>>>(
                    w, r->prefixes, r->whole, cancelling, way.exact, way.bound,
                    g);
        else if (!scans && !way.quick)
            compare_moves<kDtype><<<blocks, kThreads>>>(w, g);
        /* compare_scan() includes the input. */
        if (op_has_input(op) && !scans && !way.quick && w.elems > 0)
            compare_input<kDtype><<<blocks, kThreads>>>(w, g);
    });
    return way.quick ? quick_check(w, r, cancelling, way.bound, g)
                     : (int)cudaGetLastError();
}

static __device__ gathered on_device;

/* Compares once, and copies what was gathered to the host. */
static int gather_all(const walk &w, const struct variant *variant, way way,
                      gathered *found)
{
    gathered *g;
    *found = {};
    found->first_wrong = kNone;
    int error = cudaGetSymbolAddress((void **)&g, on_device);
    if (!error)
        error = cudaMemcpy(g, found, sizeof *g, cudaMemcpyHostToDevice);
    if (!error)
        error = compare(w, variant, way, g);
    if (!error)
        error = cudaMemcpy(found, g, sizeof *g, cudaMemcpyDeviceToHost);
    return error;
}

static int64_t slow_checks;

int64_t kernels_slow_checks(void)
{
    return slow_checks;
}

/* Checks what a plugin's reducer defines, from copies on the host. */
static const char *check_on_host(const struct problem *problem,
                                 const struct variant *variant,
                                 struct input input,
                                 struct verification *result)
{
    const size_t elems = (size_t)shape_elems(problem->shape);
    const size_t in_bytes = elems * dtype_bytes(problem->dtype);
    const size_t out_bytes =
        (size_t)op_out_bytes(problem->op, problem->dtype, problem->shape);
    std::vector<char> in(in_bytes), mask(problem->mask ? elems : 0),
        out(out_bytes);
    TRY(cudaMemcpy(in.data(), problem->in, in_bytes, cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(mask.data(), problem->mask, mask.size(),
                   cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(out.data(), problem->out, out_bytes,
                   cudaMemcpyDeviceToHost));
    struct problem copy = *problem;
    copy.in = in.data();
    copy.mask = (const uint8_t *)mask.data();
    copy.out = out.data();
    *result = verify_host(&copy, variant, input);
    return NULL;
}

const char *kernels_check(const struct problem *problem,
                          const struct variant *variant, struct input input,
                          struct verification *result)
{
    if (op_reducer(problem->op) >= REDUCER_PLUGIN)
        return check_on_host(problem, variant, input, result);
    const walk w = walk_of(problem, input);
    const bool sums = op_adds(problem->op);
    way way = {};
    way.special = sums && input.kind == INPUT_SPECIAL && w.elems > 0;
    way.exact = input.kind != INPUT_REAL || !sums;
    way.quick = op_has_input(problem->op) && w.elems > 0 && !way.special &&
                !reducer_of(problem->op);
    way.bound = way.exact ? 0 : verify_bound(variant, problem->shape.axis);
    gathered found;
    TRY(gather_all(w, variant, way, &found));
    if (way.quick && found.doubts) {
        ++slow_checks;
        way.quick = false;
        TRY(gather_all(w, variant, way, &found));
    }

    *result = {};
    result->checked = (int64_t)found.checked;
    result->wrong = (int64_t)found.wrong;
    result->first_wrong =
        found.first_wrong == kNone ? -1 : (int64_t)found.first_wrong;
    memcpy(&result->max_error, &found.max_error_bits, sizeof(double));
    result->bound = way.bound;
    result->input_changed = found.input_changed;
    if (problem->op == OP_READ) {
        result->checked = READ_SLOTS;
        result->wrong = found.expected_word != found.found_word;
        result->first_wrong = result->wrong ? 0 : -1;
    }
    return NULL;
}
