/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "src/base/test.h"
#include "src/choose/catalogue.h"

static int part(unsigned colour, int shift)
{
    return (int)(colour >> shift & 255);
}

static int green(unsigned colour)
{
    return part(colour, 8) > part(colour, 16) &&
           part(colour, 8) > part(colour, 0);
}

/* Chromium 156 paints these colours; its canvas may be one off. */
static void near(unsigned colour, unsigned wanted)
{
    for (int shift = 0; shift < 24; shift += 8)
        CHECK_FOR(abs(part(colour, shift) - part(wanted, shift)) <= 1,
                  "%06x, not %06x", colour, wanted);
}

int main(void)
{
    const struct family_style packed = family_style("packed_lines_registers"),
                              column = family_style("column_vectors");
    near(packed.light, 0x006d6a);
    near(packed.dark, 0x40a19c);
    CHECK(packed.light != column.light && packed.dark != column.dark);
    CHECK(green(family_style("cub_segmented_reduce").light));
    CHECK(!green(family_style("column_vectors").light));
    return test_end();
}
