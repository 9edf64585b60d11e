/* SPDX-License-Identifier: MIT
 *
 * libscanbench: scans, reductions, recurrences and flips along one axis of a
 * tensor, each by the kernel that measured fastest for its operation, type and
 * shape on the nearest GPU that was measured.
 *
 *     struct scanbench_plan plan;
 *     struct scanbench_shape shape = { 128, 4096, 1 };
 *     int error = scanbench_plan(SCANBENCH_CUMSUM | SCANBENCH_REVERSE,
 *                                SCANBENCH_F32, shape, device, &plan);
 *     if (!error)
 *         error = scanbench_launch(&plan, in, NULL, out, workspace, stream);
 *     if (error)
 *         puts(scanbench_error_text(error));
 *
 * All functions may be called by several threads at once. The first plan for a
 * device reads its facts and grows its rules' forests, which takes about a
 * second of a processor; no other call allocates, reads a file or waits for a
 * device.
 */
#ifndef SCANBENCH_H
#define SCANBENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Along every line, for a in [0, axis), with names without SCANBENCH_:
 *   a scan        y[a] = x[0] o … o x[a]
 *   a reduction   y    = x[0] o … o x[axis-1], one output per line
 *   FLIP          y[a] = x[axis-1-a]
 *
 *   scan          reduction   x o y                identity
 *   CUMSUM        SUM         x + y                0
 *   CUMSUM_NARROW             x + y, of I32 alone  0
 *   CUMPROD       PROD        x * y                1
 *   CUMMAX        AMAX        the larger           -infinity
 *   CUMMIN        AMIN        the smaller          infinity
 *   LOGCUMSUMEXP  LOGSUMEXP   log(exp x + exp y)   -infinity
 *                 MEAN        SUM / axis
 *                 ARGMAX      the place of AMAX, an int64_t
 *                 ARGMIN      the place of AMIN, an int64_t
 *   RECURRENCE    h[t] = a[t] h[t-1] + b[t]: see scanbench_recur()
 *
 * In the extremes any NaN wins. An index is that of the first NaN, else of the
 * first of equals. Along an axis of extent 0, a reduction gives the identity,
 * MEAN gives NaN, and ARGMAX and ARGMIN are SCANBENCH_BAD_SHAPE.
 *
 * An operation is one of these with any flags that it takes:
 *   REVERSE    (scans) runs from the end: y[a] = x[a] o … o x[axis-1];
 *              RECURRENCE: h[t] = a[t] h[t+1] + b[t]
 *   EXCLUSIVE  (CUMSUM, CUMPROD) leaves out x[a] itself
 *   MASKED     (all but MEAN, ARGMAX, ARGMIN, RECURRENCE and FLIP) takes x as
 *              the identity where the mask is 0, even if it is NaN.
 * An operation is one pass over memory; several of these flags, a mask other
 * than CUMSUM's, and REVERSE of CUMSUM_NARROW take more, through the workspace.
 *
 * Further flags demand a contract, which any kernel that a plan calls keeps:
 *   DETERMINISTIC  (all) the same bits in every launch on the same device
 *   PORTABLE_BITS  (reductions but LOGSUMEXP) the same bits on every GPU of
 *                  compute capability 8.0 or newer, by one build of the library
 *                  whatever the rules; on a host, on any number of threads
 *   MONOTONE       (CUMSUM) in the order of the sum, no output is below the one
 *                  before it where x >= 0, and over a run of zeros, whatever
 *                  precedes it, all are equal
 * The bits of two launches are the same if their pointers are aligned alike to
 * 16 bytes. Results of integers and bools keep every contract, and so do places
 * of extremes and, except in doubles, extremes. */
enum scanbench_op {
    SCANBENCH_CUMSUM,
    SCANBENCH_SUM,
    SCANBENCH_FLIP,
    SCANBENCH_CUMPROD,
    SCANBENCH_PROD,
    SCANBENCH_MEAN,
    SCANBENCH_CUMMAX,
    SCANBENCH_AMAX,
    SCANBENCH_CUMMIN,
    SCANBENCH_AMIN,
    SCANBENCH_ARGMAX,
    SCANBENCH_ARGMIN,
    SCANBENCH_LOGCUMSUMEXP,
    SCANBENCH_LOGSUMEXP,
    SCANBENCH_RECURRENCE,
    SCANBENCH_CUMSUM_NARROW,
    SCANBENCH_REVERSE = 0x100,
    SCANBENCH_EXCLUSIVE = 0x200,
    SCANBENCH_MASKED = 0x400,
    SCANBENCH_DETERMINISTIC = 0x800,
    SCANBENCH_PORTABLE_BITS = 0x1000,
    SCANBENCH_MONOTONE = 0x2000
};

/* The half types are combined in float, and rounded once. A bool is a byte, and
 * true unless it is 0. Of integers and bools, CUMSUM, SUM, CUMPROD and PROD
 * give int64_t, modulo 2^64, CUMSUM_NARROW gives int32_t, modulo 2^32, and the
 * least and the largest value replace -infinity and infinity. MEAN, LOGSUMEXP,
 * LOGCUMSUMEXP and RECURRENCE of them return SCANBENCH_BAD_DTYPE; on a GPU,
 * CUMMAX, CUMMIN and CUMPROD of U8 and BOOL, and an EXCLUSIVE CUMPROD of any of
 * them, SCANBENCH_NOT_BUILT. */
enum scanbench_dtype {
    SCANBENCH_F32,
    SCANBENCH_F64,
    SCANBENCH_F16,
    SCANBENCH_BF16,
    SCANBENCH_I32,
    SCANBENCH_I64,
    SCANBENCH_U8,
    SCANBENCH_BOOL
};

