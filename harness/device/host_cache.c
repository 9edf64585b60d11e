/* SPDX-License-Identifier: MIT */
#include "harness/device/device.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 64, MAX_CACHES = 16 };

/* Reads a file's first line; false if there is none. */
static bool read_line(const char *folder, int index, const char *name,
                      char text[TEXT_BYTES])
{
    char path[256];
    snprintf(path, sizeof path, "%s/index%d/%s", folder, index, name);
    FILE *file = fopen(path, "r");
    const bool ok = file && fgets(text, TEXT_BYTES, file);
    if (file)
        fclose(file);
    if (ok)
        text[strcspn(text, "\n")] = '\0';
    return ok;
}

/* "32768K", "32M" or plain bytes; 0 if it is neither. */
static int64_t size_bytes(const char *text)
{
    char *unit;
    const long long number = strtoll(text, &unit, 10);
    const int shift = *unit == 'K'   ? 10
                      : *unit == 'M' ? 20
                      : *unit == 'G' ? 30
                                     : 0;
    if (number <= 0 || number > INT64_MAX >> 31 || (*unit && !shift))
        return 0;
    return (int64_t)number << shift;
}

int64_t host_cache_listed(const char *folder)
{
    char level[TEXT_BYTES], type[TEXT_BYTES], size[TEXT_BYTES];
    int64_t bytes = 0;
    int last = 0;
    for (int index = 0; index < MAX_CACHES; ++index) {
        if (!read_line(folder, index, "level", level) ||
            !read_line(folder, index, "type", type) ||
            !read_line(folder, index, "size", size) ||
            strcmp(type, "Instruction") == 0 || atoi(level) <= last ||
            !size_bytes(size))
            continue;
        last = atoi(level);
        bytes = size_bytes(size);
    }
    return bytes;
}

int64_t host_cache_bytes(void)
{
    const char *named = getenv("SCANBENCH_HOST_CACHE");
    int64_t bytes = named ? size_bytes(named) : 0;
    if (bytes <= 0)
        bytes = host_cache_listed(HOST_CACHE_SYSFS);
#ifdef _SC_LEVEL3_CACHE_SIZE
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    if (bytes <= 0)
        bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return bytes > 0 ? bytes : (int64_t)32 << 20;
}
