#pragma once

/// Takes the calling process off the network: it keeps what is open, and can reach nothing else. To be called before the
/// process has threads.
/// Returns 0, or an errno where the system does not allow it.
int spool_leave_network(void);
