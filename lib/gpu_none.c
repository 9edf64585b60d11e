/* SPDX-License-Identifier: MIT */
#include "lib/opened.h"

int gpu_read(int index, struct device_facts *facts, struct driver_facts *driver,
             bool *absent)
{
    (void)index, (void)facts, (void)driver;
    *absent = true;
    return 0;
}

int gpu_current(void)
{
    return -1;
}

const char *gpu_error_text(int error)
{
    (void)error;
    return "an error of CUDA, but this library was built without CUDA";
}
