/* SPDX-License-Identifier: MIT */
#include "harness/device/nvml.h"

#include "src/base/hash.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifndef NVML_LIBRARY /* the tests have one of their own */
#define NVML_LIBRARY "libnvidia-ml.so.1"
#endif

typedef void *nvml_device; /* every function returns 0 for success */
static int (*init)(void);
static int (*get_handle)(const char *, nvml_device *);
static int (*get_version)(char *, unsigned);
static int (*get_uuid)(nvml_device, char *, unsigned);
static int (*get_clock)(nvml_device, unsigned, unsigned *);
static int (*get_max_clock)(nvml_device, unsigned, unsigned *);
static int (*get_set_clock)(nvml_device, unsigned, unsigned *);
static int (*get_default_clock)(nvml_device, unsigned, unsigned *);
static int (*get_temperature)(nvml_device, unsigned, unsigned *);
static int (*get_power)(nvml_device, unsigned *);       /* mW */
static int (*get_power_limit)(nvml_device, unsigned *); /* mW */
static int (*get_reasons)(nvml_device, unsigned long long *);
static int (*get_ecc)(nvml_device, unsigned *now, unsigned *pending);
static int (*get_mig)(nvml_device, unsigned *now, unsigned *pending);
static int (*get_pcie_generation)(nvml_device, unsigned *);
static int (*get_pcie_lanes)(nvml_device, unsigned *);

enum {
    NVML_CLOCK_GRAPHICS = 0,
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_TEMPERATURE_GPU = 0,
    REASON_APPLICATIONS_CLOCKS = 0x2,
};

/* The second name is that of older drivers. */
static const struct {
    void *function;
    const char *name, *older;
} functions[] = {
    { &init, "nvmlInit_v2", NULL },
    { &get_handle, "nvmlDeviceGetHandleByPciBusId_v2", NULL },
    { &get_version, "nvmlSystemGetDriverVersion", NULL },
    { &get_uuid, "nvmlDeviceGetUUID", NULL },
    { &get_clock, "nvmlDeviceGetClockInfo", NULL },
    { &get_max_clock, "nvmlDeviceGetMaxClockInfo", NULL },
    { &get_set_clock, "nvmlDeviceGetApplicationsClock", NULL },
    { &get_default_clock, "nvmlDeviceGetDefaultApplicationsClock", NULL },
    { &get_temperature, "nvmlDeviceGetTemperature", NULL },
    { &get_power, "nvmlDeviceGetPowerUsage", NULL },
    { &get_power_limit, "nvmlDeviceGetEnforcedPowerLimit", NULL },
    { &get_reasons, "nvmlDeviceGetCurrentClocksEventReasons",
      "nvmlDeviceGetCurrentClocksThrottleReasons" },
    { &get_ecc, "nvmlDeviceGetEccMode", NULL },
    { &get_mig, "nvmlDeviceGetMigMode", NULL },
    { &get_pcie_generation, "nvmlDeviceGetMaxPcieLinkGeneration", NULL },
    { &get_pcie_lanes, "nvmlDeviceGetCurrPcieLinkWidth", NULL },
};

static nvml_device device;
static char missing[160];

/* Returns the name of a missing function, or NULL. */
static const char *find_functions(void *library)
{
    const char *absent = NULL;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; ++k) {
        void *found = dlsym(library, functions[k].name);
        if (!found && functions[k].older)
            found = dlsym(library, functions[k].older);
        if (!found && !absent)
            absent = functions[k].name;
        /* POSIX lets a dlsym() pointer be stored through a void **. */
        *(void **)functions[k].function = found;
    }
    return absent;
}

static const char *lacking(const char *what)
{
    snprintf(missing, sizeof missing, "%s: what it would tell stays empty",
             what);
    return missing;
}

/* ------------------------------------------------------------------ facts */

/* A value, or -1. */
static int number(int (*get)(nvml_device, unsigned *))
{
    unsigned value;
    return get && get(device, &value) == 0 ? (int)value : -1;
}

static int clock_mhz(int (*get)(nvml_device, unsigned, unsigned *),
                     unsigned which)
{
    unsigned mhz;
    return get && get(device, which, &mhz) == 0 ? (int)mhz : -1;
}

