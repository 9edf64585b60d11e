/* SPDX-License-Identifier: MIT */
#include "harness/results.h"

#include "harness/version.h"
#include "src/csv.h"
#include "variants/registry.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool complain(const struct results *results, const char *name)
{
    fprintf(stderr,
            "scanbench: cannot write %s/%s: %s\n"
            "free some space or name another folder with -o; the rows "
            "written so far are kept\n",
            results->folder, name, strerror(errno));
    return false;
}

void results_slug(const char *name, char *slug, size_t bytes)
{
    size_t length = 0;
    if (strncmp(name, "NVIDIA ", 7) == 0)
        name += 7;
    for (; *name && length + 1 < bytes; ++name) {
        const unsigned char c = (unsigned char)*name;
        if (isalnum(c))
            slug[length++] = (char)tolower(c);
        else if (length && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    while (length && slug[length - 1] == '-')
        --length;
    slug[length] = '\0';
}

/* The commit measured: the environment's word for a tree without git, else
 * what the build saw. */
static const char *commit(void)
{
    const char *named = getenv("SCANBENCH_COMMIT");
    return named && *named ? named : SCANBENCH_VERSION;
}

static bool make_folders(const char *folder)
{
    char part[1024];
    for (size_t k = 1; k < sizeof part && k <= strlen(folder); ++k) {
        if (folder[k] != '/' && folder[k] != '\0')
            continue;
        memcpy(part, folder, k);
        part[k] = '\0';
        if (mkdir(part, 0777) && errno != EEXIST)
            return false;
    }
    return true;
}

static FILE *open_in(struct results *results, const char *name)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", results->folder, name);
    FILE *file = fopen(path, "w");
    if (!file)
        complain(results, name);
    return file;
}

/* All of it, down to the disk. */
static bool settle(FILE *file)
{
    return fflush(file) == 0 && !ferror(file) && fsync(fileno(file)) == 0;
}

bool results_fact(struct results *results, const char *key, const char *format,
                  ...)
{
    va_list arguments;
    int k = 0;
    while (k < results->fact_count && strcmp(results->facts[k].key, key))
        ++k;
    if (k == (int)(sizeof results->facts / sizeof *results->facts))
        return false;
    if (k == results->fact_count)
        ++results->fact_count;
    snprintf(results->facts[k].key, sizeof results->facts[k].key, "%s", key);
    va_start(arguments, format);
    vsnprintf(results->facts[k].value, sizeof results->facts[k].value, format,
              arguments);
    va_end(arguments);
    return true;
}

static bool write_manifest(struct results *results)
{
    char path[1200], new_path[1216];
    FILE *file = open_in(results, "manifest.csv.new");
    if (!file)
        return false;
    fputs("key,value\n", file);
    for (int k = 0; k < results->fact_count; ++k) {
        csv_write_field(file, true, results->facts[k].key);
        csv_write_field(file, false, results->facts[k].value);
        csv_write_end(file);
    }
    bool ok = settle(file);
    ok &= fclose(file) == 0;
    snprintf(path, sizeof path, "%s/manifest.csv", results->folder);
    snprintf(new_path, sizeof new_path, "%s.new", path);
    if (!ok || rename(new_path, path))
        return complain(results, "manifest.csv");
    return true;
}

/* FNV-1a: enough to tell two hosts apart without naming them. */
static unsigned long long hash_of(const char *text)
{
    unsigned long long hash = 0xcbf29ce484222325u;
    for (; *text; ++text)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

static void device_facts(struct results *results,
                         const struct device_facts *facts)
{
    results_fact(results, "device", "%s", results->device);
    results_fact(results, "device_name", "%s", facts->name);
    results_fact(results, "device_kind", "%s",
                 facts->kind == DEVICE_HOST ? "host" : "cuda");
    results_fact(results, "sm_count", "%d", facts->sm_count);
    results_fact(results, "l2_bytes", "%lld", (long long)facts->l2_bytes);
    results_fact(results, "memory_bytes", "%lld",
                 (long long)facts->memory_bytes);
    if (facts->kind == DEVICE_HOST)
        return;
    results_fact(results, "compute_capability", "%d.%d",
                 facts->compute_capability / 10,
                 facts->compute_capability % 10);
    results_fact(results, "sm_clock_max_mhz", "%g", facts->sm_clock_khz / 1e3);
    results_fact(results, "mem_clock_max_mhz", "%g",
                 facts->memory_clock_khz / 1e3);
    results_fact(results, "mem_bus_bits", "%d", facts->memory_bus_bits);
    results_fact(results, "attribute_peak_gbps", "%.1f",
                 2e-6 * facts->memory_clock_khz * facts->memory_bus_bits / 8);
    results_fact(results, "ecc", "%d", facts->ecc);
    results_fact(results, "cuda_driver", "%d", facts->driver_version);
    results_fact(results, "cuda_runtime", "%d", facts->runtime_version);
}

/* Where a run was written is nobody else's business: manifests are
 * published. */
static bool names_folder(const char *option)
{
    return strcmp(option, "-o") == 0 || strcmp(option, "--out") == 0;
}

static void run_facts(struct results *results, const char *utc, int argc,
                      char **argv)
{
    char words[1024] = "", host[256] = "";
    for (int k = 1; k < argc; ++k)
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s",
                 k > 1 ? " " : "",
                 k > 1 && names_folder(argv[k - 1]) ? "DIR" : argv[k]);
    gethostname(host, sizeof host - 1);
    results_fact(results, "schema", "1");
    results_fact(results, "complete", "0");
    results_fact(results, "utc", "%s", utc);
    results_fact(results, "commit", "%s", commit());
    results_fact(results, "arguments", "%s", words);
    results_fact(results, "built_with", "%s", SCANBENCH_BUILT_WITH);
    results_fact(results, "host_hash", "%016llx", hash_of(host));
}

bool results_open(struct results *results, const char *out,
                  const struct device_facts *facts, int argc, char **argv)
{
    const char *root = getenv("SCANBENCH_RESULTS");
    char utc[32], path[1200];
    time_t now = time(NULL);
    struct tm calendar;
    gmtime_r(&now, &calendar);
    strftime(utc, sizeof utc, "%Y%m%dT%H%M%SZ", &calendar);
    *results = (struct results){ 0 };
    results_slug(facts->name, results->device, sizeof results->device);
    if (out)
        snprintf(results->folder, sizeof results->folder, "%s", out);
    else
        snprintf(results->folder, sizeof results->folder, "%s/%s/%s-%.12s",
                 root && *root ? root : "results", results->device, utc,
                 commit());
    if (!make_folders(results->folder))
        return complain(results, "");
    snprintf(path, sizeof path, "%s/manifest.csv", results->folder);
    if (access(path, F_OK) == 0) {
        fprintf(stderr,
                "scanbench: %s holds a run already; name another folder "
                "with -o\n",
                results->folder);
        return false;
    }
    run_facts(results, utc, argc, argv);
    device_facts(results, facts);
    results->ceilings = open_in(results, "ceilings.csv");
    if (!results->ceilings)
        return false;
    fputs(
        "kind,twin,dtype,cache,elems,bytes,gbps,gflops,variant,launch,phase\n",
        results->ceilings);
    return write_manifest(results);
}

bool results_row(struct results *results, const struct row *row)
{
    char name[64];
    FILE **file = &results->op[row->op];
    snprintf(name, sizeof name, "%s.csv", op_name(row->op));
    if (!*file) {
        *file = open_in(results, name);
        if (!*file)
            return false;
        row_write_header(*file);
    }
    row_write(*file, row);
    return settle(*file) || complain(results, name);
}

bool results_ceiling(struct results *results, const struct ceiling *ceiling)
{
    FILE *file = results->ceilings;
    const bool traffic = ceiling->twin >= 0;
    fprintf(file, "%s,%s,%s,%s,", traffic ? "traffic" : "add",
            traffic ? op_name((enum op)ceiling->twin) : "",
            dtype_name(ceiling->dtype), cache_name(ceiling->cache));
    if (traffic)
        fprintf(file, "%lld,%lld,%.9g,,%s,%d,%s\n", (long long)ceiling->elems,
                (long long)ceiling->bytes, ceiling->gbps, ceiling->variant,
                ceiling->launch, ceiling->phase);
    else
        fprintf(file, ",,,%.9g,,%d,%s\n", ceiling->gflops, ceiling->launch,
                ceiling->phase);
    return settle(file) || complain(results, "ceilings.csv");
}

bool results_close(struct results *results, bool complete)
{
    results_fact(results, "complete", "%d", complete);
    bool ok = write_manifest(results);
    for (int o = 0; o < OP_COUNT; ++o)
        if (results->op[o] && fclose(results->op[o]))
            ok = complain(results, op_name((enum op)o));
    if (fclose(results->ceilings))
        ok = complain(results, "ceilings.csv");
    return ok;
}
