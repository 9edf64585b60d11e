/* SPDX-License-Identifier: MIT
 *
 * scanbench compare: two runs, or the variants of one. What the parts of the
 * command share; the rule itself is in src/analyse/.
 */
#ifndef CLI_COMPARE_COMPARE_PARTS_H
#define CLI_COMPARE_COMPARE_PARTS_H

#include "cli/common/runs.h"
#include "src/analyse/comparison.h"

enum compare_format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_CSV };
enum fail_on { FAIL_ON_SLOWER, FAIL_ON_UNCLEAR, FAIL_ON_ANY, FAIL_ON_NEVER };

struct compare_options {
    struct filter filter;
    const char *base, *now; /* folders; now is NULL with `against` */
    const char *against;    /* a variant or a family, or NULL */
    bool gpus;              /* any number of runs, side by side */
    bool cards;             /* those, and each card by itself */
    char **runs;            /* with `gpus` */
    int run_count;
    bool all;    /* list the unchanged, too */
    int top;     /* rows listed of a table; 0: all of them */
    int format;  /* enum compare_format */
    int fail_on; /* enum fail_on */
    double floor_pct;
    struct floors floors;
};

/* A smaller change is none, unless other floors are asked for: 2 %, 0.5 us. */
#define COMPARE_FLOORS                                                         \
    {                                                                          \
        0.02, 0.5                                                              \
    }

/* What a reader has to know of two runs, a sentence each. */
enum { MAX_NOTES = 40, NOTE_BYTES = 400 };
struct compare_notes {
    char text[MAX_NOTES][NOTE_BYTES];
    int count;
};

/* Notes in what the runs differ, and says what can be compared. */
enum comparison_mode compare_mode(const struct run_folder *base,
                                  const struct run_folder *now,
                                  struct compare_notes *notes);

/* Notes what the comparison itself shows: how launching moved, what was left
 * out, how few processes there are. */
void compare_note_findings(const struct comparison *comparison,
                           enum comparison_mode mode,
                           struct compare_notes *notes);

struct compare_report {
    const struct compare_options *options;
    const struct run_folder *base, *now;
    const struct comparison *comparison; /* sorted */
    const struct compare_notes *notes;
    enum comparison_mode mode;
};

/* The three formats of a report, on stdout; as CSV the notes and the counts go
 * to stderr. */
void compare_write_text(const struct compare_report *report);
void compare_write_markdown(const struct compare_report *report);
void compare_write_csv(const struct compare_report *report);

/* The words that they share, in compare_text.c. */
enum { COUNTS_BYTES = 640, CELL_TEXT_BYTES = 512 };
char *compare_counts(const struct compare_report *report,
                     char text[COUNTS_BYTES]);
char *compare_limits(const struct compare_report *report,
                     char text[COUNTS_BYTES]);
bool compare_listed(const struct compare_report *report,
                    const struct judged *cell);
size_t compare_listed_count(const struct compare_report *report);
/* The interval has no use: it is unknown, or of too few processes to say more
 * than a factor of COMPARE_WIDE. */
#define COMPARE_WIDE 4
bool compare_is_wide(const struct change *change);
/* op/variant/dtype/OUTERxAXISxINNER/cache */
char *compare_id(const struct row *row, char text[CELL_TEXT_BYTES]);
/* What is behind a cell's times: "ok -> suspect", its marks, what processes
 * were dropped, and in shares how the times themselves changed. "" for a cell
 * without any of it. */
char *compare_remarks(const struct compare_report *report,
                      const struct judged *cell, const char *arrow,
                      char text[CELL_TEXT_BYTES]);

/* Runs of several GPUs, or folders of such; an exit status. */
int compare_gpus(const struct compare_options *options);

/* Every variant of a run against one, or against a family's best; an exit
 * status. */
int compare_against(const struct run_folder *run,
                    const struct compare_options *options);

#endif
