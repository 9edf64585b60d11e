/* SPDX-License-Identifier: MIT
 *
 * What work is done on.
 */
#ifndef SRC_MODEL_DEVICE_KIND_H
#define SRC_MODEL_DEVICE_KIND_H

enum device_kind { DEVICE_HOST, DEVICE_CUDA };

#endif
