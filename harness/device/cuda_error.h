/* SPDX-License-Identifier: MIT
 *
 * Messages for errors of the CUDA runtime, in the harness and libscanbench.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The message if there is no code for this GPU or driver, or NULL. */
const char *cuda_error_no_code(int error);

/* "NAME: MEANING" in the runtime's words, with a remedy if there is one; NULL
 * for success. The text lives until the next error. */
const char *cuda_error_text(int error);

/* The same, behind "FILE:LINE: EXPRESSION: ". */
const char *cuda_error_at(int error, const char *expression, const char *file,
                          int line);

/* Returns the error's text if the expression fails. */
#define TRY(expression)                                                        \
    do {                                                                       \
        const int error_ = (int)(expression);                                  \
        if (error_)                                                            \
            return cuda_error_at(error_, #expression, __FILE__, __LINE__);     \
    } while (0)

#ifdef __cplusplus
}
#endif
