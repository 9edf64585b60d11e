/* SPDX-License-Identifier: MIT
 *
 * In place of what a build makes of variants/ and report/, and of what would
 * start a worker.
 */
#include "harness/cli/beside.h"
#include "harness/cli/points.h"
#include "harness/cli/report_parts.h"

const struct catalogue_point variant_points[] = {
    { "scan/one", "one_b8", "one" },     { "scan/two", "two", "two" },
    { "sum/two", "two", "two" },         { "stream/copy", "copy", "a copy" },
    { "best/best", "best", "the best" }, { 0 },
};
const struct kernel_head kernel_heads[] = {
    { "scan/one", "/* Idea one. */", "cu" },
    { 0 },
};
const struct report_part report_style = { "", 0, "" };
const struct report_part report_body = { "", 0, "" };
const struct report_part report_script = { "", 0, "" };

char *beside_folder(const char *folder, int number)
{
    (void)folder;
    (void)number;
    return NULL; /* a run, and not a folder of several */
}
