// Enters namespaces of its own (namespaces(7)): views of the system in which other processes, networks and files do not
// exist. Swift can neither call unshare(2) nor fork(2).
#define _GNU_SOURCE
#include "include/process_isolation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int enter(int flag) { return unshare(flag) == 0 ? 0 : errno; }

static void enter_unless(int *failure, int earlier, int flag) {
    if (*failure == 0) *failure = earlier ? earlier : enter(flag);
}

static int write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    int failure = write(file, text, strlen(text)) < 0 ? errno : 0;
    close(file);
    return failure;
}

/// Enters a user namespace in which the calling user and group keep their numbers, and in which the process may enter
/// the other namespaces.
static int enter_user_namespace(void) {
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", geteuid(), geteuid());
    snprintf(groups, sizeof groups, "%u %u 1", getegid(), getegid());
    int failure = enter(CLONE_NEWUSER);
    if (failure == 0) failure = write_text("/proc/self/uid_map", users);
    // Without this, an unprivileged process may not map its group.
    if (failure == 0) failure = write_text("/proc/self/setgroups", "deny");
    if (failure == 0) failure = write_text("/proc/self/gid_map", groups);
    return failure;
}

void spool_enter_namespaces(struct spool_namespaces *failures) {
    int user = geteuid() == 0 ? 0 : enter_user_namespace();
    enter_unless(&failures->network, user, CLONE_NEWNET);
    enter_unless(&failures->ipc, user, CLONE_NEWIPC);
    enter_unless(&failures->files, user, CLONE_NEWNS);
    enter_unless(&failures->processes, user, CLONE_NEWPID);
}

/// The status of a process that ended with the exit code 126.
enum { unknown_end = 126 << 8 };

/// Waits for a child that is the last one. A signal that stops or interrupts this process does not end the wait.
static int wait_for(pid_t child) {
    int status = unknown_end;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

/// Makes this process one that only waits: it has no rights, and no files but its end of the pipe with the reports and the
/// stream from which orders come, so that a pipe's other end sees it closed when the rendering process closes it.
static void only_wait(int nothing, int report) {
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++) dup2(nothing, stream);
    for (int file = STDERR_FILENO + 1; file < 1024; file++) {
        if (file != report) close(file);
    }
    spool_drop_capabilities();
}

/// Waits for the report of how the second process has ended. When nobody can send orders any more, that process has a few
/// seconds to end by itself, and is killed then.
static void await_report(int report, pid_t first) {
    struct pollfd watched[2] = {{report, POLLIN, 0}, {STDIN_FILENO, 0, 0}};
    int timeout = -1;
    for (;;) {
        int count = poll(watched, 2, timeout);
        if (count < 0 && errno == EINTR) continue;
        if (watched[0].revents != 0) return;
        if (count <= 0) break;
        watched[1].fd = -1;
        timeout = 5000;
    }
    kill(first, SIGKILL);
}

/// Ends this process in the way that another one has ended.
static _Noreturn void end_like(int status) {
    if (WIFSIGNALED(status)) {
        // The other process has left its core dump, if any.
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 126);
}

int spool_begin_process_namespace(void) {
    int reports[2];
    // It is opened before the file system of the second process replaces this one.
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || pipe2(reports, O_CLOEXEC) != 0) return errno;
    // Where the end of children is ignored, nobody could wait for it.
    signal(SIGCHLD, SIG_DFL);
    pid_t first = fork();
    if (first < 0) return errno;
    if (first > 0) {
        // This process stays outside. It is the one that the worker has started and waits for.
        only_wait(nothing, reports[0]);
        int status = unknown_end;
        ssize_t count;
        await_report(reports[0], first);
        while ((count = read(reports[0], &status, sizeof status)) < 0 && errno == EINTR) {}
        int ended = wait_for(first);
        end_like(count == sizeof status ? status : ended);
    }
    close(reports[0]);
    // The first process of a namespace cannot be ended by its own signals, such as that of abort(3) or of a limit; so it
    // only waits for the second one. When it ends, the kernel ends all processes of the namespace.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) _exit(126);
    // The outer process may have ended before; then nobody reads the pipe any more.
    struct pollfd outer = {reports[1], 0, 0};
    if (poll(&outer, 1, 0) > 0) _exit(126);
    pid_t second = fork();
    if (second < 0) _exit(126);
    if (second == 0) {
        close(reports[1]);
        close(nothing);
        return 0;
    }
    only_wait(nothing, reports[1]);
    int status = wait_for(second);
    ssize_t ignored = write(reports[1], &status, sizeof status);
    (void)ignored;
    _exit(0);
}
