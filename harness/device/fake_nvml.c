/* SPDX-License-Identifier: MIT
 *
 * Replaces libnvidia-ml.so.1 in the tests: a GPU in a state that the test sets,
 * with a driver from before "event reasons" and MIG.
 */
#include "harness/device/fake_nvml.h"

#include <stdio.h>
#include <string.h>

struct fake_nvml fake_nvml;

static char gpu;

static int give(const void *device, unsigned value, unsigned *to)
{
    *to = value;
    return device != &gpu || fake_nvml.unsupported;
}

/* Defines a function, after its prototype. */
#define FAKE(name, parameters, result)                                         \
    int name parameters;                                                       \
    int name parameters                                                        \
    {                                                                          \
        return result;                                                         \
    }

/* A reading; one that has a type, such as 0 graphics, 1 SM, 2 memory; and a
 * mode, which may be another after the next start. */
#define READING(name, value)                                                   \
    FAKE(name, (void *device, unsigned *to), give(device, value, to))
#define TYPED(name, value)                                                     \
    FAKE(name, (void *device, unsigned type, unsigned *to),                    \
         give(device, value, to))
#define MODE(name, value)                                                      \
    FAKE(name, (void *device, unsigned *now, unsigned *pending),               \
         give(device, value, now) || give(device, !(value), pending))

READING(nvmlDeviceGetPowerUsage, 512250)
READING(nvmlDeviceGetEnforcedPowerLimit, 700000)
READING(nvmlDeviceGetMaxPcieLinkGeneration, 5)
READING(nvmlDeviceGetCurrPcieLinkWidth, 16)
TYPED(nvmlDeviceGetClockInfo, 1000 + 100 * type)
TYPED(nvmlDeviceGetMaxClockInfo, 1900 + 10 * type)
TYPED(nvmlDeviceGetApplicationsClock, fake_nvml.set_mhz + type)
TYPED(nvmlDeviceGetDefaultApplicationsClock, 1980 + type)
TYPED(nvmlDeviceGetTemperature, 41 + type)
MODE(nvmlDeviceGetEccMode, 1)
FAKE(nvmlInit_v2, (void), fake_nvml.broken ? 9 : 0)
FAKE(nvmlDeviceGetHandleByPciBusId_v2, (const char *address, void **device),
     (*device = &gpu, strcmp(address, FAKE_ADDRESS) ? 6 : 0))
FAKE(nvmlSystemGetDriverVersion, (char *text, unsigned bytes),
     (snprintf(text, bytes, "580.1.2"), fake_nvml.unsupported))
FAKE(nvmlDeviceGetUUID, (void *device, char *text, unsigned bytes),
     (snprintf(text, bytes, "GPU-1"), device != &gpu || fake_nvml.unsupported))
FAKE(nvmlDeviceGetCurrentClocksThrottleReasons,
     (void *device, unsigned long long *mask),
     (*mask = fake_nvml.reasons, device != &gpu || fake_nvml.unsupported))
