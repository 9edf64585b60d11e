/* SPDX-License-Identifier: MIT */
#include "cli/convert.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "cli/common/read_run.h"
#include "cli/common/unknown_name.h"
#include "harness/sweep/tally.h"
#include "src/runs/convert.h"
#include "src/runs/manifest.h"

static const char convert_help[] =
    "Makes runs of older schemas into runs that this scanbench reads.\n"
    "\n"
    "  scanbench convert OLD...           in place\n"
    "  scanbench convert OLD -o NEW       into a new folder\n"
    "\n"
    "  -o, --out NEW    the new folder\n"
    "  -h, --help\n"
    "\n"
    "Numbers stay as they are written. Variants get their present names\n"
    "(docs/renames.md), also in a CSV, or a folder of CSVs, that is no run.\n"
    "All files of a folder are replaced, or none.\n";

static int misused(const char *why)
{
    fprintf(stderr,
            "scanbench: convert: %s\nscanbench convert --help says how to use "
            "it\n",
            why);
    return EXIT_BAD;
}

static bool is_file(const char *path)
{
    struct stat stat_of;
    return stat(path, &stat_of) == 0 && S_ISREG(stat_of.st_mode);
}

int convert_command(int argc, char **argv)
{
    static const struct option names[] = {
        { "out", required_argument, NULL, 'o' },
        { "help", no_argument, NULL, 'h' },
        { 0 },
    };
    const char *out = NULL;
    bool ok = true;
    opterr = 0;
    optind = 2;
    for (int code;
         (code = getopt_long(argc, argv, ":o:h", names, NULL)) != -1;) {
        if (code == 'h')
            return fputs(convert_help, stdout) >= 0 ? EXIT_OK : EXIT_BAD;
        if (code != 'o') {
            unknown_option("convert", argv, code, names);
            return EXIT_BAD;
        }
        out = optarg;
    }
    if (optind == argc)
        return misused("name the folder of a run");
    if (out && optind + 1 < argc)
        return misused("-o is for one folder: name no other");
    if (out && is_file(argv[optind]))
        return misused("-o is for a folder: a file is converted where it is");
    for (int k = optind; k < argc; ++k) {
        int heard = 0;
        const struct listener listener = { hear_a_few, &heard };
        bool changed = true;
        const bool done =
            is_file(argv[k])
                ? convert_file(argv[k], &listener, &changed)
                : convert_folder(argv[k], out, &listener, &changed);
        listener_say_rest(argv[k], heard);
        if (done && !changed)
            fprintf(stderr,
                    "scanbench: %s: already schema %d, nothing is changed\n",
                    argv[k], RUN_SCHEMA);
        if (done)
            puts(out ? out : argv[k]);
        ok &= done;
    }
    return ok ? EXIT_OK : EXIT_BAD;
}
