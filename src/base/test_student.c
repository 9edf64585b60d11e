/* SPDX-License-Identifier: MIT */
#include "src/base/student.h"

#include <math.h>

#include "src/base/test.h"

static bool near(double value, double wanted, double relative)
{
    return fabs(value - wanted) <= relative * fabs(wanted);
}

/* 97.5 % quantiles as every table has them. */
static void test_table(void)
{
    static const double table[] = { 12.706, 4.303, 3.182, 2.776, 2.571,
                                    2.447,  2.365, 2.306, 2.262, 2.228 };
    for (size_t d = 1; d <= 10; ++d) {
        CHECK_FOR(near(student_t(0.05, d), table[d - 1], 2e-4), "%zu", d);
        CHECK_FOR(near(student_p(table[d - 1], d), 0.05, 1e-3), "%zu", d);
    }
    CHECK(near(student_t(0.05, 30), 2.0423, 1e-4));
    CHECK(near(student_t(0.05, 31), 2.0395, 1e-4));
    CHECK(near(student_t(0.05, 2000), 1.9612, 1e-4));
    CHECK(near(student_t(0.001, 4), 8.6103, 1e-5));
}

static void test_ends(void)
{
    for (size_t d = 1; d < 9; ++d) {
        CHECK(student_p(0, d) == 1);
        CHECK(student_p(INFINITY, d) < 1e-15);
        CHECK(student_p(1, d) > student_p(1.01, d));
        for (double p = 0.9; p > 1e-9; p /= 7)
            CHECK_FOR(near(student_p(student_t(p, d), d), p, 1e-6), "%zu: %g",
                      d, p);
    }
    /* Closed forms: the Cauchy distribution, and two degrees. */
    CHECK(near(student_p(1, 1), 0.5, 1e-12));
    CHECK(near(student_p(2, 2), 1 - 2 / sqrt(6), 1e-12));
}

int main(void)
{
    test_table();
    test_ends();
    return test_end();
}
