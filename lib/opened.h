/* SPDX-License-Identifier: MIT
 *
 * Open devices. The first plan for a device opens it for the life of the
 * process.
 */
#ifndef LIB_OPENED_H
#define LIB_OPENED_H

#include "src/variant.h"

struct opened {
    struct device_facts facts; /* with its rules */
    uint64_t ops[DTYPE_COUNT]; /* op_bit()s of the kernels that there are */
    int error;                 /* 0 if the device is usable */
    char text[1024];           /* for scanbench_device_text() */
};

enum { OPENED_MOST = 64 };

/* Takes the number of a GPU or SCANBENCH_HOST. Returns NULL if the number is
 * out of range. */
const struct opened *opened_device(int device);

#endif
