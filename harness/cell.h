/* SPDX-License-Identifier: MIT
 *
 * A cell: one variant on one op, dtype and shape. It is verified, timed, and
 * verified again after its last timed launch; nothing is timed that was not
 * just found right.
 */
#ifndef HARNESS_CELL_H
#define HARNESS_CELL_H

#include "harness/device.h"
#include "src/row.h"
#include "src/stats.h"

enum { REASON_BYTES = 200 };

struct cell {
    const struct variant *variant;
    enum op op;
    enum dtype dtype;
    struct shape shape;
    enum cache cache;
    int offset;       /* elements that in, mask and out are moved off their
                         alignment by */
    bool timed;       /* or only verified */
    double budget_us; /* of measured time, once there are enough samples */
    double slow_us;   /* a launch that takes longer is not worth timing */
};

/* What became of it. Numbers are NaN where there are none. */
struct outcome {
    enum status status;
    char reason[REASON_BYTES];
    struct stats us;
    double max_error, bound;
    struct sensors sensors;
    bool slow;  /* right, but one launch took longer than cell.slow_us */
    bool fatal; /* the device may be beyond repair: end the worker */
};

/* "op/variant/dtype/shape", at most CELL_ID_BYTES with the NUL. */
enum { CELL_ID_BYTES = 192 };
char *cell_id(const struct cell *cell, char id[CELL_ID_BYTES]);

/* Memory on the device that running it takes. */
int64_t cell_bytes(const struct cell *cell, const struct device_facts *facts);

/* Why it cannot run on the device (the variant refuses, it does not fit in
 * memory, there is nothing to compute), or NULL. The text lives until the next
 * call. May call CUDA (CUB does), so it belongs to the process that opened the
 * device. */
const char *cell_skip(const struct cell *cell,
                      const struct device_facts *facts);

/* Skips it, or runs it on the open device; buffers are kept for the next cell.
 */
void cell_run(const struct cell *cell, const struct device *device,
              const struct device_facts *facts, struct outcome *outcome);

#endif
