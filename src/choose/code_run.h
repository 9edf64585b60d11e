/* SPDX-License-Identifier: MIT
 *
 * Which code of a program a device runs: that of its own architecture, or of an
 * older one.
 */
#ifndef SRC_CHOOSE_CODE_RUN_H
#define SRC_CHOOSE_CODE_RUN_H

#ifdef __cplusplus
extern "C" {
#endif

/* Of the architectures built (900 for 9.0; the newest also, or only, as PTX)
 * the one whose code a device of that compute capability (90) runs; 0: none. */
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

/* The compute capability (80) that a device of that one (90) stands for while
 * it runs that code (800; 0: unknown). Code of its own major version makes it
 * no other device: nothing is compiled out between 8.0 and 8.9. */
static inline int code_level(int code, int capability)
{
    return code > 0 && code / 100 < capability / 10 ? code / 10 : capability;
}

/* The architectures that nvcc's options build, as a manifest has them
 * ("-gencode=arch=compute_80,code=sm_90": 800). How many; 0: not known, as of
 * -arch=native, or more than `most`. */
int code_built(const char *options, int *built, int most);

#ifdef __cplusplus
}
#endif
#endif
