/* SPDX-License-Identifier: MIT
 *
 * Guards: ranges of memory around a buffer, all of one byte, which nobody
 * but the instrument writes to. All of a problem's are written, and looked at,
 * by one kernel each.
 */
#ifndef HARNESS_DEVICE_GUARDS_H
#define HARNESS_DEVICE_GUARDS_H

/* A multiple of every dtype and of the alignment that variants are promised. */
enum { GUARD_BYTES = 65536, MOST_GUARDS = 8 };

/* Around what is written to; around inputs it is POISON_BYTE. */
enum { GUARD_BYTE = 0xc3 };

struct guard {
    unsigned char *memory; /* GUARD_BYTES of it; at any address */
    unsigned char byte;
    const char *where; /* "before the output", for a message */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Of a GPU's memory: writes at most MOST_GUARDS. Works on the default stream
 * and returns a cudaError_t as int. */
int guards_write(const struct guard *guards, int count);

/* The first guard that does not hold its byte everywhere, or -1; waits. */
int guards_look(const struct guard *guards, int count, int *broken);

#ifdef __cplusplus
}
#endif
#endif
