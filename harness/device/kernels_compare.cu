/* SPDX-License-Identifier: MIT
 *
 * The comparison of every output element with its definition.
 */
#include "harness/device/cuda_error.h"
#include "harness/device/kernels_defined.h"

#include "src/verify/float_mode.h"

#include <stdlib.h>

constexpr double kInfinite = HUGE_VAL;

/* The bits that a move stores of an element with these bits. */
template <enum dtype D>
static __device__ uint64_t moved(const walk &w, const struct input_line &l,
                                 int64_t a, int64_t index, uint64_t bits)
{
    if (w.p.op == OP_WRITE)
        return 0x0101010101010101u * WRITE_BYTE >> (64 - 8 * dtype_bytes(D));
    if (w.masked && !input_mask(l, a, (uint64_t)index))
        return 0;
    if (w.p.op == OP_COPY_XOR)
        return bits ^ input_bits(D, input_second(l), a, (uint64_t)index);
    return op_widens(w.p.op) && dtype_is_integer<D> ? dtype_integer(D, bits)
                                                    : bits;
}

/* Compares the input with its definition and, if Moves, moved data bit by bit,
 * or takes the checksum of a read's input. */
template <enum dtype D, bool Moves>
static __global__ void __launch_bounds__(kThreads, 4)
    compare_elements(const __grid_constant__ walk w, gathered *g)
{
    unsigned word = 0, changed = 0;
    seen s = nothing_seen();
    walk_elements(w, [&](struct input_line l, int64_t a, int64_t index) {
        if (Moves)
            l.reducer = REDUCER_NONE;
        const uint64_t bits = input_bits(D, l, a, (uint64_t)index);
        if (op_has_input(w.p.op))
            changed |= bits_at<D>(w.p.in, index) != bits;
        if (w.masked)
            changed |= w.p.mask[index] != input_mask(l, a, (uint64_t)index);
        if (Moves && w.p.op == OP_READ)
            word ^= verify_word(D, bits, index);
        if (!Moves || w.p.op == OP_READ)
            return;
        const int64_t to = w.reverse ? l.axis - 1 - a : a;
        const int64_t at = index + (to - a) * w.p.shape.inner;
        const bool right = out_bits<D>(w, at) == moved<D>(w, l, a, index, bits);
        judge_output(&s, 0, at, right ? 0 : kInfinite);
    });
    if (changed)
        g->input_changed = 1;
    if (Moves)
        gather(s, g);
    for (int lanes = 16; lanes; lanes /= 2)
        word ^= __shfl_xor_sync(0xffffffffu, word, lanes);
    if (word && threadIdx.x % 32 == 0)
        atomicXor(&g->expected_word, word);
}

/* Compares the special input's sums. */
template <enum dtype D>
static __global__ void compare_special(walk w, bool loses_subnormals,
                                       gathered *g)
{
    const bool sums = op_is_reduction(w.p.op);
    seen s = nothing_seen();
    const int64_t lines =
        (w.p.offsets ? w.p.segments : w.p.shape.outer) * w.p.shape.inner;
    for (GRID_STRIDE(at, sums ? lines : w.elems)) {
        int64_t line = at, a = 0;
        if (!sums)
            locate(w, at, &line, &a);
        const struct input_line l = input_line_in(w.line0, line);
        if (sums)
            a = l.axis - 1;
        const uint64_t index = sums ? input_index(l, a) : (uint64_t)at;
        const bool right =
            !verify_is_asked(loses_subnormals, l) ||
            (l.axis == 0 && bits_at<D>(w.p.out, at) == 0) ||
            verify_special(D, w.p.op, l, a, index, bits_at<D>(w.p.out, at));
        judge_output(&s, 0, at, right ? 0 : kInfinite);
    }
    gather(s, g);
}

static __global__ void fold_slots(const unsigned *slots, gathered *g)
{
    unsigned word = 0;
    for (int slot = threadIdx.x; slot < READ_SLOTS; slot += kThreads)
        word ^= slots[slot];
    atomicXor(&g->found_word, word);
}

/* A comparison with the special result, the exact one, or within a bound. */
struct way {
    bool special, exact, cancelling;
    double bound;
    struct allowance allowance; /* of a ragged shape */
};

