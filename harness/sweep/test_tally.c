/* SPDX-License-Identifier: MIT */
#include "harness/sweep/tally.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/test.h"

static bool tells(const struct tally *tally, const char *expected)
{
    char *said = NULL;
    size_t bytes;
    FILE *text = open_memstream(&said, &bytes);
    tally_tell_doubts(tally, text);
    fclose(text);
    const bool same = strcmp(said, expected) == 0;
    if (!same)
        printf("said: %s", said);
    free(said);
    return same;
}

static void check_counts(void)
{
    struct tally tally = { 0 };
    for (int status = 0; status < STATUS_COUNT; ++status)
        tally_count(&tally, (enum status)status, "why");
    CHECK(tally.ok == 3 && tally.skipped == 3 && tally.wrong == 1);
    /* All others: error, timeout. */
    CHECK(tally.failed ==
          STATUS_COUNT - tally.ok - tally.skipped - tally.wrong);
}

static void check_doubts(void)
{
    struct tally tally = { 0 };
    tally_count(&tally, STATUS_OK, "");
    tally_count(&tally, STATUS_SKIP, "a skip has its own count");
    CHECK(tells(&tally, ""));
    tally_count(&tally, STATUS_SUSPECT, "throttled by 27 %");
    tally_count(&tally, STATUS_SUSPECT, "above 4814.5 GB/s, by 3");
    tally_count(&tally, STATUS_UNSTABLE, "throttled by 27 %");
    tally_count(&tally, STATUS_SUSPECT, "throttled by 9 %");
    CHECK(tells(&tally, "scanbench: 4 of the measured suspect or unstable: "
                        "see the column reason\n"
                        "       2 suspect: throttled by N %\n"
                        "       1 suspect: above N GB/s, by N\n"
                        "       1 unstable: throttled by N %\n"));
}

static void check_many(void)
{
    struct tally tally = { 0 };
    char reason[] = "a reason", longest[4 * DOUBT_BYTES];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    tally_count(&tally, STATUS_SUSPECT, longest);
    for (int k = 0; k < 20; ++k, ++reason[0])
        tally_count(&tally, STATUS_SUSPECT, reason);
    CHECK(tally.doubt_count == MAX_DOUBTS);
    CHECK(tally.doubts[MAX_DOUBTS - 1].count == 20 - (MAX_DOUBTS - 2));
    CHECK(strcmp(tally.doubts[MAX_DOUBTS - 1].reason, "other reasons") == 0);
}

static void check_status(void)
{
    struct tally tally = { 0 };
    CHECK(tally_status(&tally, "done") == EXIT_OK);
    tally_count(&tally, STATUS_SKIP, "the first");
    tally_count(&tally, STATUS_SKIP, "the second");
    CHECK(strcmp(tally.why_skipped, "the first") == 0);
    CHECK(tally_status(&tally, "done") == EXIT_NOTHING);
    tally_count(&tally, STATUS_OK, "");
    CHECK(tally_status(&tally, "done") == EXIT_OK);
    tally_count(&tally, STATUS_ERROR, "");
    CHECK(tally_status(&tally, "done") == EXIT_WRONG);
}

int main(void)
{
    check_status();
    check_counts();
    check_doubts();
    check_many();
    return test_end();
}
