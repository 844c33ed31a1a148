// Wraps setresuid(2), capset(2) and prctl(2), which Swift cannot call, because it does not define _GNU_SOURCE and does
// not import variadic functions.
#define _GNU_SOURCE
#include "include/process_isolation.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int spool_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno; }

/// Makes sure that no program started by the process gets a capability. Failing with EPERM is harmless: the process is
/// not root and has none to lose.
static void empty_bounding_set(void) {
    // EINVAL means that the capability is greater than the last one of this kernel.
    for (int capability = 0; capability < 64; capability++) {
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno == EINVAL) break;
    }
}

int spool_become(unsigned user, unsigned group) {
    // This has to happen first, while the process still may do it.
    empty_bounding_set();
    gid_t only = group;
    if (setgroups(1, &only) != 0 || setresgid(group, group, group) != 0) return errno;
    // With PR_SET_KEEPCAPS, root's capabilities would survive the change of user.
    if (prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) != 0 || setresuid(user, user, user) != 0) return errno;
    return setresuid(0, 0, 0) == 0 ? EPERM : 0;
}

int spool_drop_capabilities(void) {
    empty_bounding_set();
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

int spool_hide(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno; }
