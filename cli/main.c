/* SPDX-License-Identifier: MIT */
#include "harness/build.h"
#include "cli/common/options_parts.h"
#include "cli/common/commands.h"
#include "cli/common/rows.h"
#include "cli/common/runs.h"
#include "harness/sweep/sweep.h"
#include "src/base/exit.h"
#include "src/base/csv.h"

#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True if the catalogue has the variant, built here or not, or had it. */
static bool is_variant(int kind, const char *name)
{
    for (int op = 0; op < op_count(); ++op)
        if ((int)op_kind(op_at(op)) == kind &&
            (catalogue_find(variant_points, op_at(op), name) >= 0 ||
             point_was(op_at(op), name)))
            return true;
    return false;
}

/* Reads the user's file, or those of the user's runs and the built-in ones. */
static bool read_rules(struct rule_sets *sets, const struct options *options)
{
    const char *named = getenv("SCANBENCH_RESULTS");
    const char *roots[] = { named && *named ? named : "results", NULL };
    const bool ok = rule_sets_read(sets, options->rules, roots, is_variant);
    if (!ok)
        fprintf(stderr, "scanbench: %s\n", sets->why);
    return ok;
}

/* Reads --op afterwards, as plugins may add operations. */
static bool read_plugins(struct options *options)
{
    static struct plugins plugins;
    static char frameworks[PATH_MAX];
    if (options->frameworks || options->python) {
        if (!installed_file(SCANBENCH_FRAMEWORKS, "../frameworks/frameworks.so",
                            frameworks)) {
            fputs("scanbench: no frameworks.so: use -Dframeworks=enabled\n",
                  stderr);
            return false;
        }
        if (options->frameworks && !take_plugin(frameworks, options))
            return false;
    }
    if (options->plugin_count)
        options->plugins = &plugins;
    if ((options->plugins &&
         !plugins_read(&plugins, options->plugin_paths, options->plugin_count,
                       frameworks, fmin(options->timeout_s, 10),
                       variant_points)) ||
        !take_late_ops(&options->filter))
        return false;
    const uint64_t ops = options->filter.ops,
                   two = op_bit(OP_RECURRENCE) | op_bit(OP_RECURRENCE_REVERSE);
    return !options->python || ops == OPS_ALL || !(ops & two) ||
           complain("option", "--python",
                    "a recurrence has two inputs, and the function one: leave "
                    "it out of --op");
}

/* Opens the named device, or the first GPU, or else the host. */
static int start(const struct options *options, struct worker *worker)
{
    bool absent;
    const char *why = worker_start(
        worker, options->device_given ? options->kind : DEVICE_CUDA,
        options->index, options, &absent);
    if (!why)
        return EXIT_OK;
    if (!options->device_given && absent) {
        if (device_of(DEVICE_CUDA))
            fputs("scanbench: using the host: no usable GPU (list --devices)\n",
                  stderr);
        why = worker_start(worker, DEVICE_HOST, 0, options, &absent);
        if (!why)
            return EXIT_OK;
    }
    if (worker_interrupted) {
        fprintf(stderr, "scanbench: interrupted\n");
        return EXIT_INTERRUPTED;
    }
    fprintf(stderr, "scanbench: cannot start: %s\n", why);
    /* A GPU runner sets this, so that a lost GPU is not a quiet skip. */
    const char *required = getenv("SCANBENCH_REQUIRE_GPU");
    return !absent                 ? EXIT_BAD
           : required && *required ? EXIT_WRONG
                                   : EXIT_NOTHING;
}

/* False after a message if a plugin has variants, but none for the device, so
 * that only others would be measured. */
static bool plugins_fit(const struct options *options, enum device_kind kind)
{
    const struct plugins *plugins = options->plugins;
    if (!plugins || op_count() > OPS_BUILT_IN) /* others have its operations */
        return true;
    for (int k = 0; k < plugins->count; ++k) {
        const struct plugin_file *file = &plugins->file[k];
        bool here = false, elsewhere = false;
        for (size_t v = 0; v < file->count; ++v)
            if (file->variants[v].name) {
                here |= file->variants[v].runs_on == kind;
                elsewhere |= file->variants[v].runs_on != kind;
            }
        if (elsewhere && !here) {
            fprintf(stderr,
                    "scanbench: plugin %s: none of its variants runs on %s\n",
                    file->path,
                    kind == DEVICE_CUDA      ? "a GPU"
                    : device_of(DEVICE_CUDA) ? "the host, and no GPU is usable"
                                             : "the host, and this build is "
                                               "without CUDA");
            return false;
        }
    }
    return true;
}

/* After `run`, the table goes to stderr and the folder to stdout. */
static int run(const struct plan *plan, const struct options *options,
               struct worker *worker, int argc, char **argv)
{
    char *words = arguments_that_matter(options->command, argc, argv);
    char *folder = options->folder;
    const int status = sweep_run(plan, options, worker, words);
    free(words);
    if (options->command == COMMAND_TUNE || !*folder)
        return status;
    if (!options->quiet)
        show_at_end(folder, &options->filter);
    char *table[] = { argv[0], "table", folder, "--format", "json", NULL };
    if (options->filter.format == FORMAT_JSON)
        table_command(5, table);
    else
        puts(folder);
    return status;
}

