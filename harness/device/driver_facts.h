/* SPDX-License-Identifier: MIT
 *
 * Facts about a machine that kernels do not see, for the manifest. nvml.c fills
 * them in, and cuda_facts.c adds those of the runtime.
 */
#ifndef HARNESS_DEVICE_DRIVER_FACTS_H
#define HARNESS_DEVICE_DRIVER_FACTS_H

/* An unknown fact is an empty text, -1, or a hash of 0. */
struct driver_facts {
    char version[80];             /* "580.95.05" */
    unsigned long long uuid_hash; /* distinguishes boards, names none */
    int ecc, mig;                 /* 1 on, 0 off */
    int clocks_locked; /* 1 if a setting holds the SM clock; 0 if NVML has no
                          sign of that */
    int sm_max_mhz;
    int power_limit_mw;
    int pcie_generation, pcie_lanes;

    /* From the runtime; 0 without one. */
    char name[256];      /* "NVIDIA H200"; of a host, its processor's */
    const char *pretend; /* the architecture that it is treated as, with which
                            the name ends, or NULL */
    int sm_clock_khz, memory_clock_khz, memory_bus_bits;
    int cuda_driver, cuda_runtime; /* 13000 for 13.0 */
    int code; /* architecture whose code of this program it runs: 900 for 9.0 */
};

/* The memory bus's bandwidth in 1e9 bytes per second, or 0 if unknown. */
static inline double driver_bus_gbps(const struct driver_facts *driver)
{
    return 2e-6 * driver->memory_clock_khz * driver->memory_bus_bits / 8;
}

#endif
