/* SPDX-License-Identifier: MIT
 *
 * The size of the host's last-level cache.
 */
#ifndef HARNESS_DEVICE_HOST_CACHE_H
#define HARNESS_DEVICE_HOST_CACHE_H

#include <stdint.h>

/* Where Linux lists the first core's caches. */
#define HOST_CACHE_SYSFS "/sys/devices/system/cpu/cpu0/cache"

/* The last-level cache of that list (folders index0, index1, ... with the
 * files level, type, size), in bytes; 0 if none is readable. */
int64_t host_cache_listed(const char *folder);

/* The last-level cache's bytes: SCANBENCH_HOST_CACHE, such as 32M, or that of
 * sysfs, or else of the C library, or else 32 MiB. In a virtual machine these
 * may be the whole processor's, of which the machine has a part. */
int64_t host_cache_bytes(void);

#endif
