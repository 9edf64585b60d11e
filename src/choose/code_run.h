/* SPDX-License-Identifier: MIT
 *
 * Selects which of a program's compiled architectures a device runs: its own,
 * or an older one.
 */
#pragma once

/* Returns the architecture, of those built (900 for 9.0), whose code a device
 * of this compute capability (90 for 9.0) runs; 0 if there is none. The newest
 * is assumed to be in the program as PTX, too. */
static inline int code_run(const int *built, int count, int capability)
{
    const int device = capability * 10;
    int binary = 0, newest = 0;
    for (int k = 0; k < count; ++k) {
        const int same_major = built[k] / 100 == device / 100;
        if (same_major && built[k] <= device && built[k] > binary)
            binary = built[k];
        newest = built[k] > newest ? built[k] : newest;
    }
    return binary ? binary : newest <= device ? newest : 0;
}

/* Returns the compute capability whose features the code can use: 80 on a
 * device of 90 that runs code of 800. Code of its own major version, or unknown
 * code (0), is no limit, as nothing is compiled out between 8.0 and 8.9. */
static inline int code_level(int code, int capability)
{
    return code > 0 && code / 100 < capability / 10 ? code / 10 : capability;
}

/* Parses the architectures in a manifest's nvcc options (800 for
 * "-gencode=arch=compute_80,code=sm_90"). Returns their number; 0 if they are
 * unknown (-arch=native) or more than `most`. */
int code_built(const char *options, int *built, int most);
