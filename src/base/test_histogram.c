/* SPDX-License-Identifier: MIT */
#include "src/base/histogram.h"

#include <string.h>

#include "src/base/test.h"

static size_t total(const struct histogram *histogram)
{
    size_t sum = 0;
    for (int k = 0; k < HISTOGRAM_BINS; ++k)
        sum += histogram->count[k];
    return sum;
}

int main(void)
{
    char strip[HISTOGRAM_BINS + 1];
    double even[48], one[] = { 7, 7, 7 }, tail[100];
    for (int k = 0; k < 48; ++k)
        even[47 - k] = 100 + k;
    struct histogram found = histogram_of(even, 48);
    CHECK(found.low == 100 && found.high == 147 && found.most == 147);
    CHECK(found.fullest == 3 || found.fullest == 2);
    CHECK(total(&found) == 48 && found.count[0] && found.count[23]);
    CHECK(!strchr(histogram_strip(&found, strip), ' '));

    found = histogram_of(one, 3);
    CHECK(found.low == 7 && found.high == 7 && found.count[0] == 3);
    CHECK(strcmp(histogram_strip(&found, strip), "@                       ") ==
          0);

    /* One sample far out does not squeeze the others. */
    for (int k = 0; k < 100; ++k)
        tail[k] = 10 + k * 0.01;
    tail[50] = 1000;
    found = histogram_of(tail, 100);
    CHECK(found.most == 1000 && found.high < 20 && total(&found) == 100);
    CHECK(found.count[23] == 1 && found.count[0] < 50);
    return test_end();
}
