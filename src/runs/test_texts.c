/* SPDX-License-Identifier: MIT */
#include "src/runs/texts.h"

#include <stdio.h>
#include <string.h>

#include "src/base/test.h"

int main(void)
{
    enum { MANY = 5000 };
    static const char *kept[MANY];
    struct texts texts = { 0 };
    char text[32] = "";
    const char *empty = texts_keep(&texts, text);
    for (int k = 0; k < MANY; ++k) {
        snprintf(text, sizeof text, "variant_%d", k);
        kept[k] = texts_keep(&texts, text);
    }
    CHECK(texts.count == MANY + 1);
    for (int k = 0; k < MANY; ++k) { /* once each, and where it was */
        snprintf(text, sizeof text, "variant_%d", k);
        CHECK_FOR(texts_keep(&texts, text) == kept[k] &&
                      strcmp(kept[k], text) == 0,
                  "%s", kept[k]);
    }
    CHECK(texts_keep(&texts, "") == empty && !*empty);
    CHECK(texts.count == MANY + 1);
    texts_free(&texts);
    CHECK(texts.count == 0 && texts.room == 0);
    return test_end();
}
