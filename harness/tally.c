/* SPDX-License-Identifier: MIT */
#include "harness/tally.h"

void tally_count(struct tally *tally, enum status status)
{
    ++*(status == STATUS_OK || status == STATUS_SUSPECT ||
                status == STATUS_UNSTABLE
            ? &tally->ok
        : status == STATUS_SKIP  ? &tally->skipped
        : status == STATUS_WRONG ? &tally->wrong
                                 : &tally->failed);
}
