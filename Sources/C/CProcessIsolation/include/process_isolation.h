#pragma once

#include <stddef.h>

// Functions that drop rights on Linux. Each function concerns the calling process, cannot be undone, and has to be called
// before the process has threads. Each returns 0, or an errno where the system does not allow it.

/// For each kind of namespace 0, or an errno.
struct spool_namespaces {
    int network;
    int ipc;
    int files;
    int processes;
};

/// Enters namespaces of its own, those of the kinds that are 0 in `failures`, as many as the system allows. For each kind that
/// could not be entered, `failures` then has the reason. The network has no interface, so that nothing outside can be
/// reached; connections that are open stay open. The namespace of processes is that of the next child, so that
/// `spool_begin_process_namespace` has to follow where it could be entered. Users other than root need a user namespace
/// for all of them, which is entered as well.
void spool_enter_namespaces(struct spool_namespaces *failures);

/// Goes on as the second process of the new namespace of processes. It returns in that process only: the calling process
/// waits for its end and ends in the same way, with the same exit code or signal. When either the calling process or the
/// namespace's first process is killed, the second one ends with it.
int spool_begin_process_namespace(void);

/// The files that a process may use, as absolute paths of directories and files. A path that does not exist is left out.
struct spool_file_view {
    /// Read and executed, such as libraries.
    const char *const *system;
    size_t system_count;
    /// Only read.
    const char *const *readable;
    size_t readable_count;
    /// Replaced by empty directories, in which only further paths of the view can be seen.
    const char *const *hidden;
    size_t hidden_count;
    /// Read and written. These have to exist.
    const char *const *writable;
    size_t writable_count;
};

/// Replaces the file system by one that has only the files of the view, a few devices, an empty /tmp of 64 MB, and /proc.
/// It needs a mount namespace. On failure the file system stays as it was; a process whose file system was replaced in part
/// ends with the exit code 126.
/// - has_own_processes: whether the process is in a namespace of processes of its own, which /proc then shows.
int spool_enter_file_view(const struct spool_file_view *view, int has_own_processes);

/// Forbids the use of files outside the view by Landlock, whatever is mounted. It needs `spool_no_new_privileges`.
int spool_limit_to_files(const struct spool_file_view *view);

/// From now on, programs that the process starts cannot have more rights than the process itself.
int spool_no_new_privileges(void);

/// Becomes another user, with one group and no capability, and can never become root again. Only root can do that.
int spool_become(unsigned user, unsigned group);

/// Drops all capabilities. Root also drops the capabilities that the programs it starts could get.
int spool_drop_capabilities(void);

/// Allows only the system calls that decoding, drawing and encoding need; all others fail with EPERM. It needs
/// `spool_no_new_privileges`.
int spool_allow_system_calls(void);

/// Hides the process's memory and environment from other processes of its user: `/proc/PID/environ` and similar files
/// then belong to root, and tracing is refused. The process leaves no core dump either.
int spool_hide(void);
