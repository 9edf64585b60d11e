/* SPDX-License-Identifier: MIT */
#include "harness/nvml.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

/* The few functions used, by their documented C prototypes (NVML API
 * reference); 0 is success. nvml.h itself need not be installed. */
typedef void *nvml_device;
static int (*get_clock)(nvml_device, unsigned, unsigned *);
static int (*get_temperature)(nvml_device, unsigned, unsigned *);
static int (*get_power)(nvml_device, unsigned *); /* mW */
static nvml_device device;

enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_TEMPERATURE_GPU = 0 };

/* POSIX lets a dlsym() pointer be stored through a void **. */
static void find(void *library, const char *name, void *function)
{
    *(void **)function = dlsym(library, name);
}

void nvml_open(int index)
{
    int (*init)(void);
    int (*get_handle)(const char *, nvml_device *);
    char address[32];
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "scanbench: no NVML here: clocks, temperature and "
                        "power stay empty\n");
        return;
    }
    find(library, "nvmlInit_v2", &init);
    find(library, "nvmlDeviceGetHandleByPciBusId_v2", &get_handle);
    find(library, "nvmlDeviceGetClockInfo", &get_clock);
    find(library, "nvmlDeviceGetTemperature", &get_temperature);
    find(library, "nvmlDeviceGetPowerUsage", &get_power);
    if (!init || !get_handle || init() != 0 ||
        cudaDeviceGetPCIBusId(address, sizeof address, index) != cudaSuccess ||
        get_handle(address, &device) != 0)
        device = NULL;
}

static double clock_mhz(unsigned which)
{
    unsigned mhz;
    return get_clock && get_clock(device, which, &mhz) == 0 ? mhz : NAN;
}

void nvml_sense(struct sensors *sensors)
{
    unsigned value;
    *sensors = (struct sensors){ NAN, NAN, NAN, NAN };
    if (!device)
        return;
    sensors->sm_mhz = clock_mhz(NVML_CLOCK_SM);
    sensors->mem_mhz = clock_mhz(NVML_CLOCK_MEM);
    if (get_temperature &&
        get_temperature(device, NVML_TEMPERATURE_GPU, &value) == 0)
        sensors->temp_c = value;
    if (get_power && get_power(device, &value) == 0)
        sensors->power_w = value / 1e3;
}
