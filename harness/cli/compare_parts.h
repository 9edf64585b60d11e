/* SPDX-License-Identifier: MIT
 *
 * scanbench compare: two runs, or the variants of one. What the parts of the
 * command share; the rule itself is in src/judge/change.h.
 */
#ifndef HARNESS_CLI_COMPARE_PARTS_H
#define HARNESS_CLI_COMPARE_PARTS_H

#include "src/judge/comparison.h"

enum compare_format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_CSV };
enum fail_on { FAIL_ON_SLOWER, FAIL_ON_UNCLEAR, FAIL_ON_ANY, FAIL_ON_NEVER };

struct compare_options {
    const char *base, *now; /* folders; now is NULL with `against` */
    const char *against;    /* a variant, or NULL */
    bool aa;                /* only the A/A floor */
    bool all;               /* list the unchanged, too */
    size_t top;             /* rows listed of a table; 0: all of them */
    enum compare_format format;
    enum fail_on fail_on;
    double floor_pct, floor_us;
    double aa_floor_pct; /* NaN: what the manifests say */
};

/* Reads the words after "compare". False if the caller should end with
 * *status (help was printed, or a message). */
bool compare_options_parse(int argc, char **argv,
                           struct compare_options *options, int *status);

/* "scanbench: unknown WHAT 'word'" on stderr, with the nearest of the names. */
void compare_unknown(const char *what, const char *word,
                     const char *const *names, size_t count);

/* What a reader has to know of two runs, a sentence each. */
enum { MAX_NOTES = 32, NOTE_BYTES = 400 };
struct compare_notes {
    char text[MAX_NOTES][NOTE_BYTES];
    int count;
};

/* Notes in what the runs differ; false if that forbids verdicts. */
bool compare_judgeable(const struct run_folder *base,
                       const struct run_folder *now,
                       struct compare_notes *notes);

struct compare_report {
    const struct compare_options *options;
    const struct run_folder *base, *now;
    const struct comparison *comparison; /* sorted */
    const struct compare_notes *notes;
    bool judged;
};

/* On stdout; as CSV the notes and the counts go to stderr. */
void compare_write(const struct compare_report *report);

/* The three formats of a report's table, and the words they share. */
void compare_write_text(const struct compare_report *report);
void compare_write_markdown(const struct compare_report *report);
void compare_write_csv(const struct compare_report *report);
enum { COUNTS_BYTES = 480, PAIR_TEXT_BYTES = 512 };
char *compare_counts(const struct compare_report *report,
                     char text[COUNTS_BYTES]);
char *compare_limits(const struct compare_report *report,
                     char text[COUNTS_BYTES]);
bool compare_listed(const struct compare_report *report,
                    const struct pair *pair);
size_t compare_listed_count(const struct compare_report *report);

/* op/variant/dtype/OUTERxAXISxINNER/cache */
char *compare_id(const struct run_row *row, char text[PAIR_TEXT_BYTES]);

/* Every variant of a run against one; an exit status. */
int compare_against(const struct run_folder *run,
                    const struct compare_options *options);

#endif
