/* SPDX-License-Identifier: MIT
 *
 * Replaces libnvidia-ml.so.1 in the tests: a GPU in a state that the test sets.
 * FAKE_OLD is a driver from before "event reasons" and MIG.
 */
#include "harness/device/fake_nvml.h"

#include <stdio.h>
#include <string.h>

struct fake_nvml fake_nvml;

#define FAKE(name, ...) int name(__VA_ARGS__)

static char gpu;

static int give(unsigned value, unsigned *to)
{
    *to = value;
    return fake_nvml.unsupported ? 3 : 0;
}

FAKE(nvmlInit_v2, void);
FAKE(nvmlInit_v2, void)
{
    return fake_nvml.broken ? 9 : 0;
}

FAKE(nvmlDeviceGetHandleByPciBusId_v2, const char *, void **);
FAKE(nvmlDeviceGetHandleByPciBusId_v2, const char *address, void **device)
{
    *device = &gpu;
    return strcmp(address, FAKE_ADDRESS) ? 6 : 0;
}

FAKE(nvmlSystemGetDriverVersion, char *, unsigned);
FAKE(nvmlSystemGetDriverVersion, char *text, unsigned bytes)
{
    snprintf(text, bytes, "580.1.2");
    return fake_nvml.unsupported ? 3 : 0;
}

FAKE(nvmlDeviceGetUUID, void *, char *, unsigned);
FAKE(nvmlDeviceGetUUID, void *device, char *text, unsigned bytes)
{
    snprintf(text, bytes, "GPU-secret");
    return device != &gpu || fake_nvml.unsupported;
}

/* By type: 0 graphics, 1 SM, 2 memory. */
FAKE(nvmlDeviceGetClockInfo, void *, unsigned, unsigned *);
FAKE(nvmlDeviceGetClockInfo, void *device, unsigned type, unsigned *mhz)
{
    return give(1000 + 100 * type, mhz) || device != &gpu;
}

FAKE(nvmlDeviceGetMaxClockInfo, void *, unsigned, unsigned *);
FAKE(nvmlDeviceGetMaxClockInfo, void *device, unsigned type, unsigned *mhz)
{
    return give(1900 + 10 * type, mhz) || device != &gpu;
}

FAKE(nvmlDeviceGetApplicationsClock, void *, unsigned, unsigned *);
FAKE(nvmlDeviceGetApplicationsClock, void *device, unsigned type, unsigned *mhz)
{
    return give(fake_nvml.set_mhz, mhz) || device != &gpu || type != 0;
}

FAKE(nvmlDeviceGetDefaultApplicationsClock, void *, unsigned, unsigned *);
FAKE(nvmlDeviceGetDefaultApplicationsClock, void *device, unsigned type,
     unsigned *mhz)
{
    return give(1980, mhz) || device != &gpu || type != 0;
}

FAKE(nvmlDeviceGetTemperature, void *, unsigned, unsigned *);
FAKE(nvmlDeviceGetTemperature, void *device, unsigned sensor, unsigned *celsius)
{
    return give(41, celsius) || device != &gpu || sensor != 0;
}

FAKE(nvmlDeviceGetPowerUsage, void *, unsigned *);
FAKE(nvmlDeviceGetPowerUsage, void *device, unsigned *mw)
{
    (void)device; /* as a crash: nobody may ask while nothing is open */
    return give(512250, mw);
}

FAKE(nvmlDeviceGetEnforcedPowerLimit, void *, unsigned *);
FAKE(nvmlDeviceGetEnforcedPowerLimit, void *device, unsigned *mw)
{
    return give(700000, mw) || device != &gpu;
}

FAKE(nvmlDeviceGetEccMode, void *, unsigned *, unsigned *);
FAKE(nvmlDeviceGetEccMode, void *device, unsigned *now, unsigned *pending)
{
    return give(1, now) || give(0, pending) || device != &gpu;
}

FAKE(nvmlDeviceGetMaxPcieLinkGeneration, void *, unsigned *);
FAKE(nvmlDeviceGetMaxPcieLinkGeneration, void *device, unsigned *generation)
{
    return give(5, generation) || device != &gpu;
}

FAKE(nvmlDeviceGetCurrPcieLinkWidth, void *, unsigned *);
FAKE(nvmlDeviceGetCurrPcieLinkWidth, void *device, unsigned *lanes)
{
    return give(16, lanes) || device != &gpu;
}

#ifdef FAKE_OLD
#define REASONS nvmlDeviceGetCurrentClocksThrottleReasons
#else
#define REASONS nvmlDeviceGetCurrentClocksEventReasons

FAKE(nvmlDeviceGetMigMode, void *, unsigned *, unsigned *);
FAKE(nvmlDeviceGetMigMode, void *device, unsigned *now, unsigned *pending)
{
    return give(0, now) || give(1, pending) || device != &gpu;
}
#endif

FAKE(REASONS, void *, unsigned long long *);
FAKE(REASONS, void *device, unsigned long long *mask)
{
    *mask = fake_nvml.reasons;
    return device != &gpu || fake_nvml.unsupported;
}
