/* SPDX-License-Identifier: MIT
 *
 * Bug      One for each variant: see contract_bug_list.h.
 * Shows    real input on a device of other facts, or sums that rise by little.
 */
#include "variants/broken/contract_bug_list.h"
#include "variants/broken/host_plain.h"

CONTRACT_BUGS(CONTRACT_LAUNCH)

VARIANTS(broken__host_contract_bugs) = { CONTRACT_BUGS(CONTRACT_ROW){ 0 } };
