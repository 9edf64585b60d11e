/* SPDX-License-Identifier: MIT
 *
 * A CUDA runtime without a GPU, and the instrument's kernels, for the tests of
 * device_cuda.c. Queued work is done at once, in host memory, and logged.
 */
#ifndef HARNESS_DEVICE_FAKE_CUDA_H
#define HARNESS_DEVICE_FAKE_CUDA_H

#include <stdbool.h>

enum { FAKE_LOG_BYTES = 64, FAKE_GPUS = 2, FAKE_FAILS = 700 };

struct fake_cuda {
    /* One letter per call: F flush, K kept lines reset, G gate, ( start, )
     * stop, . empty kernel, P an element is poisoned, W wait for the device. */
    char log[FAKE_LOG_BYTES];
    double clock_us;     /* the device's; events read it */
    bool gives_up;       /* every gate opens too late */
    bool runs_dry;       /* every query finds the stream at its end */
    const char *failing; /* the function that returns FAKE_FAILS, or NULL */
};
extern struct fake_cuda fake_cuda;

void fake_log(char letter);

/* Nothing stands at the last gate. */
bool fake_gate_is_open(void);

#endif
