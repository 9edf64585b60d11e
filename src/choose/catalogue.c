/* SPDX-License-Identifier: MIT */
#include "src/choose/catalogue.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *catalogue_folder(enum op op)
{
    if (op_is_scan(op))
        return "scan";
    return op_is_reduction(op) ? "reduce" : op == OP_FLIP ? "flip" : "stream";
}

int catalogue_find(const struct catalogue_point *points, enum op op,
                   const char *name)
{
    const char *folder = catalogue_folder(op);
    const size_t chars = strlen(folder);
    for (int k = 0; points[k].name; ++k)
        if (strcmp(points[k].name, name) == 0 &&
            strncmp(points[k].id, folder, chars) == 0 &&
            points[k].id[chars] == '/' &&
            (op_inputs(op) < 2 || strstr(points[k].file, "/recurrence")))
            return k;
    return -1;
}

const char *const contract_names[] = { "deterministic", "portable_bits",
                                       "monotone", NULL };

/* True for ids of the operation's folder, and of those for every operation. */
static bool may_serve(const char *id, enum op op)
{
    const char *const folders[] = { catalogue_folder(op), "host", "best" };
    const size_t chars = strcspn(id, "/");
    for (int k = 0; k < 3; ++k)
        if (strlen(folders[k]) == chars && !strncmp(id, folders[k], chars))
            return true;
    return false;
}

unsigned catalogue_contracts(const struct catalogue_point *points, enum op op,
                             enum dtype dtype, const char *name,
                             unsigned unlisted)
{
    bool found = false;
    unsigned declared = CONTRACTS;
    for (; points->name; ++points)
        if (strcmp(points->name, name) == 0 && may_serve(points->id, op)) {
            found = true;
            declared &= points->contracts;
        }
    if (!found && dtype_is_float(dtype)) /* its extremes may differ */
        return unlisted & contracts_kept(unlisted, op, dtype);
    return contracts_kept(declared, op, dtype);
}

bool catalogue_is_own(const struct catalogue_point *points, const char *family)
{
    for (; points->name; ++points) {
        const char *slash = strchr(points->id, '/');
        if (slash && strcmp(slash + 1, family) == 0)
            return !strstr(points->file, "/library/");
    }
    return false;
}

/* ----------------------------------------------------------- kernel headers */

/* A field's name follows " * "; its text begins in this column. */
enum { TEXT_COLUMN = 12 };

bool kernel_header_field(const char *source, const char *field,
                         char text[KERNEL_FIELD_BYTES])
{
    const char *end = strstr(source, "*/");
    bool inside = false;
    size_t used = 0;
    *text = '\0';
    for (const char *line = source; end && line < end;) {
        const size_t bytes = strcspn(line, "\n");
        const bool named = strncmp(line, " * ", 3) == 0 && line[3] != ' ';
        const size_t chars = named ? strcspn(line + 3, " \n") : 0;
        if (chars || bytes < TEXT_COLUMN)
            inside =
                chars == strlen(field) && strncmp(line + 3, field, chars) == 0;
        if (inside && bytes >= TEXT_COLUMN &&
            used + bytes - TEXT_COLUMN + 2 <= KERNEL_FIELD_BYTES)
            used +=
                (size_t)sprintf(text + used, "%s%.*s", used ? " " : "",
                                (int)bytes - TEXT_COLUMN, line + TEXT_COLUMN);
        line += bytes + (line[bytes] == '\n');
    }
    return *text != '\0';
}

/* ------------------------------------------------------- styles of families */

/* The best of all seeds below 2^24: the colours of families that share a chart
 * of results/h?00/default are at least 0.10 apart in OKLab, but for CUB's. */
enum { SEED = 2969687 };

/* Converts from OKLCH, clipped to sRGB. */
static unsigned srgb(double light, double chroma, double degrees)
{
    const double hue = degrees * 3.14159265358979 / 180;
    const double a = chroma * cos(hue), b = chroma * sin(hue);
    const double l = pow(light + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = pow(light - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = pow(light - 0.0894841775 * a - 1.2914855480 * b, 3);
    const double linear[] = {
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    };
    unsigned colour = 0;
    for (int k = 0; k < 3; ++k) {
        const double x = fmin(fmax(linear[k], 0), 1);
        const double y =
            x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055;
        colour = colour << 8 | (unsigned)lround(255 * y);
    }
    return colour;
}

struct family_style family_style(const char *family)
{
    static const double lights[] = { 0.56, 0.47, 0.63 },
                        chromas[] = { 0.16, 0.11, 0.14 };
    uint32_t hash = SEED;
    for (const char *c = family; *c; ++c)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
    hash ^= hash >> 12;
    const uint32_t turned = hash % 285, step = hash / 285 % 3;
    const double hue = strncmp(family, "cub_", 4) == 0 ? 140 + 8 * step
                       : turned < 110 ? turned /* skips CUB's greens */
                                      : turned + 75;
    return (struct family_style){
        srgb(lights[step], chromas[step], hue),
        srgb(lights[step] + 0.18, chromas[step] - 0.02, hue),
        (int)(hash / 855 % FAMILY_POINTS),
    };
}
