/* SPDX-License-Identifier: MIT */
#include "harness/child.h"

#include "src/base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void nap(void)
{
    nanosleep(&(struct timespec){ .tv_nsec = 1000 * 1000 }, NULL);
}

static void begin(void)
{
    static const int caught[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction before;
    setpgid(0, 0);
    for (size_t k = 0; k < sizeof caught / sizeof *caught; ++k)
        if (sigaction(caught[k], NULL, &before) == 0 &&
            before.sa_handler != SIG_IGN)
            signal(caught[k], SIG_DFL);
    /* Without this, the terminal stops processes of another group. */
    signal(SIGTTIN, SIG_IGN);
    signal(SIGTTOU, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* A process that left the child's group becomes a child of this one when its
 * parent ends. If there was no other child, all children are of that kind. */
bool child_fork(struct child *child)
{
    siginfo_t any;
    child->alone =
        waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) && errno == ECHILD;
    if (child->alone)
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    fflush(NULL); /* or the child would write the buffers again */
    const pid_t pid = fork();
    child->pid = pid > 0 ? pid : 0;
    if (pid == 0)
        begin();
    else if (pid > 0)
        setpgid(pid, pid); /* also here, as either process may be first */
    return pid >= 0;
}

bool child_has_ended(const struct child *child)
{
    siginfo_t end = { 0 };
    return waitid(P_PID, (id_t)child->pid, &end, WEXITED | WNOHANG | WNOWAIT) ||
           end.si_pid != 0;
}

static bool ends_within(const struct child *child, double seconds)
{
    const double end_s = clock_s() + seconds;
    while (!child_has_ended(child)) {
        if (clock_s() >= end_s)
            return false;
        nap();
    }
    return true;
}

/* True if there is no child left. */
static bool kill_children(void)
{
    pid_t pid;
    FILE *children = fopen("/proc/thread-self/children", "r");
    while (children && fscanf(children, "%d", &pid) == 1)
        kill(pid, SIGKILL);
    if (children)
        fclose(children);
    while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
        ;
    return pid < 0 || !children;
}

bool child_end(struct child *child, double patience_s, int *status)
{
    static const double dies_within_s = 10;
    const bool by_itself = ends_within(child, patience_s);
    /* The child is not reaped yet, so its pid cannot have been reused. */
    kill(-child->pid, SIGKILL);
    kill(child->pid, SIGKILL); /* it may have changed its group */
    /* A process that hangs in a driver survives. */
    const bool ended = ends_within(child, dies_within_s);
    if (ended)
        waitpid(child->pid, status, 0);
    else
        fprintf(stderr,
                "scanbench: worker %d does not end: the device may hang\n",
                (int)child->pid);
    const double end_s = clock_s() + dies_within_s;
    while (ended && child->alone && !kill_children() && clock_s() < end_s)
        nap();
    child->pid = 0;
    return by_itself;
}
