/* SPDX-License-Identifier: MIT
 *
 * Facts about a machine that kernels do not see, for the manifest. nvml.c fills
 * them in, and cuda_facts.c adds those of the runtime.
 */
#ifndef HARNESS_DEVICE_DRIVER_FACTS_H
#define HARNESS_DEVICE_DRIVER_FACTS_H

/* Unknown: an empty text, -1, or a hash of 0. */
struct driver_facts {
    char version[80];             /* "580.95.05" */
    unsigned long long uuid_hash; /* tells two boards apart, names neither */
    int ecc, mig;                 /* 1 on, 0 off */
    int clocks_locked; /* 1: the SM clock is held by a setting; 0: it is not,
                          as far as NVML tells */
    int sm_max_mhz;
    int power_limit_mw;
    int pcie_generation, pcie_lanes;

    /* by the runtime; 0 where there is none */
    char name[256];      /* "NVIDIA H200"; a host: its processor's */
    const char *pretend; /* the architecture it is taken for, which the name
                            ends with; NULL: itself */
    int sm_clock_khz, memory_clock_khz, memory_bus_bits;
    int cuda_driver, cuda_runtime; /* 13000 for 13.0 */
    int code; /* whose code of this program it runs: 900 for that of 9.0 */
};

/* The memory bus's bandwidth, 1e9 bytes a second; 0 if unknown. */
static inline double driver_bus_gbps(const struct driver_facts *driver)
{
    return 2e-6 * driver->memory_clock_khz * driver->memory_bus_bits / 8;
}

#endif
