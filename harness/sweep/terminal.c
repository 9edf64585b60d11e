/* SPDX-License-Identifier: MIT */
#include "harness/sweep/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_can_rewrite(int file)
{
    const char *terminal = getenv("TERM"), *ci = getenv("CI");
    return isatty(file) && terminal && strcmp(terminal, "dumb") != 0 &&
           !(ci && *ci);
}

int terminal_columns(int file)
{
    enum { LEAST = 40, WITHOUT = 100 };
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int wide = columns ? atoi(columns) : 0;
    if (wide <= 0 && ioctl(file, TIOCGWINSZ, &size) == 0)
        wide = size.ws_col;
    wide = wide > 0 ? wide : WITHOUT;
    return wide < LEAST ? LEAST : wide;
}

int terminal_room(int file)
{
    enum { ENDLESS = 1 << 20 };
    return isatty(file) || getenv("COLUMNS") ? terminal_columns(file) : ENDLESS;
}