static int work(const struct options *options, const struct plan *plan,
                struct worker *worker, int argc, char **argv)
{
    if (options->dry_run)
        return list_plan(plan, options, worker);
    if (options->profile)
        return profile_run(plan, options, worker);
    if (options_time(options))
        return run(plan, options, worker, argc, argv);
    return options->must_fail ? check_must_fail(options, worker)
                              : check_all(plan, options, worker);
}

/* Control characters could command the terminal that shows them. */
static bool words_ok(int argc, char **argv)
{
    static const char *const names[] = { "SCANBENCH_RESULTS",
                                         "SCANBENCH_RULES" };
    const char *seed = getenv("SCANBENCH_CHECK_SEED"), *wrong = NULL;
    char word[32];
    for (int k = 1; k < argc && !wrong; ++k)
        if (!plain_text(argv[k])) {
            snprintf(word, sizeof word, "word %d", k);
            wrong = word;
        }
    for (int k = 0; k < 2; ++k)
        if (getenv(names[k]) && !plain_text(getenv(names[k])))
            wrong = names[k];
    if (wrong)
        fprintf(stderr,
                "scanbench: %s has a control character in it, or is no UTF-8: "
                "rename it\n",
                wrong);
    else if (seed && (seed[strspn(seed, "0123456789")] ||
                      strtoull(seed, NULL, 10) == UINT64_MAX))
        fputs("scanbench: SCANBENCH_CHECK_SEED must be a number\n", stderr);
    else
        return true;
    return false;
}

/* Makes `COMMAND --help` of `help COMMAND`, and --help of `help`. */
static void take_help(int *argc, char **argv)
{
    static char help[] = "--help";
    if (*argc < 2 || strcmp(argv[1], "help") != 0)
        return;
    *argc = *argc > 2 ? 3 : 2;
    argv[1] = argv[*argc - 1];
    argv[*argc - 1] = help;
}

/* Runs a command that has options of its own. */
static bool own_parser(int argc, char **argv, int *status)
{
    static int (*const own[])(int argc, char **argv) = {
        which_command,  compare_command, show_command,
        table_command,  report_command,  regret_command,
        ladder_command, rules_command,   new_command
    };
    for (int c = COMMAND_WHICH; argc > 1 && c < COMMAND_COUNT; ++c)
        if (strcmp(argv[1], command_rows[c].name) == 0) {
            *status = own[c - COMMAND_WHICH](argc, argv);
            return true;
        }
    return false;
}

/* `together` devices are at work; `joined` is their folder, or NULL. */
static int run_devices(int argc, char **argv, const char *joined, int together)
{
    static struct options options;
    struct worker worker;
    int status;
    if (!words_ok(argc, argv))
        return EXIT_BAD;
    take_help(&argc, argv);
    if (own_parser(argc, argv, &status) ||
        !options_parse(argc, argv, &options, &status))
        return status;
    if (!joined && !options.quiet)
        say_shapes(&options.filter);
    if (beside_is_asked(&options))
        return beside_run(argc, argv, &options, run_devices);
    options.together = together;
    options.joined = joined;
    if (options.resume && !resume_options(&argc, &argv, &options))
        return EXIT_BAD;
    char folder[PATH_MAX] = "";
    options.folder = folder;
    options.folder_bytes = sizeof folder;
    if (!read_plugins(&options))
        return EXIT_BAD;
    if (options.command == COMMAND_LIST)
        return list_command(&options);
    static struct rule_sets sets;
    if (!read_rules(&sets, &options))
        return EXIT_BAD;
    options.sets = &sets;
    worker_catch_interrupts();
    status = start(&options, &worker);
    if (status != EXIT_OK)
        return status;
    if (!plugins_fit(&options, worker.kind)) {
        worker_stop(&worker);
        return EXIT_NOTHING;
    }
    struct plan plan = plan_make(&options, worker.kind);
    status = plan.count ? work(&options, &plan, &worker, argc, argv)
                        : list_nothing_matches(&options, 1u << worker.kind);
    plan_free(&plan);
    worker_stop(&worker);
    if (options.command == COMMAND_TUNE && *folder &&
        (status == EXIT_OK || status == EXIT_WRONG)) {
        const int reported = tune_report(&options);
        status = reported == EXIT_OK ? status : reported;
    }
    return status;
}

int main(int argc, char **argv)
{
    static char message[4096];
    static const int modes[] = { O_RDONLY, O_RDONLY, O_WRONLY };
    /* No other file may take the place of a closed stdin, stdout or stderr.
     * Writing to stdout still fails. */
    for (int file = 0; file < 3; ++file)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", modes[file]) != file)
            _exit(EXIT_BAD);
    /* One write per line keeps the lines of parallel processes whole. */
    setvbuf(stderr, message, _IOLBF, sizeof message);
    signal(SIGXFSZ, SIG_IGN); /* a full quota is an error to report */
    /* Protects our numbers from a variant's setlocale(). */
    uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    const int status = run_devices(argc, argv, NULL, 1);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    perror("scanbench: stdout"); /* cut output must not pass as whole */
    return status == EXIT_INTERRUPTED ? status : EXIT_BAD;
}
