/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "src/base/test.h"
#include "src/choose/family_look.h"

static int part(unsigned colour, int shift)
{
    return (int)(colour >> shift & 255);
}

static int green(unsigned colour)
{
    return part(colour, 8) > part(colour, 16) &&
           part(colour, 8) > part(colour, 0);
}

/* As Chromium 156 paints it, whose canvas may be one off. */
static void near(unsigned colour, unsigned wanted)
{
    for (int shift = 0; shift < 24; shift += 8)
        CHECK_FOR(abs(part(colour, shift) - part(wanted, shift)) <= 1,
                  "%06x, not %06x", colour, wanted);
}

int main(void)
{
    const struct family_look packed = family_look("packed_lines_registers"),
                             column = family_look("column_vectors");
    near(packed.light, 0x006d6a);
    near(packed.dark, 0x40a19c);
    CHECK(packed.light != column.light && packed.dark != column.dark);
    CHECK(green(family_look("cub_segmented_reduce").light));
    CHECK(!green(family_look("column_vectors").light));
    return test_end();
}
