/* SPDX-License-Identifier: MIT */
#ifndef FRAMEWORKS_FRAMEWORKS_H
#define FRAMEWORKS_FRAMEWORKS_H

/* frameworks.py, embedded when this is built. */
extern const char frameworks_text[];

#endif
