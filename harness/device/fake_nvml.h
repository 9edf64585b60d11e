/* SPDX-License-Identifier: MIT
 *
 * The state of the library that replaces NVML in the tests.
 */
#pragma once

#include <stdbool.h>

#define FAKE_ADDRESS "0000:1B:00.0"

extern struct fake_nvml {
    bool broken;      /* nvmlInit fails */
    bool unsupported; /* every reading does */
    unsigned set_mhz; /* application clock; 1980 is the default */
    unsigned long long reasons;
} fake_nvml;
