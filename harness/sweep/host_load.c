/* SPDX-License-Identifier: MIT */
#include "harness/sweep/host_load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static double ticks_s(double ticks)
{
    return ticks / (double)sysconf(_SC_CLK_TCK);
}

/* The first line: user nice system idle iowait irq softirq steal. */
static void read_host(struct host_load *load)
{
    double of[8];
    FILE *file = fopen("/proc/stat", "r");
    load->all_s = load->busy_s = NAN;
    if (!file)
        return;
    if (fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &of[0], &of[1],
               &of[2], &of[3], &of[4], &of[5], &of[6], &of[7]) == 8) {
        double all = 0;
        for (int k = 0; k < 8; ++k)
            all += of[k];
        load->all_s = ticks_s(all);
        load->busy_s = ticks_s(all - of[3] - of[4]);
    }
    fclose(file);
}

static double usage_s(int who)
{
    struct rusage usage;
    if (getrusage(who, &usage))
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* utime and stime, the 14th and 15th word: 11 behind the name's ")". */
static double child_s(pid_t child)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)child);
    FILE *file = child > 0 ? fopen(path, "r") : NULL;
    if (!file)
        return 0;
    const size_t bytes = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[bytes] = '\0';
    const char *at = strrchr(text, ')');
    double user, system;
    if (!at || sscanf(at + 1,
                      " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
                      "%lf %lf",
                      &user, &system) != 2)
        return 0;
    return ticks_s(user + system);
}

struct host_load host_load_now(pid_t child)
{
    struct host_load load;
    read_host(&load);
    load.own_s =
        usage_s(RUSAGE_SELF) + usage_s(RUSAGE_CHILDREN) + child_s(child);
    return load;
}

double host_load_others_pct(const struct host_load *from,
                            const struct host_load *to)
{
    const double all = to->all_s - from->all_s;
    const double others = to->busy_s - from->busy_s - (to->own_s - from->own_s);
    return all > 0 ? 100 * fmin(fmax(others / all, 0), 1) : NAN;
}
