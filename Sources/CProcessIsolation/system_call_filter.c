// The filter of system calls as a program for the kernel's packet filter (seccomp(2)): a list of numbers that are refused. It is
// a second wall behind the user without rights, so it names what leads to other processes, to the kernel or to the network, and
// lets everything else pass: media libraries and plug-ins use more than anybody could list.
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

static struct sock_filter program[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr),
#ifdef __x86_64__
    // The x32 calls are the same ones under other numbers.
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    ANSWER(REFUSAL(ENOSYS)),
#endif
    // Its flags are behind a pointer, which a filter cannot read: the C library falls back to clone.
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
    // A process that has left its group would outlive it.
    REFUSE(SYS_setsid),
    REFUSE(SYS_setpgid),
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
    // It would do by itself what is refused here.
    REFUSE(SYS_io_uring_setup),
    REFUSE(SYS_io_uring_enter),
    REFUSE(SYS_io_uring_register),
#endif
    // The network, also where the process could not be taken off it.
    REFUSE(SYS_socket),
    // A thread or a process is fine, one in a user namespace of its own is not.
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWUSER, 0, 1),
    ANSWER(REFUSAL(EPERM)),
    ANSWER(SECCOMP_RET_ALLOW),
};

int spool_refuse_system_calls(void) {
    struct sock_fprog filter = {sizeof program / sizeof program[0], program};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0 ? 0 : errno;
}

#else

int spool_refuse_system_calls(void) { return ENOSYS; }

#endif
