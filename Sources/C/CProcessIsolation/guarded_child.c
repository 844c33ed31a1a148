// Starts a program between fork(2) and execv(2), which Swift must not do: the child of a process with threads may only
// call functions that are safe in signal handlers, and Swift's runtime is none of them.
#define _GNU_SOURCE
#include "include/guarded_child.h"
#include "include/process_isolation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const int stop_requests[] = {SIGTERM, SIGINT, SIGHUP};
enum { stop_request_count = sizeof stop_requests / sizeof stop_requests[0] };

static volatile pid_t child;
static volatile int stop_signal;
static volatile sig_atomic_t stop_requested;

/// Sends the stop signal. A process that is stopped (SIGSTOP) gets it only once it continues.
static void request_stop(pid_t pid, int stop) {
    kill(pid, stop);
    kill(pid, SIGCONT);
}

static void pass_on(int received) {
    (void)received;
    int saved = errno;
    stop_requested = 1;
    if (child > 0) request_stop(child, stop_signal);
    errno = saved;
}

static void handle_stop_requests(void (*handler)(int), struct sigaction *before) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < stop_request_count; index++) {
        sigaction(stop_requests[index], &action, before ? &before[index] : NULL);
    }
}

static void say(const char *what, const char *name) {
    // If standard error cannot be written, the exit code still says what happened.
    ssize_t ignored = write(STDERR_FILENO, what, strlen(what));
    ignored = write(STDERR_FILENO, name, strlen(name));
    ignored = write(STDERR_FILENO, "\n", 1);
    (void)ignored;
}

static _Noreturn void become_program(
    char *const words[], int stop, const char *log, const unsigned *identity, pid_t parent, const struct sigaction *before) {
    if (identity && spool_become(identity[0], identity[1]) != 0) {
        say("error: cannot become the user that is to run ", words[0]);
        _exit(126);
    }
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int output = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (input < 0 || output < 0) {
        say("error: cannot open ", input < 0 ? "/dev/null" : log);
        _exit(73);
    }
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    // A shell in the background ignores SIGINT, and its children inherit that; but the stop signal has to end the program.
    // It never gets the inherited handling in between: a change to SIG_IGN would discard one that has come since the fork.
    signal(stop, SIG_DFL);
    for (int index = 0; index < stop_request_count; index++) {
        if (stop_requests[index] != stop) sigaction(stop_requests[index], &before[index], NULL);
    }
    // A signal that has come since the fork ends the program here.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    // A change of user would reset this, so it comes last. The parent may be gone already.
    if (prctl(PR_SET_PDEATHSIG, stop, 0, 0, 0) != 0 || getppid() != parent) _exit(126);
    execv(words[0], words);
    int reason = errno;
    say("error: cannot start ", words[0]);
    _exit(reason == ENOENT ? 127 : 126);
}

/// Waits until the child has ended, without reaping it, and sends it the stop signal when standard input is closed.
static void watch(pid_t pid, int stop) {
    // Before Linux 5.3 there is no such descriptor; the child's end is then found by looking again and again.
    int ended = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd watched[2] = {{STDIN_FILENO, 0, 0}, {ended, POLLIN, 0}};
    for (;;) {
        siginfo_t state;
        state.si_pid = 0;
        if (waitid(P_PID, (id_t)pid, &state, WEXITED | WNOHANG | WNOWAIT) == 0 && state.si_pid == pid) break;
        if (poll(watched, 2, ended < 0 ? 100 : -1) <= 0 || watched[0].revents == 0) continue;
        request_stop(pid, stop);
        watched[0].fd = -1;
    }
    if (ended >= 0) close(ended);
}

int spool_run_guarded(char *const words[], int stop, const char *log, const unsigned identity[2]) {
    struct sigaction before[stop_request_count];
    stop_signal = stop;
    handle_stop_requests(pass_on, before);
    // Until the child has its own signal handling, signals to it wait.
    sigset_t all, previous;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &previous);
    pid_t own = getpid();
    pid_t pid = fork();
    int failure = errno;
    if (pid == 0) become_program(words, stop, log, identity, own, before);
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    if (pid < 0) return -failure;
    child = pid;
    if (stop_requested) request_stop(pid, stop);
    watch(pid, stop);
    // From now on the child's number may belong to another process.
    handle_stop_requests(SIG_IGN, NULL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
