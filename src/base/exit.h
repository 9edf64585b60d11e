/* SPDX-License-Identifier: MIT
 *
 * The statuses with which a command exits; `scanbench --help` explains them.
 */
#pragma once

enum {
    EXIT_OK = 0,
    EXIT_WRONG = 1,
    EXIT_BAD = 2,
    EXIT_BLIND = 3,
    EXIT_NOTHING = 77,
    EXIT_INTERRUPTED = 130
};
