/* SPDX-License-Identifier: MIT
 *
 * Published hashes of FNV-1a, and the hash of a file.
 */
#include "src/base/hash.h"

#include <errno.h>

#include "src/base/test.h"

int main(int argc, char **argv)
{
    unsigned long long hash = 0, whole = HASH_START;
    (void)argc;
    CHECK(hash_text("") == 0xcbf29ce484222325u);
    CHECK(hash_text("a") == 0xaf63dc4c8601ec8cu);
    CHECK(hash_text("foobar") == 0x85944171f73967e8u);
    CHECK(hash_bytes(hash_text("foo"), "bar", 3) == hash_text("foobar"));

    FILE *file = fopen(argv[0], "r");
    for (int byte; file && (byte = getc(file)) != EOF;)
        whole = hash_bytes(whole, &(unsigned char){ (unsigned char)byte }, 1);
    fclose(file);
    CHECK(hash_file(argv[0], &hash) && hash == whole);
    CHECK(!hash_file("/nowhere/at/all", &hash) && errno == ENOENT);
    return test_end();
}
