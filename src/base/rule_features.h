/* SPDX-License-Identifier: MIT
 *
 * What a rule of variants/best looks at; the learner (src/judge/learner.h) and
 * the rules' reader (src/rules.h) share it.
 */
#ifndef SRC_BASE_RULE_FEATURES_H
#define SRC_BASE_RULE_FEATURES_H

#include "src/base/dtype.h"
#include "src/base/shape.h"

/* Bytes of an element; inner; what divides the pitch (of lines where they are
 * contiguous, else of rows) in bytes, a power of two up to 16; axis; lines. */
enum { RULE_FEATURES = 5, RULE_FEATURE_INNER = 1 };

static inline const char *rule_feature_name(int feature)
{
    static const char *const names[RULE_FEATURES] = { "bytes", "inner",
                                                      "alignment", "axis",
                                                      "lines" };
    return names[feature];
}

/* A rule names so many variants at most, and a bound of so many bits is none.
 */
enum { RULE_CHOICES = 4, RULE_NO_BOUND = 63 };

static inline int64_t rule_alignment(int64_t bytes)
{
    int64_t power = 1;
    while (power < 16 && bytes % (2 * power) == 0)
        power *= 2;
    return power;
}

static inline void rule_features(struct shape shape, enum dtype dtype,
                                 int64_t features[RULE_FEATURES])
{
    const int64_t bytes = (int64_t)dtype_bytes(dtype);
    const int64_t pitch = (shape.inner > 1 ? shape.inner : shape.axis) * bytes;
    features[0] = bytes;
    features[1] = shape.inner;
    features[2] = rule_alignment(pitch);
    features[3] = shape.axis;
    features[4] = shape_lines(shape);
}

#endif