/* The processor and memory of this machine, instead of the number of a GPU. */
#define SCANBENCH_HOST (-1)

/* A contiguous row-major tensor seen from one axis: element (o, a, i) lies at
 * (o * axis + a) * inner + i. A reduction has outer * inner outputs. */
struct scanbench_shape {
    int64_t outer, axis, inner;
};

enum scanbench_status {
    SCANBENCH_OK = 0, /* positive values are a cudaError_t */
    SCANBENCH_BAD_OP = -1,
    SCANBENCH_BAD_DTYPE = -2,
    SCANBENCH_BAD_SHAPE = -3,
    SCANBENCH_NO_DEVICE = -4,
    SCANBENCH_NOT_BUILT = -5,
    SCANBENCH_BAD_RULES = -6,
    SCANBENCH_NO_MEMORY = -7,
    SCANBENCH_BAD_POINTER = -8,
    SCANBENCH_OTHER_DEVICE = -9,
    SCANBENCH_NO_PLAN = -10
};

/* The kernels for one operation, type, shape and device. A plan is a value that
 * can be copied, kept and used from several threads. Nothing has to be freed,
 * and it is valid as long as the library is loaded. */
struct scanbench_plan {
    const char *variant;    /* the kernel's name, as in `scanbench list`; "" if
                               nothing is to be done, NULL without a plan */
    size_t workspace_bytes; /* needed by a launch; may be 0 */

    /* private */
    struct scanbench_shape shape_;
    size_t temporary_bytes_;
    int dtype_, device_, op_, steps_;
    struct {
        const void *variant;
        int op, dtype, from, to;
    } step_[4];
    int64_t segments_;
    int offset_bytes_; /* 0 unless it is ragged */
    double max_error_;
};

/* Makes a plan, in a few microseconds. `op` is an enum scanbench_op with its
 * flags, `dtype` an enum scanbench_dtype; extents may be 0. Returns an enum
 * scanbench_status or a cudaError_t, and then *plan is empty. */
int scanbench_plan(int op, int dtype, struct scanbench_shape shape, int device,
                   struct scanbench_plan *plan);

/* As scanbench_plan, with a bound of the rounding error if `max_error` is not
 * 0: the fastest kernel whose outputs y are within U |r| + max_error u A of the
 * exact result r. U is the roundoff of the output's type, u that of the type
 * summed in (2^-24 of F32 and the half types, 2^-53 of F64), and A the sum of
 * |x| over what r combines (docs/method.md: of products |r|). Among the designs
 * are bounds of 2 ceil(log2(axis)) + 2 and of axis + 1. SCANBENCH_NOT_BUILT if
 * no kernel is within it; a negative bound and NaN have none. */
int scanbench_plan_within(int op, int dtype, struct scanbench_shape shape,
                          double max_error, int device,
                          struct scanbench_plan *plan);

/* Queues the work on the stream, a cudaStream_t of the plan's device, which is
 * the calling thread's current one; on the host it does the work, and the
 * stream is NULL. It allocates nothing, does not wait, and can be captured
 * into a CUDA graph.
 *
 * `in`, `out` and, one byte of 0 or 1 per element, `mask` are aligned to their
 * elements, and `out` overlaps neither of the others; `mask` is NULL unless the
 * operation is masked. `workspace` is aligned to 256 bytes, need not be
 * cleared, and is in use until the work is done; it may be NULL if
 * workspace_bytes is 0. A plan of RECURRENCE is a SCANBENCH_BAD_POINTER.
 * Returns an enum scanbench_status or a cudaError_t. */
int scanbench_launch(const struct scanbench_plan *plan, const void *in,
                     const uint8_t *mask, void *out, void *workspace,
                     void *stream);

/* As scanbench_launch, for a plan of RECURRENCE; any other is a
 * SCANBENCH_BAD_POINTER. `a` and `b` have the plan's shape, and may differ in
 * alignment; `initial` has one element per line, in the order outer x inner:
 * h[-1], or in reverse h[axis]; with NULL, these are 0. The result is within
 * the rounding of its terms (docs/method.md) as long as no product of a window
 * of `a` leaves the range of its type, or of float for the half types. */
int scanbench_recur(const struct scanbench_plan *plan, const void *a,
                    const void *b, const void *initial, void *out,
                    void *workspace, void *stream);

/* As scanbench_plan, for lines of different lengths: a tensor of total x
 * inner, whose segment g has rows offsets[g] to offsets[g + 1] - 1. There are
 * segments + 1 offsets, int32_t or int64_t (`offset_bytes` 4 or 8), on the
 * plan's device and aligned to their size: ascending from 0 to the total.
 * Operations are SUM, MEAN, AMAX, and CUMSUM and CUMMAX, also in REVERSE; a
 * reduction has segments * inner outputs: an empty segment gives what an empty
 * axis gives. No NaN leaves its segment. The pointers, their alignment and the
 * counts are checked. The offsets are not, as this would have to wait for the
 * device: wrong ones make a kernel read and write other memory. On a GPU,
 * integers are SCANBENCH_NOT_BUILT. */
int scanbench_plan_ragged(int op, int dtype, int64_t total, int64_t inner,
                          int64_t segments, int offset_bytes, int device,
                          struct scanbench_plan *plan);
int scanbench_launch_ragged(const struct scanbench_plan *plan, const void *in,
                            const void *offsets, void *out, void *workspace,
                            void *stream);

/* One line about a value that a function above returned. */
const char *scanbench_error_text(int error);

/* The name of a device and of its rules; or, after an error, the reason, such
 * as a line of a file of rules. Never NULL. */
const char *scanbench_device_text(int device);

/* "MAJOR.MINOR.PATCH" */
const char *scanbench_version(void);

#ifdef __cplusplus
}
#endif
#endif
