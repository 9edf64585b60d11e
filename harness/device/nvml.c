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

enum {
    NVML_CLOCK_GRAPHICS = 0,
    NVML_CLOCK_SM = 1,
    NVML_CLOCK_MEM = 2,
    NVML_TEMPERATURE_GPU = 0,
    REASON_APPLICATIONS_CLOCKS = 0x2,
};

static void *library;
static nvml_device device;
static const char *absent; /* the first function that was not found */

/* Stores a function's address in the pointer at `function`. */
static bool find(const char *name, void *function)
{
    void *found = dlsym(library, name);
    if (!found && !absent)
        absent = name;
    memcpy(function, &found, sizeof found);
    return found;
}

static const char *lacking(const char *what, const char *name)
{
    static char text[160];
    snprintf(text, sizeof text, "%s%s: its facts and readings stay empty", what,
             name);
    return text;
}

/* ------------------------------------------------------------------ facts */

/* These return a value, or -1. */
static int number(const char *name)
{
    int (*get)(nvml_device, unsigned *);
    unsigned value;
    return find(name, &get) && get(device, &value) == 0 ? (int)value : -1;
}

static int number_of(const char *name, unsigned which)
{
    int (*get)(nvml_device, unsigned, unsigned *);
    unsigned value;
    return find(name, &get) && get(device, which, &value) == 0 ? (int)value
                                                               : -1;
}

static int mode(const char *name)
{
    int (*get)(nvml_device, unsigned *, unsigned *);
    unsigned now, pending;
    return find(name, &get) && get(device, &now, &pending) == 0 ? now != 0 : -1;
}

static unsigned long long reasons(void)
{
    static const char newer[] = "nvmlDeviceGetCurrentClocksEventReasons";
    static const char older[] = "nvmlDeviceGetCurrentClocksThrottleReasons";
    int (*get)(nvml_device, unsigned long long *);
    unsigned long long mask;
    const char *name = dlsym(library, newer) ? newer : older;
    return find(name, &get) && get(device, &mask) == 0 ? mask : 0;
}

/* NVML does not report locked clocks, but application clocks, and whether a
 * setting limits the clock. */
static int clocks_locked(void)
{
    const int set =
        number_of("nvmlDeviceGetApplicationsClock", NVML_CLOCK_GRAPHICS);
    const int usual =
        number_of("nvmlDeviceGetDefaultApplicationsClock", NVML_CLOCK_GRAPHICS);
    if (reasons() & REASON_APPLICATIONS_CLOCKS)
        return 1;
    return set < 0 || usual < 0 ? -1 : set != usual;
}

static void read_facts(struct driver_facts *facts)
{
    char uuid[96];
    int (*get_version)(char *, unsigned);
    int (*get_uuid)(nvml_device, char *, unsigned);
    if (find("nvmlSystemGetDriverVersion", &get_version) &&
        get_version(facts->version, sizeof facts->version) != 0)
        facts->version[0] = '\0';
    if (find("nvmlDeviceGetUUID", &get_uuid) &&
        get_uuid(device, uuid, sizeof uuid) == 0)
        facts->uuid_hash = hash_text(uuid);
    facts->ecc = mode("nvmlDeviceGetEccMode");
    facts->mig = mode("nvmlDeviceGetMigMode");
    facts->clocks_locked = clocks_locked();
    facts->sm_max_mhz = number_of("nvmlDeviceGetMaxClockInfo", NVML_CLOCK_SM);
    facts->power_limit_mw = number("nvmlDeviceGetEnforcedPowerLimit");
    facts->pcie_generation = number("nvmlDeviceGetMaxPcieLinkGeneration");
    facts->pcie_lanes = number("nvmlDeviceGetCurrPcieLinkWidth");
}

const char *nvml_open(const char *pci_address, struct driver_facts *facts)
{
    int (*init)(void);
    int (*get_handle)(const char *, nvml_device *);
    struct sensors sensors;
    *facts = (struct driver_facts){ .ecc = -1,
                                    .mig = -1,
                                    .clocks_locked = -1,
                                    .sm_max_mhz = -1,
                                    .power_limit_mw = -1,
                                    .pcie_generation = -1,
                                    .pcie_lanes = -1 };
    device = NULL;
    absent = NULL;
    library = dlopen(NVML_LIBRARY, RTLD_NOW);
    if (!library)
        return lacking("there is no NVML, ", NVML_LIBRARY);
    if (!find("nvmlInit_v2", &init) || init() != 0 ||
        !find("nvmlDeviceGetHandleByPciBusId_v2", &get_handle))
        return lacking("NVML does not start", "");
    if (get_handle(pci_address, &device) != 0) {
        device = NULL;
        return lacking("NVML has no GPU at ", pci_address);
    }
    read_facts(facts);
    nvml_sense(&sensors); /* to note which functions are absent */
    return absent ? lacking("NVML has no ", absent) : NULL;
}

/* ---------------------------------------------------------------- readings */

static double known(int value)
{
    return value < 0 ? NAN : value;
}

void nvml_sense(struct sensors *sensors)
{
    *sensors = sensors_unknown();
    if (!device)
        return;
    sensors->sm_mhz = known(number_of("nvmlDeviceGetClockInfo", NVML_CLOCK_SM));
    sensors->mem_mhz =
        known(number_of("nvmlDeviceGetClockInfo", NVML_CLOCK_MEM));
    sensors->temp_c =
        known(number_of("nvmlDeviceGetTemperature", NVML_TEMPERATURE_GPU));
    sensors->power_w = known(number("nvmlDeviceGetPowerUsage")) / 1e3;
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
