/* SPDX-License-Identifier: MIT
 *
 * The options of the commands that measure, verify or list cells.
 */
#pragma once

#include "harness/cell.h"
#include "harness/device/device.h"
#include "harness/plugins.h"
#include "harness/rule_sets.h"
#include "src/model/grid.h"
#include "src/pretend.h"
#include "src/runs/row.h"

#include <regex.h>

/* In the order of --help. options_parse() is for the first four; tune is a run
 * of all tuning points at one shape. */
enum command {
    COMMAND_RUN,
    COMMAND_CHECK,
    COMMAND_LIST,
    COMMAND_TUNE,
    COMMAND_WHICH, /* this and the following have options of their own */
    COMMAND_COMPARE,
    COMMAND_SHOW,
    COMMAND_TABLE,
    COMMAND_REPORT,
    COMMAND_REGRET,
    COMMAND_LADDER,
    COMMAND_RULES,
    COMMAND_NEW,
    COMMAND_COUNT
};

enum { MAX_PATTERNS = 16, MAX_GRIDS = 8, MAX_SHAPES = 64, MAX_DEVICES = 16 };
enum { MAX_OFFSETS = 8, SHAPES_SAID = 3 };

struct device_place {
    enum device_kind kind;
    int index;
};

struct patterns {
    regex_t compiled[MAX_PATTERNS];
    int count;
};

/* Selects cells, and how they are printed; 0 and NULL select all. */
struct filter {
    struct patterns filters, excludes; /* on "op/variant/dtype/shape" */
    uint64_t ops;                      /* op_bit()s */
    const char *late_ops;    /* their names, "a,b", until plugins were read */
    unsigned dtypes, caches; /* bits 1 << enum value */
    struct shape shapes[MAX_SHAPES];
    char said[SHAPES_SAID][SHAPE_SAID_BYTES]; /* the first, as understood */
    int shape_count;
    unsigned contracts; /* enum contract: those that the variant must keep */
    const char *family; /* files or folders of variants: "a,b" */
    int top;            /* rows printed, of each kind; 0 for all */
    int format;         /* enum format of cli/common/rows.h */
};

struct options {
    struct filter filter;
    enum command command;
    char grids[MAX_GRIDS][GRID_NAME_BYTES];
    int grid_count;
    bool device_given;
    enum device_kind kind; /* of the first device, like the index */
    int index;
    struct device_place places[MAX_DEVICES];
    int place_count;
    bool all_devices;   /* every GPU of the machine */
    int together;       /* run: devices measured at the same time */
    const char *joined; /* run: the folder of all devices' runs, or NULL */
    const struct known_gpu *pretend; /* lowers the device's facts, or NULL */
    const char *rules;               /* the user's file of rules, or NULL */
    const struct rule_sets *sets;    /* all rules, or NULL if best has none */
    const char *plugin_paths[MAX_PLUGINS];
    int plugin_count;
    bool python;                   /* one of them is a Python function */
    const struct plugins *plugins; /* or NULL if none was read */
    const char *resume;            /* folder to resume, or NULL */
    const char *out; /* folder; NULL for results/<device>/<utc>-<commit>/ */
    char *folder;    /* set to the folder's name, of folder_bytes */
    size_t folder_bytes;
    int processes;        /* number of fresh processes that repeat the run */
    uint64_t seed;        /* for the order of the variants */
    const char *profile;  /* run: id of the only cell, launched once */
    double budget_ms;     /* sampling time of a cell */
    double slow_ms;       /* longest timed launch; NaN: by the ceiling */
    double timeout_s;     /* for a cell */
    double time_limit_s;  /* run: no problem begins later, or NaN */
    int repeats;          /* check: further launches, compared with the first */
    int ranks;            /* number of GPUs to split over; 0 for one device */
    int offset_count;     /* check: problems cycle through the offsets */
    struct stress stress; /* check: further conditions for verifying */
    struct offsets offsets[MAX_OFFSETS];
    bool dry_run, broken, must_fail, in_process, quiet;
    bool samples;                        /* run: keep all samples */
    bool frameworks;                     /* also their plugin */
    bool families, devices, only_shapes; /* list: these instead of ids */
};

/* Fills in options; false if the caller should end with *status, after help or
 * a message. Without a status, no help is printed. */
bool options_parse(int argc, char **argv, struct options *options, int *status);

/* True if the command times its cells. */
static inline bool options_time(const struct options *options)
{
    return options->command == COMMAND_RUN || options->command == COMMAND_TUNE;
}

/* Frees what a parse allocated, even if it failed. */
void options_free(struct options *options);

/* True if the id matches --filter, if given, and not --exclude. */
bool filter_wants(const struct filter *filter, const char *id);
