#pragma once

// Functions that drop rights on Linux. Each function concerns the calling process, cannot be undone, and has to be called
// before the process has threads. Each returns 0, or an errno where the system does not allow it.

/// Cuts the process off the network; what is open stays open.
int spool_leave_network(void);

/// From now on, programs that the process starts cannot have more rights than the process itself.
int spool_no_new_privileges(void);

/// Becomes another user, with one group and no capability, and can never become root again. Only root can do that.
int spool_become(unsigned user, unsigned group);

/// Drops all capabilities. Root also drops the capabilities that the programs it starts could get.
int spool_drop_capabilities(void);

/// Refuses system calls that decoding and drawing do not need: other processes' memory, mounts, namespaces, keys,
/// kernel modules, tracing, new sockets. They fail with EPERM. It needs `spool_no_new_privileges`.
int spool_refuse_system_calls(void);

/// Hides the process's memory and environment from other processes of its user: `/proc/PID/environ` and similar files
/// then belong to root, and tracing is refused. The process leaves no core dump either.
int spool_hide(void);
