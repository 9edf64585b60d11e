/* SPDX-License-Identifier: MIT */
#include "harness/measure/worker.h"

#include "harness/build.h"
#include "harness/device/over_ranks.h"
#include "src/base/clock.h"
#include "src/base/csv.h"
#include "src/base/whole_file.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

volatile sig_atomic_t worker_interrupted;

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    worker_interrupted = 1;
}

void worker_catch_interrupts(void)
{
    const struct sigaction action = { .sa_handler = on_interrupt };
    struct sigaction before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

static const double start_timeout_s = 120; /* a cold driver can take a while */

/* The child's first message. */
struct hello {
    bool ok, absent;
    char why[512];
    struct device_facts facts;
    struct driver_facts driver;
};

union reply {
    struct hello hello;
    struct job_result report;
};

/* Reads in the child; false when the parent has closed the socket. */
static bool read_all(int file, void *data, size_t bytes)
{
    for (char *at = data; bytes;) {
        ssize_t got = read(file, at, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

/* A planted bug may ask for ranks. */
static const struct device *device_for(const struct worker *worker)
{
    return worker->options->ranks || worker->options->must_fail
               ? ranks_device(worker->kind)
               : device_of(worker->kind);
}

/* Architecture and ranks become part of the device's name, and so of the run's
 * folder. Rules were read before the fork: their address holds on both sides.
 */
static void complete_facts(struct worker *worker)
{
    const struct options *options = worker->options;
    const struct known_gpu *as = options->pretend;
    struct device_facts *facts = &worker->facts;
    struct driver_facts *driver = &worker->driver;
    double bus_gbps = driver_bus_gbps(driver);
    size_t used = strlen(driver->name);
    if (as) {
        pretend(facts, as);
        snprintf(driver->name + used, sizeof driver->name - used, " as %s",
                 as->arch);
        used = strlen(driver->name);
        driver->pretend = as->arch;
        bus_gbps = bus_gbps > as->bus_gbps ? as->bus_gbps : bus_gbps;
    }
    if (options->sets)
        rule_sets_pick(options->sets, facts, driver, bus_gbps);
    if (options->ranks)
        snprintf(driver->name + used, sizeof driver->name - used,
                 facts->gpus >= options->ranks ? " x%d" : " as %d ranks",
                 options->ranks);
}

static void open_device(struct worker *worker, struct hello *hello)
{
    *hello = (struct hello){ .ok = true };
    const locale_t ours = uselocale((locale_t)0);
    const char *why = plugins_open(worker->options->plugins);
    if (!why)
        why = device_for(worker)->open(worker->index, &worker->facts,
                                       &worker->driver, &hello->absent);
    if (!why && plugins_start)
        why = plugins_start(worker->kind == DEVICE_CUDA, worker->index);
    uselocale(ours); /* which a plugin may have changed */
    if (!why)
        complete_facts(worker);
    hello->facts = worker->facts;
    hello->driver = worker->driver;
    if (why) {
        hello->ok = false;
        snprintf(hello->why, sizeof hello->why, "%s", why);
    }
}

/* The child does jobs, whose tables precede the fork, until the socket ends. */
static void serve(struct worker *worker, int parent)
{
    static union reply reply;
    struct job job;
    const struct device *device = device_for(worker);
    if (worker->options->plugins) /* their output is no data */
        dup2(STDERR_FILENO, STDOUT_FILENO);
    open_device(worker, &reply.hello);
    bool ok = write_all(parent, &reply, sizeof reply) && reply.hello.ok;
    while (ok && read_all(parent, &job, sizeof job)) {
        job_do(&job, device, &worker->facts, &reply.report);
        ok = write_all(parent, &reply, sizeof reply);
    }
    _exit(0);
}

enum came { CAME, LATE, INTERRUPTED, ENDED };

/* CAME if there is something to read. The socket does not show the child's end
 * while a process that it started holds it. */
static enum came wait_readable(const struct worker *worker, double end_s)
{
    for (;;) {
        struct pollfd poll_file = { .fd = worker->socket, .events = POLLIN };
        const bool ended = child_has_ended(&worker->child);
        const double left = end_s - clock_s();
        if (worker_interrupted)
            return INTERRUPTED;
        if (left <= 0)
            return LATE;
        /* A signal may arrive between the test and poll(). */
        int ready =
            poll(&poll_file, 1, left < 0.2 ? (int)(left * 1e3) + 1 : 200);
        if (ready > 0)
            return CAME;
        if (ready < 0 && errno != EINTR)
            return LATE;
        if (ready == 0 && ended)
            return ENDED;
    }
}

/* Reads the whole reply, even if a variant wrote some bytes of its own. */
static enum came read_reply(const struct worker *worker, union reply *reply,
                            double timeout_s)
{
    const double end_s = clock_s() + timeout_s;
    char *at = (char *)reply;
    for (size_t left = sizeof *reply; left;) {
        const enum came came = wait_readable(worker, end_s);
        if (came != CAME)
            return came;
        const ssize_t got = read(worker->socket, at, left);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return ENDED;
        at += got;
        left -= (size_t)got;
    }
    return CAME;
}

/* Samples take no longer than the job took here, and no less than a call. */
static bool is_report(const struct job_result *report, uint64_t number,
                      double took_us)
{
    static const double call_us = 0.005;
    double timed_us = 0;
    if (report->number != number || (unsigned)report->status >= STATUS_COUNT ||
        report->count < 0 || report->count > JOB_SAMPLES || report->batch < 0 ||
        !memchr(report->reason, '\0', REASON_BYTES))
        return false;
    for (int k = 0; k < report->count; ++k) {
        if (!(report->us[k] >= call_us))
            return false;
        timed_us += report->us[k] * report->batch;
    }
    return timed_us <= 1.05 * took_us + JOB_SLACK_OF_MEDIAN_US;
}

void worker_stop(struct worker *worker)
{
    if (!worker->child.pid)
        return;
    child_end(&worker->child, 0, NULL);
    close(worker->socket);
}

static bool fork_child(struct worker *worker)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return false;
    if (!child_fork(&worker->child)) {
        close(pair[0]);
        close(pair[1]);
        return false;
    }
    if (!worker->child.pid) {
        close(pair[0]);
        serve(worker, pair[1]);
    }
    close(pair[1]);
    worker->socket = pair[0];
    return true;
}

static const char *start_child(struct worker *worker, bool *absent)
{
    static char why[sizeof(struct hello)];
    static union reply reply;
    if (!fork_child(worker)) {
        snprintf(why, sizeof why, "cannot start a worker process: %s",
                 strerror(errno));
        return why;
    }
    if (read_reply(worker, &reply, start_timeout_s) != CAME) {
        worker_stop(worker);
        return "the worker process did not start";
    }
    *absent = reply.hello.absent;
    if (!reply.hello.ok) {
        worker_stop(worker);
        snprintf(why, sizeof why, "%s", reply.hello.why);
        return why;
    }
    worker->facts = reply.hello.facts;
    worker->driver = reply.hello.driver;
    return NULL;
}

const char *worker_start(struct worker *worker, enum device_kind kind,
                         int index, const struct options *options, bool *absent)
{
    static struct hello hello;
    *worker =
        (struct worker){ .kind = kind, .index = index, .options = options };
    *absent = false;
    if (!device_of(kind)) {
        *absent = true;
        return "this build has no CUDA (" SCANBENCH_NO_CUDA
               " when it was configured)";
    }
    signal(SIGPIPE, SIG_IGN); /* a dead worker is a return value */
    if (!worker->options->in_process)
        return start_child(worker, absent);
    open_device(worker, &hello);
    *absent = hello.absent;
    return hello.ok ? NULL : hello.why;
}

/* Reads the child's answer, or its end; ends a child that failed. */
static bool receive(struct worker *worker, double asked_us, double timeout_s,
                    struct job_result *report)
{
    static const double exit_patience_s = 10; /* for the driver */
    static union reply reply;
    int status = 0;
    const enum came came = read_reply(worker, &reply, timeout_s);
    const double took_us = clock_us() - asked_us;
    if (came == INTERRUPTED) {
        worker_stop(worker);
        return false;
    }
    if (came == LATE) {
        *report = job_result_of(STATUS_TIMEOUT);
        snprintf(report->reason, REASON_BYTES, "not done after %g s",
                 timeout_s);
        worker_stop(worker);
    } else if (came == CAME &&
               !is_report(&reply.report, worker->number, took_us)) {
        *report = job_result_of(STATUS_ERROR);
        snprintf(report->reason, REASON_BYTES,
                 "the worker's answer makes no sense: the variant may write to "
                 "files that are not its own");
        worker_stop(worker);
    } else if (came == CAME) {
        *report = reply.report;
        plain_make(report->reason);
        if (report->fatal)
            worker_stop(worker);
    } else {
        *report = job_result_of(STATUS_ERROR);
        child_end(&worker->child, exit_patience_s, &status);
        close(worker->socket);
        if (WIFSIGNALED(status))
            snprintf(report->reason, REASON_BYTES,
                     "the worker died of signal %d (%s)", WTERMSIG(status),
                     strsignal(WTERMSIG(status)));
        else
            snprintf(report->reason, REASON_BYTES,
                     "the worker ended with status %d", WEXITSTATUS(status));
    }
    return true;
}

bool worker_revive(struct worker *worker)
{
    bool absent;
    if (worker->options->in_process || worker->child.pid)
        return true;
    const char *why = start_child(worker, &absent);
    if (why && !worker_interrupted)
        fprintf(stderr, "scanbench: the device is lost: %s\n", why);
    return !why;
}

bool worker_do(struct worker *worker, const struct job *job, double timeout_s,
               struct job_result *report)
{
    if (worker->options->in_process) {
        job_do(job, device_for(worker), &worker->facts, report);
        plain_make(report->reason);
        return !worker_interrupted;
    }
    if (!worker_revive(worker))
        return false;
    struct job numbered = *job;
    numbered.number = ++worker->number;
    const double asked_us = clock_us();
    /* If this fails, receive() reports it. */
    write_all(worker->socket, &numbered, sizeof numbered);
    return receive(worker, asked_us, timeout_s, report);
}
