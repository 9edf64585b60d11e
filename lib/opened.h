/* SPDX-License-Identifier: MIT
 *
 * The devices that were planned for: each is opened once, by the first plan,
 * and stays.
 */
#ifndef LIB_OPENED_H
#define LIB_OPENED_H

#include "src/variant.h"

struct opened {
    struct device_facts facts; /* with its rules */
    unsigned ops, dtypes;      /* that this library has kernels for there */
    int error;                 /* why it cannot be used; 0: it can */
    char text[1024];           /* what scanbench_device_text() says */
};

enum { OPENED_MOST = 64 };

/* A GPU's number, or SCANBENCH_HOST; NULL: a number that no GPU has. */
const struct opened *opened_device(int device);

#endif
