// A filter of system calls as a program for the kernel's packet filter (seccomp(2)): a list of call numbers that are
// refused. It is a second protection beside the unprivileged user. It refuses calls that lead to other processes, to
// the kernel or to the network, and allows all others, because media libraries and plug-ins use more calls than can be
// listed.
#define _GNU_SOURCE
#include "include/process_isolation.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, value)
#define REFUSAL(code) (SECCOMP_RET_ERRNO | ((code) & SECCOMP_RET_DATA))
#define REFUSE(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), ANSWER(REFUSAL(EPERM))

// Refuses a call whose first argument is a process id, unless the id is `own` or 0.
#define REFUSE_FOR_OTHERS(number, own) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 5), LOAD(args[0]), \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own, 2, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), \
        ANSWER(REFUSAL(EPERM)), ANSWER(SECCOMP_RET_ALLOW)

int spool_refuse_system_calls(void) {
    const unsigned own = (unsigned)getpid();
    struct sock_filter program[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        ANSWER(SECCOMP_RET_KILL_PROCESS),
        LOAD(nr),
#ifdef __x86_64__
        // The x32 calls are the same calls with other numbers.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        ANSWER(REFUSAL(ENOSYS)),
#endif
        // The flags of clone3 are behind a pointer, which a filter cannot read; with ENOSYS the C library falls back to
        // clone.
#ifdef SYS_clone3
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        ANSWER(REFUSAL(ENOSYS)),
#endif
        // Other processes.
        REFUSE(SYS_ptrace),
        REFUSE(SYS_process_vm_readv),
        REFUSE(SYS_process_vm_writev),
#ifdef SYS_pidfd_getfd
        REFUSE(SYS_pidfd_getfd),
#endif
#ifdef SYS_process_madvise
        REFUSE(SYS_process_madvise),
#endif
        REFUSE(SYS_kcmp),
        // As a process id, 0 means this process; for kill(2) it means the process group, which is only this process,
        // because it cannot start others.
        REFUSE_FOR_OTHERS(SYS_kill, own),
        REFUSE_FOR_OTHERS(SYS_tgkill, own),
        REFUSE_FOR_OTHERS(SYS_rt_sigqueueinfo, own),
        REFUSE_FOR_OTHERS(SYS_rt_tgsigqueueinfo, own),
        REFUSE_FOR_OTHERS(SYS_prlimit64, own),
        REFUSE(SYS_tkill),
#ifdef SYS_pidfd_open
        REFUSE(SYS_pidfd_open),
#endif
#ifdef SYS_pidfd_send_signal
        REFUSE(SYS_pidfd_send_signal),
#endif
        REFUSE(SYS_setpriority),
        REFUSE(SYS_ioprio_set),
        // A process that leaves its group would not be killed with it.
        REFUSE(SYS_setsid),
        REFUSE(SYS_setpgid),
        // New processes and other programs are refused: rendering needs only threads.
        REFUSE(SYS_execve),
        REFUSE(SYS_execveat),
#ifdef SYS_fork
        REFUSE(SYS_fork),
        REFUSE(SYS_vfork),
#endif
        // File systems and namespaces.
        REFUSE(SYS_mount),
        REFUSE(SYS_umount2),
        REFUSE(SYS_pivot_root),
        REFUSE(SYS_chroot),
        REFUSE(SYS_setns),
        REFUSE(SYS_unshare),
        REFUSE(SYS_open_by_handle_at),
        REFUSE(SYS_swapon),
        REFUSE(SYS_swapoff),
        REFUSE(SYS_quotactl),
#ifdef SYS_open_tree
        REFUSE(SYS_open_tree),
        REFUSE(SYS_move_mount),
        REFUSE(SYS_fsopen),
        REFUSE(SYS_fsconfig),
        REFUSE(SYS_fsmount),
        REFUSE(SYS_fspick),
#endif
#ifdef SYS_mount_setattr
        REFUSE(SYS_mount_setattr),
#endif
        // The kernel.
        REFUSE(SYS_bpf),
        REFUSE(SYS_perf_event_open),
        REFUSE(SYS_userfaultfd),
        REFUSE(SYS_keyctl),
        REFUSE(SYS_add_key),
        REFUSE(SYS_request_key),
        REFUSE(SYS_init_module),
        REFUSE(SYS_finit_module),
        REFUSE(SYS_delete_module),
        REFUSE(SYS_kexec_load),
#ifdef SYS_kexec_file_load
        REFUSE(SYS_kexec_file_load),
#endif
        REFUSE(SYS_reboot),
        REFUSE(SYS_syslog),
        REFUSE(SYS_acct),
        REFUSE(SYS_settimeofday),
        REFUSE(SYS_clock_settime),
        REFUSE(SYS_adjtimex),
        REFUSE(SYS_clock_adjtime),
#ifdef SYS_iopl
        REFUSE(SYS_iopl),
        REFUSE(SYS_ioperm),
#endif
#ifdef SYS_io_uring_setup
        // io_uring would perform operations that are refused here.
        REFUSE(SYS_io_uring_setup),
        REFUSE(SYS_io_uring_enter),
        REFUSE(SYS_io_uring_register),
#endif
        // Sockets are refused as well, in case the process could not leave the network.
        REFUSE(SYS_socket),
        // New threads are allowed, new processes are not.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        ANSWER(REFUSAL(EPERM)),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {sizeof program / sizeof program[0], program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
}

#else

int spool_refuse_system_calls(void) { return ENOSYS; }

#endif
