/* SPDX-License-Identifier: MIT */
#include "src/base/student.h"

#include <math.h>

double student_p(double t, size_t degrees)
{
    const double pi = 3.14159265358979323846;
    const double angle = atan(t / sqrt((double)degrees));
    const double square = cos(angle) * cos(angle);
    const size_t odd = degrees % 2;
    /* Odd: cos + 2/3 cos^3 + 2/3 4/5 cos^5 …; even: 1 + 1/2 cos^2 + …. */
    double term = odd ? cos(angle) : 1, sum = degrees > 1 ? term : 0;
    for (size_t k = odd + 2; k < degrees; k += 2) {
        term *= square * (double)(k - 1) / (double)k;
        sum += term;
    }
    const double within =
        odd ? 2 / pi * (angle + sin(angle) * sum) : sin(angle) * sum;
    return fmax(0, 1 - within);
}

static double bisected(double p, size_t degrees)
{
    double low = 0, high = 1;
    while (student_p(high, degrees) > p)
        high *= 2;
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        *(student_p(middle, degrees) > p ? &low : &high) = middle;
    }
    return high;
}

double student_t(double p, size_t degrees)
{
    /* A million cells ask for the t of the same few degrees, and a bisection
     * adds up 60 series of degrees / 2 terms. */
    static _Thread_local struct {
        double p, t;
        size_t degrees;
    } kept[64];
    const size_t at = degrees % (sizeof kept / sizeof *kept);
    if (kept[at].p != p || kept[at].degrees != degrees) {
        kept[at].t = bisected(p, degrees);
        kept[at].p = p;
        kept[at].degrees = degrees;
    }
    return kept[at].t;
}
