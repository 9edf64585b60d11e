/* SPDX-License-Identifier: MIT
 *
 * The code that a device runs of a program: that of its own architecture, or of
 * an older one.
 */
#ifndef SRC_CHOOSE_CODE_RUN_H
#define SRC_CHOOSE_CODE_RUN_H

#ifdef __cplusplus
extern "C" {
#endif

/* The architecture among those built (900 for 9.0; the newest also, or only, as
 * PTX) whose code a device of that compute capability (90) runs, or 0. */
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

/* The compute capability that a device is limited to by its code: 80 for 90 and
 * code of 800 (0 if unknown). Code of its own major version does not limit it:
 * nothing is compiled out between 8.0 and 8.9. */
static inline int code_level(int code, int capability)
{
    return code > 0 && code / 100 < capability / 10 ? code / 10 : capability;
}

/* Reads the architectures that a manifest's nvcc options build (800 for
 * "-gencode=arch=compute_80,code=sm_90"). Returns their number; 0 if they are
 * unknown (-arch=native) or more than `most`. */
int code_built(const char *options, int *built, int most);

#ifdef __cplusplus
}
#endif
#endif
