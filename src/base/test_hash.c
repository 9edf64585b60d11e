/* SPDX-License-Identifier: MIT
 *
 * SHA-256 digests published by NIST, and of lengths around the end of a block.
 */
#include "src/base/hash.h"

#include <string.h>

#include "src/base/test.h"

static void check(const void *data, size_t bytes, const char *wanted)
{
    char text[SHA256_TEXT_BYTES];
    CHECK(strcmp(sha256_text(data, bytes, text), wanted) == 0);
}

int main(void)
{
    static char many[1000000];
    memset(many, 'a', sizeof many);
    check("", 0,
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", 3,
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check(many, sizeof many,
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    check(many, 55,
          "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    check(many, 63,
          "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    check(many, 64,
          "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    check(many, 119,
          "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb");
    return test_end();
}
