/* SPDX-License-Identifier: MIT */
#include "lib/scanbench.h"

#include "lib/opened.h"
#include "variants/choose.h"

#define PUBLIC __attribute__((visibility("default")))

enum { ALIGNMENT = 256 };

/* The memory that a step reads or writes. */
enum place { IN, OUT, TEMPORARY };

/* enum scanbench_dtype has the order of enum dtype. */
_Static_assert((int)SCANBENCH_F64 == (int)DTYPE_F64 &&
                   (int)SCANBENCH_BF16 == (int)DTYPE_BF16 &&
                   (int)SCANBENCH_U8 == (int)DTYPE_U8 &&
                   (int)SCANBENCH_BOOL == (int)DTYPE_BOOL,
               "the same types");

/* The operation of every enum scanbench_op, and the flags that it takes. */
#define ALL_FLAGS (SCANBENCH_REVERSE | SCANBENCH_EXCLUSIVE | SCANBENCH_MASKED)
static const struct {
    enum op op;
    int flags;
} rows[] = {
    [SCANBENCH_CUMSUM] = { OP_CUMSUM, ALL_FLAGS },
    [SCANBENCH_SUM] = { OP_SUM, SCANBENCH_MASKED },
    [SCANBENCH_FLIP] = { OP_FLIP, 0 },
    [SCANBENCH_CUMPROD] = { OP_CUMPROD, ALL_FLAGS },
    [SCANBENCH_PROD] = { OP_PROD, SCANBENCH_MASKED },
    [SCANBENCH_MEAN] = { OP_MEAN, 0 },
    [SCANBENCH_CUMMAX] = { OP_CUMMAX, SCANBENCH_REVERSE | SCANBENCH_MASKED },
    [SCANBENCH_AMAX] = { OP_AMAX, SCANBENCH_MASKED },
    [SCANBENCH_CUMMIN] = { OP_CUMMIN, SCANBENCH_REVERSE | SCANBENCH_MASKED },
    [SCANBENCH_AMIN] = { OP_AMIN, SCANBENCH_MASKED },
    [SCANBENCH_ARGMAX] = { OP_ARGMAX, 0 },
    [SCANBENCH_ARGMIN] = { OP_ARGMIN, 0 },
    [SCANBENCH_LOGCUMSUMEXP] = { OP_LOGCUMSUMEXP,
                                 SCANBENCH_REVERSE | SCANBENCH_MASKED },
    [SCANBENCH_LOGSUMEXP] = { OP_LOGSUMEXP, SCANBENCH_MASKED },
    [SCANBENCH_RECURRENCE] = { OP_RECURRENCE, SCANBENCH_REVERSE },
    [SCANBENCH_CUMSUM_NARROW] = { OP_CUMSUM_NARROW,
                                  SCANBENCH_REVERSE | SCANBENCH_MASKED },
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The operation without its flags. */
static enum op plain_op(int op)
{
    return rows[op & 0xff].op;
}

/* The plan's shape, for `best`: with the segments' mean length. */
static struct shape shape_of(const struct scanbench_plan *plan)
{
    const struct scanbench_shape s = plan->shape_;
    struct shape shape = { s.outer, s.axis, s.inner };
    if (plan->offset_bytes_) {
        const int64_t mean = plan->segments_ > 0 ? s.axis / plan->segments_ : 0;
        shape.lines = (struct ragged_lines){ .mean = mean > 0 ? mean : 1,
                                             .kind = LINES_UNIFORM,
                                             .offset_bytes =
                                                 (uint8_t)plan->offset_bytes_ };
    }
    return shape;
}

/* True if the offsets can end at the total, and outputs fit. */
static bool are_segments(const struct scanbench_plan *plan)
{
    const int64_t segments = plan->segments_;
    return segments >= (plan->shape_.axis > 0) &&
           (plan->offset_bytes_ == 8 ||
            (plan->offset_bytes_ == 4 && plan->shape_.axis <= INT32_MAX)) &&
           shape_fits((struct shape){ segments, 1, plan->shape_.inner });
}

/* True if the shape fits. An empty axis may have extents beyond that, except in
 * a reduction, which still has an output, but no index. */
static bool is_shape(int op, struct shape s)
{
    if (op_is_reduction(plain_op(op)))
        return shape_fits(s) && (s.axis > 0 || !op_gives_index(plain_op(op)));
    return shape_fits(s) || (s.axis == 0 && s.outer >= 0 && s.inner >= 0);
}

/* -------------------------------------------------------------------- plan */

/* The step's elements have the type of the previous step's results. */
static void add_step(struct scanbench_plan *plan, enum op op, enum place from,
                     enum place to)
{
    const int k = plan->steps_++;
    plan->step_[k].op = (int)op;
    plan->step_[k].dtype =
        (int)(k ? op_out_dtype((enum op)plan->step_[k - 1].op,
                               (enum dtype)plan->step_[k - 1].dtype)
                : (enum dtype)plan->dtype_);
    plan->step_[k].from = (int)from;
    plan->step_[k].to = (int)to;
}

static enum op with_flags(enum op op, int flags)
{
    return (enum op)((int)op | (flags & SCANBENCH_REVERSE ? OP_REVERSE : 0) |
                     (flags & SCANBENCH_EXCLUSIVE ? OP_EXCLUSIVE : 0) |
                     (flags & SCANBENCH_MASKED ? OP_MASKED : 0));
}

static bool has_kernels(const struct scanbench_plan *plan, enum op op)
{
    return op_index(op) < op_count() &&
           (plan->device_ == SCANBENCH_HOST ||
            OP_HAS_KERNELS(op, (enum dtype)plan->dtype_));
}

/* Operations without a kernel take several steps through the temporary. The
 * mask comes first, as masked-off elements are selected away. */
static void add_steps(struct scanbench_plan *plan, int op)
{
    const enum op plain = plain_op(op);
    enum op whole = with_flags(plain, op);
    enum place from = IN;
    if (op_has_mask(whole) && !has_kernels(plan, whole)) {
        add_step(plan, (enum op)OP_OF(op_reducer(plain), KIND_COPY, OP_MASKED),
                 IN, TEMPORARY);
        from = TEMPORARY;
        whole = with_flags(plain, op & ~SCANBENCH_MASKED);
    }
    if (has_kernels(plan, whole) || !op_is_reverse(whole)) {
        add_step(plan, whole, from, OUT);
    } else {
        add_step(plan, OP_FLIP, from, OUT);
        add_step(plan, with_flags(plain, op & SCANBENCH_EXCLUSIVE), OUT,
                 TEMPORARY);
        add_step(plan, OP_FLIP, TEMPORARY, OUT);
    }
}

/* True if the operation exists and takes the flags. */
static bool is_op(int op)
{
    if (op < 0 || (op & 0xff) >= ROWS)
        return false;
    const enum op plain = plain_op(op);
    int flags = rows[op & 0xff].flags | SCANBENCH_DETERMINISTIC;
    if (op_is_reduction(plain) && op_reducer(plain) != REDUCER_LOGADDEXP)
        flags |= SCANBENCH_PORTABLE_BITS;
    if (plain == OP_CUMSUM)
        flags |= SCANBENCH_MONOTONE;
    return !(op & ~0xff & ~flags);
}

/* The masked copy that was built fills with any reducer's identity. */
static bool serves(const struct opened *opened, enum op op, enum dtype dtype)
{
    return opened->ops[dtype] &
           op_bit(op_kind(op) == KIND_COPY ? OP_MASKED_COPY : op);
}

/* Sets the problem of a step but for its pointers. */
static void set_step(struct problem *p, const struct scanbench_plan *plan,
                     int k, const struct opened *opened)
{
    p->op = (enum op)plan->step_[k].op;
    p->dtype = (enum dtype)plan->step_[k].dtype;
    p->shape = shape_of(plan);
    p->device = &opened->facts;
    p->segments = plan->segments_;
    p->offset_bytes = plan->offset_bytes_;
    p->contracts =
        (plan->op_ & SCANBENCH_DETERMINISTIC ? CONTRACT_DETERMINISTIC : 0u) |
        (plan->op_ & SCANBENCH_PORTABLE_BITS ? CONTRACT_PORTABLE_BITS : 0u) |
        (plan->op_ & SCANBENCH_MONOTONE ? CONTRACT_MONOTONE : 0u);
    p->max_error = plan->max_error_;
}

/* Chooses the variant of every step. The workspace holds the temporary, up to
 * ALIGNMENT bytes later, and then the largest workspace of a step. */
static int choose_steps(struct scanbench_plan *plan,
                        const struct opened *opened)
{
    size_t most = 0;
    for (int k = 0; k < plan->steps_; ++k) {
        struct device_facts facts;
        struct problem p = { .in = NULL };
        set_step(&p, plan, k, opened);
        const struct variant *v =
            serves(opened, p.op, p.dtype) && choose_facts(&p, &facts)
                ? choose_variant(&p)
                : NULL;
        if (!v)
            return SCANBENCH_NOT_BUILT;
        const size_t bytes = choose_room(v, &p);
        most = bytes > most ? bytes : most;
        plan->step_[k].variant = v;
        if (plan->step_[k].to == TEMPORARY) { /* its last results are widest */
            const size_t own = (size_t)op_out_bytes(p.op, p.dtype, p.shape);
            plan->temporary_bytes_ =
                (own + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        }
        if (op_is_scan(p.op) || op_is_reduction(p.op) || plan->steps_ == 1)
            plan->variant = v->name;
    }
    plan->workspace_bytes = plan->temporary_bytes_ + most;
    return SCANBENCH_OK;
}

/* True if a launch writes anything. */
static bool has_outputs(const struct scanbench_plan *plan)
{
    const struct scanbench_shape s = plan->shape_;
    const enum op op = plain_op(plan->op_);
    if (plan->offset_bytes_)
        return (op_is_scan(op) ? s.axis : plan->segments_) > 0 && s.inner > 0;
    return op_out_bytes(op, (enum dtype)plan->dtype_, shape_of(plan)) > 0;
}

/* Adds the steps to a plan without them. */
static int make_plan(struct scanbench_plan made, struct scanbench_plan *plan)
{
    const int op = made.op_, dtype = made.dtype_;
    const bool ragged = made.offset_bytes_;
    if (!plan)
        return SCANBENCH_BAD_POINTER;
    *plan = (struct scanbench_plan){ .variant = NULL };
    if (!is_op(op) ||
        (ragged && !op_may_be_ragged(with_flags(plain_op(op), op))))
        return SCANBENCH_BAD_OP;
    if (dtype < 0 || dtype >= DTYPE_COUNT ||
        !op_has_dtype(plain_op(op), (enum dtype)dtype))
        return SCANBENCH_BAD_DTYPE;
    if (!is_shape(op, shape_of(&made)) || (ragged && !are_segments(&made)))
        return SCANBENCH_BAD_SHAPE;
    const struct opened *opened = opened_device(made.device_);
    if (!opened || opened->error)
        return opened ? opened->error : SCANBENCH_NO_DEVICE;
    if (has_outputs(&made) && ragged)
        add_step(&made, with_flags(plain_op(op), op), IN, OUT);
    else if (has_outputs(&made)) /* an empty axis has no elements to mask */
        add_steps(&made, made.shape_.axis == 0 ? op & ~SCANBENCH_MASKED : op);
    const int error = made.max_error_ >= 0 ? choose_steps(&made, opened)
                                           : SCANBENCH_NOT_BUILT;
    if (!error)
        *plan = made;
    return error;
}

PUBLIC int scanbench_plan(int op, int dtype, struct scanbench_shape shape,
                          int device, struct scanbench_plan *plan)
{
    return scanbench_plan_within(op, dtype, shape, 0, device, plan);
}

PUBLIC int scanbench_plan_within(int op, int dtype,
                                 struct scanbench_shape shape, double max_error,
                                 int device, struct scanbench_plan *plan)
{
    return make_plan((struct scanbench_plan){ .variant = "",
                                              .shape_ = shape,
                                              .dtype_ = dtype,
                                              .device_ = device,
                                              .op_ = op,
                                              .max_error_ = max_error },
                     plan);
}

PUBLIC int scanbench_plan_ragged(int op, int dtype, int64_t total,
                                 int64_t inner, int64_t segments,
                                 int offset_bytes, int device,
                                 struct scanbench_plan *plan)
{
    const int bytes = offset_bytes ? offset_bytes : -1; /* no offsets: bad */
    return make_plan((struct scanbench_plan){ .variant = "",
                                              .shape_ = { 1, total, inner },
                                              .dtype_ = dtype,
                                              .device_ = device,
                                              .op_ = op,
                                              .segments_ = segments,
                                              .offset_bytes_ = bytes },
                     plan);
}

/* ------------------------------------------------------------------ launch */

/* Checks p's pointers: `in` is the first step's, `out` the last's. */
static bool good_pointers(const struct scanbench_plan *plan,
                          const struct problem *p)
{
    const enum dtype dtype = (enum dtype)plan->dtype_;
    const enum op op = plain_op(plan->op_);
    const uintptr_t places =
        (uintptr_t)p->in | (uintptr_t)p->in2 | (uintptr_t)p->initial;
    return p->out && places % dtype_bytes(dtype) == 0 &&
           (uintptr_t)p->out % op_out_elem_bytes(op, dtype) == 0 &&
           !p->offsets == !plan->offset_bytes_ &&
           (!p->offsets ||
            (uintptr_t)p->offsets % (unsigned)plan->offset_bytes_ == 0) &&
           (plan->shape_.axis == 0 ||
            (p->in && !p->mask == !(plan->op_ & SCANBENCH_MASKED) &&
             !p->in2 == (op_inputs(op) < 2))) &&
           (plan->workspace_bytes == 0 ||
            (p->workspace && (uintptr_t)p->workspace % ALIGNMENT == 0));
}

/* A scan's temporary has the misalignment of `out`, as the fastest kernels
 * serve pointers that are aligned alike; a reduction's has none. */
static void *temporary_of(const struct scanbench_plan *plan,
                          const struct problem *p)
{
    const bool reduces = op_is_reduction(plain_op(plan->op_));
    const size_t beyond = reduces ? 0 : (uintptr_t)p->out % ALIGNMENT;
    return p->workspace ? (char *)p->workspace + beyond : NULL;
}

/* Launches a step between these places, with the other pointers of p. */
static int launch_step(const struct scanbench_plan *plan, int k,
                       const struct opened *opened, struct problem p,
                       void *const place[], void *stream)
{
    struct device_facts facts;
    set_step(&p, plan, k, opened);
    p.in = place[plan->step_[k].from];
    p.out = place[plan->step_[k].to];
    p.mask = op_has_mask(p.op) ? p.mask : NULL;
    const struct variant *v = choose_facts(&p, &facts)
                                  ? choose_serving(&p, plan->step_[k].variant)
                                  : NULL;
    return v ? v->launch(&p, stream) : SCANBENCH_NOT_BUILT;
}

/* Launches with the pointers of p. */
static int launch_steps(const struct scanbench_plan *plan, struct problem p,
                        void *stream)
{
    const struct opened *opened =
        plan && plan->variant ? opened_device(plan->device_) : NULL;
    if (!opened)
        return SCANBENCH_NO_PLAN;
    if (plan->device_ != SCANBENCH_HOST && gpu_current() != plan->device_)
        return SCANBENCH_OTHER_DEVICE;
    if (plan->steps_ == 0)
        return SCANBENCH_OK;
    if (!good_pointers(plan, &p))
        return SCANBENCH_BAD_POINTER;
    void *const place[] = {
        [IN] = (void *)p.in, [OUT] = p.out, [TEMPORARY] = temporary_of(plan, &p)
    };
    if (p.workspace)
        p.workspace = (char *)p.workspace + plan->temporary_bytes_;
    int error = SCANBENCH_OK;
    for (int k = 0; k < plan->steps_ && !error; ++k)
        error = launch_step(plan, k, opened, p, place, stream);
    return error;
}

PUBLIC int scanbench_launch(const struct scanbench_plan *plan, const void *in,
                            const uint8_t *mask, void *out, void *workspace,
                            void *stream)
{
    const struct problem p = {
        .in = in, .mask = mask, .out = out, .workspace = workspace
    };
    return launch_steps(plan, p, stream);
}

PUBLIC int scanbench_recur(const struct scanbench_plan *plan, const void *a,
                           const void *b, const void *initial, void *out,
                           void *workspace, void *stream)
{
    const struct problem p = { .in = a,
                               .in2 = b,
                               .initial = initial,
                               .out = out,
                               .workspace = workspace };
    return launch_steps(plan, p, stream);
}

PUBLIC int scanbench_launch_ragged(const struct scanbench_plan *plan,
                                   const void *in, const void *offsets,
                                   void *out, void *workspace, void *stream)
{
    const struct problem p = {
        .in = in, .offsets = offsets, .out = out, .workspace = workspace
    };
    return launch_steps(plan, p, stream);
}

/* -------------------------------------------------------------------- texts */

PUBLIC const char *scanbench_error_text(int error)
{
    static const char *const texts[] = {
        [-SCANBENCH_OK] = "success",
        [-SCANBENCH_BAD_OP] = "no such operation, or one that does not take "
                              "these flags, such as a contract that it cannot "
                              "keep",
        [-SCANBENCH_BAD_DTYPE] = "no such element type, or means, "
                                 "exponentials or recurrences of integers or "
                                 "bools, or narrow sums of others than int32",
        [-SCANBENCH_BAD_SHAPE] = "an extent is negative, or there are more "
                                 "than 2^56 elements or outputs, or an index "
                                 "along an empty axis, or segments or bytes of "
                                 "offsets that cannot hold the total",
        [-SCANBENCH_NO_DEVICE] = "there is no such GPU here, or no CUDA in "
                                 "this library",
        [-SCANBENCH_NOT_BUILT] =
            "no kernel for this operation, type and shape "
            "was built into this library, or none keeps "
            "the contracts and the error bound: see its "
            "options ops, dtypes and library; for GPUs "
            "there is none of scans of bytes other than sums, nor "
            "of exclusive products of integers",
        [-SCANBENCH_BAD_RULES] = "a file of rules cannot be read: "
                                 "scanbench_device_text() says why",
        [-SCANBENCH_NO_MEMORY] = "no memory",
        [-SCANBENCH_BAD_POINTER] =
            "a pointer is NULL, is not aligned (elements; the workspace to 256 "
            "bytes), or a mask, a second input or offsets are missing or not "
            "wanted",
        [-SCANBENCH_OTHER_DEVICE] = "the plan's GPU is not the calling "
                                    "thread's current one",
        [-SCANBENCH_NO_PLAN] = "the plan was not made: scanbench_plan() did "
                               "not return 0",
    };
    if (error > 0)
        return gpu_error_text(error);
    return error >= SCANBENCH_NO_PLAN ? texts[-error] : "no error of scanbench";
}

PUBLIC const char *scanbench_device_text(int device)
{
    const struct opened *opened = opened_device(device);
    return opened ? opened->text : scanbench_error_text(SCANBENCH_NO_DEVICE);
}

PUBLIC const char *scanbench_version(void)
{
    return SCANBENCH_RELEASE;
}