static int mode(int (*get)(nvml_device, unsigned *, unsigned *))
{
    unsigned now, pending;
    return get && get(device, &now, &pending) == 0 ? now != 0 : -1;
}

static unsigned long long reasons(void)
{
    unsigned long long mask;
    return get_reasons && get_reasons(device, &mask) == 0 ? mask : 0;
}

/* NVML has no function for it, but it has the application clocks, and a reason
 * for a clock limited by a setting. */
static int clocks_locked(void)
{
    const int set = clock_mhz(get_set_clock, NVML_CLOCK_GRAPHICS);
    const int usual = clock_mhz(get_default_clock, NVML_CLOCK_GRAPHICS);
    if (reasons() & REASON_APPLICATIONS_CLOCKS)
        return 1;
    return set < 0 || usual < 0 ? -1 : set != usual;
}

static void read_facts(struct driver_facts *facts)
{
    char uuid[96];
    if (get_version && get_version(facts->version, sizeof facts->version))
        facts->version[0] = '\0';
    if (get_uuid && get_uuid(device, uuid, sizeof uuid) == 0)
        facts->uuid_hash = hash_text(uuid);
    facts->ecc = mode(get_ecc);
    facts->mig = mode(get_mig);
    facts->clocks_locked = clocks_locked();
    facts->sm_max_mhz = clock_mhz(get_max_clock, NVML_CLOCK_SM);
    facts->power_limit_mw = number(get_power_limit);
    facts->pcie_generation = number(get_pcie_generation);
    facts->pcie_lanes = number(get_pcie_lanes);
}

const char *nvml_open(const char *pci_address, struct driver_facts *facts)
{
    *facts = (struct driver_facts){ .ecc = -1,
                                    .mig = -1,
                                    .clocks_locked = -1,
                                    .sm_max_mhz = -1,
                                    .power_limit_mw = -1,
                                    .pcie_generation = -1,
                                    .pcie_lanes = -1 };
    device = NULL;
    void *library = dlopen(NVML_LIBRARY, RTLD_NOW);
    if (!library)
        return lacking("no NVML (" NVML_LIBRARY ") here");
    const char *absent = find_functions(library);
    if (!init || !get_handle || init() != 0)
        return lacking("NVML does not start");
    if (get_handle(pci_address, &device) != 0) {
        device = NULL;
        return lacking("NVML does not know this GPU");
    }
    read_facts(facts);
    char text[96];
    snprintf(text, sizeof text, "NVML has no %s", absent ? absent : "");
    return absent ? lacking(text) : NULL;
}

/* ---------------------------------------------------------------- readings */

static double known(int value)
{
    return value < 0 ? NAN : value;
}

void nvml_sense(struct sensors *sensors)
{
    *sensors = (struct sensors){ NAN, NAN, NAN, NAN, 0 };
    if (!device)
        return;
    sensors->sm_mhz = known(clock_mhz(get_clock, NVML_CLOCK_SM));
    sensors->mem_mhz = known(clock_mhz(get_clock, NVML_CLOCK_MEM));
    sensors->temp_c = known(clock_mhz(get_temperature, NVML_TEMPERATURE_GPU));
    sensors->power_w = known(number(get_power)) / 1e3;
    sensors->throttle = reasons();
}

/* The bits of nvmlClocksEventReasons, from the lowest. */
static const char *const reason_words[] = {
    "gpu_idle",
    "applications_clocks",
    "sw_power_cap",
    "hw_slowdown",
    "sync_boost",
    "sw_thermal_slowdown",
    "hw_thermal_slowdown",
    "hw_power_brake",
    "display_clocks",
};
enum { REASON_WORDS = sizeof reason_words / sizeof *reason_words };

char *nvml_throttle_words(unsigned long long throttle, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int bit = 0; bit < 64; ++bit) {
        char newer[8];
        if (!(throttle >> bit & 1))
            continue;
        snprintf(newer, sizeof newer, "bit_%d", bit);
        const char *word = bit < REASON_WORDS ? reason_words[bit] : newer;
        if (used + 1 + strlen(word) >= bytes)
            break;
        used += (size_t)sprintf(text + used, "%s%s", used ? "+" : "", word);
    }
    return text;
}

bool nvml_throttled(unsigned long long throttle)
{
    return (throttle & ~0x103ull) != 0;
}