/* Compares the second input and the initial elements. */
static int compare_others(const walk &w, gathered *g)
{
    with_dtype(w.p.dtype, [&](auto d) {
        compare_elements<decltype(d)::value, false>
            <<<(unsigned)blocks_for(w.elems), kThreads>>>(second_of(w), g);
    });
    return initial_elements(w, g);
}

static int compare(const walk &w, const struct variant *variant, way way,
                   gathered *g)
{
    const enum op op = w.p.op;
    const unsigned blocks = (unsigned)blocks_for(w.elems);
    if (op == OP_READ)
        fold_slots<<<1, kThreads>>>((const unsigned *)w.p.out, g);
    const int error = op_inputs(op) == 2 && w.elems > 0 ? compare_others(w, g)
                                                        : (int)cudaSuccess;
    if (error)
        return error;
    if (op_combines(op) && !way.special)
        return defined_check(w, way.exact, way.cancelling, way.bound,
                             way.allowance, g);
    with_dtype(w.p.dtype, [&](auto d) {
        constexpr enum dtype kDtype = decltype(d)::value;
        if constexpr (!dtype_is_integer<kDtype>)
            if (way.special)
                compare_special<kDtype>
                    <<<blocks, kThreads>>>(w, variant->loses_subnormals, g);
        if (w.elems > 0)
            (way.special
                 ? compare_elements<kDtype, false>
                 : compare_elements<kDtype, true>)<<<blocks, kThreads>>>(w, g);
    });
    return cudaGetLastError();
}

static __device__ gathered on_device;

/* Compares, and copies what was gathered to the host. */
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

static bool is_compared(enum op op, enum dtype dtype)
{
    return (kBuiltDtypes & DTYPE_BIT(dtype)) &&
           (!op_combines(op) || is_built(op));
}

/* Verifies a plugin's operation or type from copies on the host. */
static const char *check_on_host(const struct problem *problem,
                                 const struct variant *variant,
                                 struct input input,
                                 struct verification *result)
{
    const size_t elems = (size_t)shape_elems(problem->shape);
    const size_t one = dtype_bytes(problem->dtype);
    struct problem copy = *problem;
    const struct {
        const void **array; /* of the copy */
        size_t bytes;
    } parts[] = {
        { (const void **)&copy.out,
          (size_t)op_out_bytes(problem->op, problem->dtype, problem->shape) },
        { &copy.in, op_has_input(problem->op) ? elems * one : 0 },
        { &copy.in2, copy.in2 ? elems * one : 0 },
        { &copy.initial,
          copy.initial ? (size_t)shape_lines(problem->shape) * one : 0 },
        { (const void **)&copy.mask, copy.mask ? elems : 0 },
    };
    size_t bytes = 1;
    if (!float_mode_was_default())
        return "a launch left another floating-point mode on the host";
    for (const auto &part : parts)
        bytes += part.bytes;
    char *memory = (char *)malloc(bytes), *at = memory;
    if (!memory)
        return "the host has no memory to verify the output";
    int error = cudaSuccess;
    for (const auto &part : parts) {
        if (!error && part.bytes)
            error =
                cudaMemcpy(at, *part.array, part.bytes, cudaMemcpyDeviceToHost);
        *part.array = *part.array ? at : NULL;
        at += part.bytes;
    }
    if (!error)
        *result = verify_host(&copy, variant, input);
    free(memory);
    return cuda_error_text(error);
}

const char *kernels_check(const struct problem *problem,
                          const struct variant *variant, struct input input,
                          struct verification *result)
{
    if (!is_compared(problem->op, problem->dtype))
        return check_on_host(problem, variant, input, result);
    const walk w = walk_of(problem, input);
    const bool floats = dtype_is_float(problem->dtype);
    way way = {};
    way.special = floats && op_adds(problem->op) &&
                  input.kind == INPUT_SPECIAL && w.elems > 0;
    way.exact =
        input.kind != INPUT_REAL || !op_rounds(problem->op, problem->dtype);
    way.cancelling = variant->error_growth == ERROR_CANCELLING;
    way.bound = verify_allowed(problem, variant, input.kind);
    way.allowance = verify_allowance(problem, variant, input.kind);
    gathered found;
    TRY(gather_all(w, variant, way, &found));

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
