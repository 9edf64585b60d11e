/* SPDX-License-Identifier: MIT */
#include "harness/device/device.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/test.h"

static char folder[] = "cache-XXXXXX";

static void write_file(int index, const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "%s/index%d", folder, index);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/index%d/%s", folder, index, name);
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void write_cache(int index, const char *level, const char *type,
                        const char *size)
{
    write_file(index, "level", level);
    write_file(index, "type", type);
    write_file(index, "size", size);
}

static void remove_all(void)
{
    static const char *const names[] = { "level", "type", "size" };
    char path[64];
    for (int index = 0; index < 8; ++index) {
        for (int n = 0; n < 3; ++n) {
            snprintf(path, sizeof path, "%s/index%d/%s", folder, index,
                     names[n]);
            remove(path);
        }
        snprintf(path, sizeof path, "%s/index%d", folder, index);
        rmdir(path);
    }
    rmdir(folder);
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL);
    CHECK(host_cache_listed(folder) == 0);
    CHECK(host_cache_listed("no/such/folder") == 0);
    write_cache(0, "1\n", "Data\n", "48K\n");
    CHECK(host_cache_listed(folder) == 48 << 10);
    write_cache(1, "1\n", "Instruction\n", "64K\n");
    write_cache(3, "3\n", "Unified\n", "32M\n"); /* before level 2, a gap */
    write_cache(4, "2\n", "Unified\n", "1024K\n");
    CHECK(host_cache_listed(folder) == 32 << 20);
    write_cache(5, "4\n", "Instruction\n", "1G\n");
    write_cache(6, "4\n", "Unified\n", "lots\n");
    CHECK(host_cache_listed(folder) == 32 << 20);
    write_cache(7, "4\n", "Unified\n", "134217728");
    CHECK(host_cache_listed(folder) == 128 << 20);
    CHECK(host_cache_bytes() > 0);
    const int64_t here = host_cache_listed(HOST_CACHE_SYSFS);
    CHECK(here == 0 || host_cache_bytes() == here);
    remove_all();
    return test_end();
}
