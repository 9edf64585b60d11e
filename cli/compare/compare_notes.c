/* SPDX-License-Identifier: MIT */
#include "cli/compare/compare_parts.h"

#include <math.h>
#include <stdarg.h>

/* As a fraction: more than a good machine's own scatter. */
static const double ceiling_moved = 0.02;

__attribute__((format(printf, 2, 3))) static void
note(struct compare_notes *notes, const char *format, ...)
{
    va_list arguments;
    if (notes->count == MAX_NOTES)
        return;
    va_start(arguments, format);
    vsnprintf(notes->text[notes->count++], NOTE_BYTES, format, arguments);
    va_end(arguments);
}

/* Both sides have the key, and not the same value. */
static bool differ(const struct run_folder *base, const struct run_folder *now,
                   const char *key)
{
    const char *left = run_fact(base, key), *right = run_fact(now, key);
    return *left && *right && strcmp(left, right) != 0;
}

static void note_pair(struct compare_notes *notes,
                      const struct run_folder *base,
                      const struct run_folder *now, const char *key,
                      const char *meaning)
{
    note(notes, "%s: %s %.100s in BASE, %.100s in NEW", meaning, key,
         run_fact(base, key), run_fact(now, key));
}

/* Whatever makes another device of it, ECC and a slice of one included. */
static bool same_device(const struct run_folder *base,
                        const struct run_folder *now,
                        struct compare_notes *notes)
{
    static const char *const keys[] = {
        "device_name",        "device",   "pretend",
        "device_kind",        "sm_count", "ecc",
        "compute_capability", "mig"
    };
    static const char meaning[] =
        "different devices, so ratios and no verdicts";
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
        if (differ(base, now, keys[k])) {
            note_pair(notes, base, now, keys[k], meaning);
            return false;
        }
    const char *unknown = !*run_fact(base, "device_name")  ? "BASE"
                          : !*run_fact(now, "device_name") ? "NEW"
                                                           : NULL;
    if (unknown)
        note(notes,
             "%s does not say on which device it was measured (device_name in "
             "manifest.csv), so ratios and no verdicts",
             unknown);
    return !unknown;
}

static bool same_clocks(const struct run_folder *base,
                        const struct run_folder *now,
                        struct compare_notes *notes)
{
    static const char key[] = "clocks_locked";
    if (differ(base, now, key)) {
        note_pair(notes, base, now, key,
                  "clocks locked on one side only, or differently, so ratios "
                  "and no verdicts");
        return false;
    }
    if (!*run_fact(base, key) != !*run_fact(now, key))
        note(notes, "whether clocks were locked is known of one side only");
    return true;
}

/* Cards of one name differ by some per cent, in their memory most of all. */
static enum comparison_mode same_card(const struct run_folder *base,
                                      const struct run_folder *now,
                                      struct compare_notes *notes)
{
    if (differ(base, now, "gpu_hash")) {
        note(notes, "two cards of one name: each time is judged as a share of "
                    "its own run's ceiling, and how the times themselves "
                    "changed stands beside it");
        return COMPARE_SHARES;
    }
    if (differ(base, now, "host_hash") && !*run_fact(base, "gpu_hash"))
        note(notes, "not the same machine: even machines of one kind are not "
                    "alike; to judge code, measure both on one");
    return COMPARE_TIMES;
}

static void note_software(const struct run_folder *base,
                          const struct run_folder *now,
                          struct compare_notes *notes)
{
    static const char *const keys[] = {
        "compiler",      "flags",       "nvcc",         "nvcc_flags",
        "architectures", "cub_version", "built_with",   "driver",
        "rules_hash",    "cuda_driver", "cuda_runtime", "power_limit_w",
        "plugins"
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k)
        if (differ(base, now, keys[k]))
            note_pair(notes, base, now, keys[k], "not the same");
}

static void note_incomplete(const struct run_folder *run, const char *name,
                            struct compare_notes *notes)
{
    if (strcmp(run_fact(run, "complete"), "0") == 0)
        note(notes, "%s did not come to its end: cells may be missing", name);
}

/* Plain traffic runs no variant's code: if that moved, the machine did. */
static void note_ceiling(const struct run_ceiling *base,
                         const struct run_ceiling *now, const char *name,
                         struct compare_notes *notes)
{
    const double moved = now->gbps / base->gbps - 1;
    if (base->elems && base->elems == now->elems && fabs(moved) > ceiling_moved)
        note(notes,
             "the ceiling of %s moved by %+.1f %% (%.4g to %.4g GB/s): the "
             "machine changed, whatever the code did",
             name, 100 * moved, base->gbps, now->gbps);
}

static void note_ceilings(const struct run_folder *base,
                          const struct run_folder *now,
                          struct compare_notes *notes)
{
    for (int o = 0; o < OP_COUNT; ++o)
        for (int d = 0; d < DTYPE_COUNT; ++d)
            for (int c = 0; c < CACHE_COUNT; ++c) {
                char name[64];
                snprintf(name, sizeof name, "%s %s %s", op_name((enum op)o),
                         dtype_name((enum dtype)d), cache_name((enum cache)c));
                note_ceiling(&base->ceilings.of[o][d][c],
                             &now->ceilings.of[o][d][c], name, notes);
            }
}

enum comparison_mode compare_mode(const struct run_folder *base,
                                  const struct run_folder *now,
                                  struct compare_notes *notes)
{
    bool judged = same_device(base, now, notes);
    judged = same_clocks(base, now, notes) && judged;
    const enum comparison_mode mode =
        judged ? same_card(base, now, notes) : COMPARE_RATIOS;
    note_software(base, now, notes);
    note_incomplete(base, "BASE", notes);
    note_incomplete(now, "NEW", notes);
    if (mode == COMPARE_TIMES)
        note_ceilings(base, now, notes);
    return mode;
}

/* ------------------------------------------------ what the comparison shows */

static void note_moved(const struct noise *noise, struct compare_notes *notes)
{
    for (int c = 0; c < CACHE_COUNT; ++c)
        if (fabs(noise->moved_us[c]) > NOISE_MOST_MOVED_US)
            note(notes,
                 "the short cells (near_empty, %s) moved by %+.2f us: two runs "
                 "of one build never differed by more than %.2f us, so only so "
                 "much is put down to launching",
                 cache_name((enum cache)c), noise->moved_us[c],
                 NOISE_MOST_MOVED_US);
}

static void note_few(const struct comparison *c, struct compare_notes *notes)
{
    if (c->single)
        note(
            notes,
            "%zu cells have one process on a side, so their scatter is unknown "
            "and they are unclear; measure five processes a side, in turns",
            c->single);
    if (c->few > c->single)
        note(notes,
             "%zu cells have two processes on a side: no change below %.0f %% "
             "is one, and none counts for the exit status",
             c->few - c->single, 100 * NOISE_FEW_LIMIT);
}

void compare_note_findings(const struct comparison *comparison,
                           enum comparison_mode mode,
                           struct compare_notes *notes)
{
    if (comparison->dropped)
        note(notes,
             "%zu cells have processes that did not time them (unstable, or "
             "left out), though others did: their times are those of the "
             "others, and they cannot be unchanged",
             comparison->dropped);
    if (mode == COMPARE_RATIOS)
        return;
    note_moved(&comparison->noise, notes);
    note_few(comparison, notes);
}
