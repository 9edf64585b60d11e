/* SPDX-License-Identifier: MIT
 *
 * A GPU's clocks, heat, limits and modes through NVML, loaded at run time:
 * nvml.h need not be installed, and where the library, a function or a reading
 * is missing, its value is unknown. (Prototypes and constants: NVIDIA, NVML
 * API Reference Guide, "Device Queries" and "NvmlClocksEventReasons".)
 */
#pragma once

#include "harness/device/device.h"

/* Finds the GPU by the PCI address of cudaDeviceGetPCIBusId(), and fills in the
 * facts. Returns NULL, or a warning that something is missing. */
const char *nvml_open(const char *pci_address, struct driver_facts *facts);

/* Reads the sensors; everything is unknown if no GPU is open. */
void nvml_sense(struct sensors *sensors);

/* Writes the reasons for a lowered clock, words joined by '+', in the order of
 * their bits: gpu_idle, applications_clocks, sw_power_cap, hw_slowdown,
 * sync_boost, sw_thermal_slowdown, hw_thermal_slowdown, hw_power_brake,
 * display_clocks, and bit_9 … for newer ones. Returns text, which is cut to
 * `bytes` at a word's end. */
enum { NVML_WORDS_BYTES = 256 };
char *nvml_throttle_words(unsigned long long throttle, char *text,
                          size_t bytes);

/* True if the clock was lowered for more than idling or a setting. */
bool nvml_throttled(unsigned long long throttle);
