#define _GNU_SOURCE
#include "include/process_isolation.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

// unshare(2) is not visible to Swift, which does not define _GNU_SOURCE.
int spool_leave_network(void) {
    // Only root may leave the network by itself; anybody else needs a user namespace around it.
    int flags = geteuid() == 0 ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET;
    return unshare(flags) == 0 ? 0 : errno;
}
