/* SPDX-License-Identifier: MIT
 *
 * What only a GPU's driver tells of its state: to doubt a run by, and no
 * business of a kernel. harness/device/nvml.c fills it in.
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
};

#endif
