#pragma once

// What Linux offers to give up: each function concerns the calling process, cannot be taken back, and is to be called before
// the process has threads. Each returns 0, or an errno where the system does not allow it.

/// Takes the process off the network: it keeps what is open, and can reach nothing else.
int spool_leave_network(void);

/// From now on no program that the process starts has more rights than it has itself.
int spool_no_new_privileges(void);

/// Becomes another user, with one group and no capability, and can never be root again. Only root can do that.
int spool_become(unsigned user, unsigned group);

/// Gives up all capabilities, and as root also those that a program which it starts could get.
int spool_drop_capabilities(void);

/// Refuses system calls that nobody needs who decodes and draws: other processes' memory, mounts, namespaces, keys, kernel
/// modules, tracing, new sockets. They fail with EPERM. Needs `spool_no_new_privileges`.
int spool_refuse_system_calls(void);

/// Hides the process's memory and environment from other processes of its user: `/proc/PID/environ` and its like then belong to
/// root, and nobody may trace it. It leaves no core dump either.
int spool_hide(void);
