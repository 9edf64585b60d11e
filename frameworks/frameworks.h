/* SPDX-License-Identifier: MIT */
#ifndef FRAMEWORKS_FRAMEWORKS_H
#define FRAMEWORKS_FRAMEWORKS_H

/* The Python modules of this folder, embedded when this is built. */
extern const char *const frameworks_texts[];

#endif
