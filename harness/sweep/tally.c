/* SPDX-License-Identifier: MIT */
#include "harness/sweep/tally.h"

#include <string.h>

static void without_numbers(const char *reason, char text[DOUBT_BYTES])
{
    static const char digits[] = "0123456789";
    size_t used = 0;
    while (*reason && used + 1 < DOUBT_BYTES) {
        const size_t number = strspn(reason, digits);
        text[used++] = number ? 'N' : *reason;
        reason += number ? number : 1;
        if (number && *reason == '.' && strspn(reason + 1, digits))
            reason += 1 + strspn(reason + 1, digits);
    }
    text[used] = '\0';
}

static void count_doubt(struct tally *tally, enum status status,
                        const char *reason)
{
    struct doubt doubt = { .status = status };
    without_numbers(reason, doubt.reason);
    int k = 0;
    while (k < tally->doubt_count &&
           (tally->doubts[k].status != status ||
            strcmp(tally->doubts[k].reason, doubt.reason) != 0))
        ++k;
    if (k == MAX_DOUBTS)
        strcpy(tally->doubts[--k].reason, "other reasons");
    else if (k == tally->doubt_count)
        tally->doubts[tally->doubt_count++] = doubt;
    ++tally->doubts[k].count;
}

void tally_count(struct tally *tally, enum status status, const char *reason)
{
    const bool sampled = status_is_sampled(status);
    if (sampled)
        ++tally->ok;
    else if (status == STATUS_WRONG)
        ++tally->wrong;
    else if (status_is_failed(status))
        ++tally->failed;
    else if (tally->skipped++ == 0)
        snprintf(tally->why_skipped, sizeof tally->why_skipped, "%s", reason);
    if (sampled && status != STATUS_OK)
        count_doubt(tally, status, reason);
}

int tally_status(const struct tally *tally, const char *what)
{
    if (tally->wrong || tally->failed)
        return EXIT_WRONG;
    if (tally->ok || !tally->skipped)
        return EXIT_OK;
    fprintf(stderr,
            "scanbench: nothing was %s: all %d cells that were asked for were "
            "skipped, the first: %s\n",
            what, tally->skipped, tally->why_skipped);
    return EXIT_NOTHING;
}

void tally_tell_doubts(const struct tally *tally, FILE *text)
{
    int count = 0;
    for (int k = 0; k < tally->doubt_count; ++k)
        count += tally->doubts[k].count;
    if (count == 0)
        return;
    fprintf(text,
            "scanbench: %d of the measured suspect or unstable: see the column "
            "reason\n",
            count);
    for (int k = 0; k < tally->doubt_count; ++k)
        fprintf(text, "%8d %s: %s\n", tally->doubts[k].count,
                status_name(tally->doubts[k].status), tally->doubts[k].reason);
}
