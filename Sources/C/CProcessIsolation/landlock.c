// Limits a process to named files by Landlock (landlock(7)), which needs neither privileges nor namespaces. It also
// forbids connections over TCP, and signals and abstract sockets that lead to other processes, as far as the kernel's
// version of Landlock knows of them.
#define _GNU_SOURCE
#include "include/process_isolation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's numbers (linux/landlock.h); headers of older kernels do not have all of them.
enum {
    execute = 1 << 0, write_file = 1 << 1, read_file = 1 << 2, read_directory = 1 << 3, remove_directory = 1 << 4,
    remove_file = 1 << 5, make_character_device = 1 << 6, make_directory = 1 << 7, make_file = 1 << 8, make_socket = 1 << 9,
    make_pipe = 1 << 10, make_block_device = 1 << 11, make_link = 1 << 12, move_between_directories = 1 << 13,
    truncate_file = 1 << 14, control_device = 1 << 15,
};
enum { tcp_bind = 1 << 0, tcp_connect = 1 << 1 };
enum { scope_sockets = 1 << 0, scope_signals = 1 << 1 };
enum { asks_for_version = 1 << 0, below_path = 1 };

struct ruleset { uint64_t files, network, scopes; };
struct __attribute__((packed)) rule { uint64_t allowed; int32_t parent; };

/// What a version of Landlock can forbid, without what only later ones can.
static uint64_t known_rights(int version) {
    uint64_t all = (1 << 14) - 1;
    if (version >= 3) all |= truncate_file;
    if (version >= 5) all |= control_device;
    return all;
}

/// Allows something for a file, or for a directory and all in it. A path that does not exist needs no rule.
static int allow(int ruleset, const char *path, uint64_t rights) {
    int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return 0;
    struct stat status;
    if (fstat(file, &status) == 0 && !S_ISDIR(status.st_mode)) {
        rights &= execute | write_file | read_file | truncate_file | control_device;
    }
    struct rule rule = {rights, file};
    int failure = syscall(SYS_landlock_add_rule, ruleset, below_path, &rule, 0) == 0 ? 0 : errno;
    close(file);
    return failure;
}

int spool_limit_to_files(const struct spool_file_view *view) {
    int version = (int)syscall(SYS_landlock_create_ruleset, NULL, 0, asks_for_version);
    if (version < 0) return errno;
    // The first version forbids every move from one directory to another, and so that of an artifact to its place.
    if (version < 2) return ENOSYS;
    const uint64_t known = known_rights(version);
    struct ruleset rules = {known, version >= 4 ? tcp_bind | tcp_connect : 0, version >= 6 ? scope_sockets | scope_signals : 0};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (ruleset < 0) return errno;
    const uint64_t reading = read_file | read_directory;
    const uint64_t writing = known
        & (reading | write_file | truncate_file | remove_file | remove_directory | make_file | make_directory
           | move_between_directories);
    int failure = 0;
    for (size_t i = 0; i < view->system_count && !failure; i++) failure = allow(ruleset, view->system[i], reading | execute);
    for (size_t i = 0; i < view->readable_count && !failure; i++) failure = allow(ruleset, view->readable[i], reading);
    for (size_t i = 0; i < view->writable_count && !failure; i++) failure = allow(ruleset, view->writable[i], writing);
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"};
    for (size_t i = 0; i < sizeof devices / sizeof devices[0] && !failure; i++) {
        failure = allow(ruleset, devices[i], reading | write_file);
    }
    if (!failure) failure = allow(ruleset, "/proc", reading);
    if (!failure && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) failure = errno;
    close(ruleset);
    return failure;
}
