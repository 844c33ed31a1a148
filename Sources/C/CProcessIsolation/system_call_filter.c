// A filter of system calls as a program for the kernel's packet filter (seccomp(2)): a list of the calls that are
// allowed. The list has what the libraries call while they decode, draw, encode and run plug-ins (strace of the tests
// shows it), and what the C library uses instead on other kernels and architectures. All other calls fail with EPERM:
// those that lead to other processes, programs, networks, mounts, keys or the kernel, and those that do not exist yet.
#define _GNU_SOURCE
#include "include/process_isolation.h"

#include <asm/termbits.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/// Calls that are allowed with any arguments.
static const unsigned allowed[] = {
    // Reading and writing files that are open.
    SYS_read, SYS_write, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev, SYS_preadv, SYS_pwritev, SYS_lseek, SYS_close,
    SYS_fsync, SYS_fdatasync, SYS_sync_file_range, SYS_fallocate, SYS_ftruncate, SYS_fadvise64, SYS_readahead,
    SYS_copy_file_range, SYS_sendfile, SYS_dup, SYS_dup3, SYS_flock, SYS_pipe2,
    // Looking for, opening, naming and removing files; the user, the mounts and Landlock decide which.
    SYS_openat, SYS_newfstatat, SYS_fstat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_readlinkat, SYS_getdents64,
    SYS_getcwd, SYS_chdir, SYS_fchdir, SYS_renameat, SYS_renameat2, SYS_linkat, SYS_unlinkat, SYS_mkdirat,
    SYS_utimensat, SYS_umask,
    // Memory. mbind and the like are x265's, which places its memory near its threads.
    SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_msync, SYS_mincore, SYS_brk, SYS_mlock, SYS_munlock,
    SYS_memfd_create, SYS_membarrier, SYS_get_mempolicy, SYS_set_mempolicy, SYS_mbind,
    // Threads, and waiting for them.
    SYS_futex, SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_setaffinity, SYS_sched_getparam, SYS_sched_setscheduler,
    SYS_sched_getscheduler, SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_set_robust_list, SYS_get_robust_list,
    SYS_set_tid_address, SYS_gettid, SYS_getcpu, SYS_exit, SYS_exit_group, SYS_restart_syscall, SYS_eventfd2, SYS_ppoll,
    SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_timerfd_create, SYS_timerfd_settime,
    // Signals of its own, times and facts about itself.
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigsuspend,
    SYS_sigaltstack, SYS_nanosleep, SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_times,
    SYS_getitimer, SYS_setitimer, SYS_getrusage, SYS_getrandom, SYS_getpid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid,
    SYS_getegid, SYS_getgroups, SYS_getresuid, SYS_getresgid, SYS_getpgid, SYS_getsid, SYS_getpriority, SYS_uname, SYS_sysinfo,
    SYS_capget, SYS_setrlimit, SYS_getrlimit,
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_close_range
    SYS_close_range,
#endif
#ifdef SYS_futex_waitv
    SYS_futex_waitv,
#endif
#ifdef SYS_epoll_pwait2
    SYS_epoll_pwait2,
#endif
#ifdef SYS_preadv2
    SYS_preadv2, SYS_pwritev2,
#endif
#ifdef __x86_64__
    // Older forms of the same calls, which other architectures do not have.
    SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_rename, SYS_link, SYS_unlink,
    SYS_mkdir, SYS_rmdir, SYS_dup2, SYS_pipe, SYS_poll, SYS_select, SYS_epoll_create,
    SYS_epoll_wait, SYS_eventfd, SYS_arch_prctl, SYS_time, SYS_alarm, SYS_getpgrp,
#endif
};
enum { allowed_count = sizeof allowed / sizeof allowed[0] };

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSAL(code) (SECCOMP_RET_ERRNO | ((code) & SECCOMP_RET_DATA))
#define IF_EQUAL(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)

// Allows a call only where its first argument, a process id, is `own` or 0. As a process id, 0 means this process; for
// kill(2) it means the process group, which has no other processes in this namespace than those that wait for this one.
#define ALLOW_FOR_ITSELF(number, own) \
    IF_EQUAL(number, 0, 5), LOAD(args[0]), IF_EQUAL(own, 2, 0), IF_EQUAL(0, 1, 0), ANSWER(REFUSAL(EPERM)), \
        ANSWER(SECCOMP_RET_ALLOW)

// Allows a call only with one of four values of an argument.
#define ALLOW_WITH(number, argument, one, two, three, four) \
    IF_EQUAL(number, 0, 7), LOAD(args[argument]), IF_EQUAL(one, 4, 0), IF_EQUAL(two, 3, 0), IF_EQUAL(three, 2, 0), \
        IF_EQUAL(four, 1, 0), ANSWER(REFUSAL(EPERM)), ANSWER(SECCOMP_RET_ALLOW)

// Allows a call except with three values of its second argument.
#define ALLOW_EXCEPT(number, one, two, three) \
    IF_EQUAL(number, 0, 6), LOAD(args[1]), IF_EQUAL(one, 2, 0), IF_EQUAL(two, 1, 0), IF_EQUAL(three, 0, 1), \
        ANSWER(REFUSAL(EPERM)), ANSWER(SECCOMP_RET_ALLOW)

// Commands of fcntl(2) that let the kernel send signals to other processes.
enum { set_owner = 8, set_signal = 10, set_any_owner = 15 };

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

int spool_allow_system_calls(void) {
    const unsigned own = (unsigned)getpid();
    const struct sock_filter first[] = {
        LOAD(arch),
        IF_EQUAL(ARCHITECTURE, 1, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
        // The flags of clone3 are behind a pointer, which a filter cannot read; with ENOSYS the C library falls back to
        // clone.
#ifdef SYS_clone3
        IF_EQUAL(SYS_clone3, 0, 1),
        ANSWER(REFUSAL(ENOSYS)),
#endif
        ALLOW_FOR_ITSELF(SYS_kill, own),
        ALLOW_FOR_ITSELF(SYS_tgkill, own),
        ALLOW_FOR_ITSELF(SYS_rt_tgsigqueueinfo, own),
        ALLOW_FOR_ITSELF(SYS_prlimit64, own),
        ALLOW_EXCEPT(SYS_fcntl, set_owner, set_signal, set_any_owner),
        // Whether it is a terminal, how much can be read, and copies that share their blocks with the original.
        ALLOW_WITH(SYS_ioctl, 1, TCGETS, FIONREAD, FICLONE, FICLONERANGE),
        // The names of threads and of memory.
        ALLOW_WITH(SYS_prctl, 0, PR_SET_NAME, PR_GET_NAME, PR_SET_VMA, PR_GET_DUMPABLE),
        // New threads are allowed, new processes are not.
        IF_EQUAL(SYS_clone, 0, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        ANSWER(REFUSAL(EPERM)),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    enum { first_count = sizeof first / sizeof first[0] };
    struct sock_filter program[first_count + 2 * allowed_count + 1];
    size_t count = 0;
    while (count < first_count) {
        program[count] = first[count];
        count++;
    }
    for (size_t index = 0; index < allowed_count; index++) {
        program[count++] = (struct sock_filter)IF_EQUAL(allowed[index], 0, 1);
        program[count++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
    }
    program[count++] = (struct sock_filter)ANSWER(REFUSAL(EPERM));
    struct sock_fprog filter = {count, program};
    // For all threads, should a library have started some.
    long failed = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    return failed == 0 ? 0 : failed > 0 ? EBUSY : errno;
}

#else

int spool_allow_system_calls(void) { return ENOSYS; }

#endif
