// Builds a file system for one process: an empty root with copies of a few mounts. What is not copied does not exist for
// the process, whatever its user may read.
#define _GNU_SOURCE
#include "include/process_isolation.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { mount_private = 1 << 18, mount_recursive = 1 << 14, mount_no_suid = 2, mount_no_devices = 4, detach = 2 };

/// Denied to all files that are no libraries.
static const unsigned long long data = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;

/// A part of the view: a copy of a mounted directory or file, or a symbolic link.
struct part {
    const char *path;
    int mount;
    int is_directory;
    char link[1024];
};

/// Denies something to all mounts of a copy, and keeps what is mounted there later from appearing where it was copied from.
static int deny(int mount, unsigned long long attributes) {
    struct mount_attr change = {.attr_set = attributes, .propagation = mount_private};
    return syscall(SYS_mount_setattr, mount, "", AT_EMPTY_PATH | AT_RECURSIVE, &change, sizeof change) == 0 ? 0 : errno;
}

/// Copies what is mounted at a path. A path that does not exist, or that root may not see, is left out unless it is needed.
static int copy(struct part *part, const char *path, unsigned long long attributes, int is_needed) {
    struct stat status;
    part->path = path;
    part->mount = -1;
    if (stat(path, &status) != 0) return is_needed ? errno : 0;
    part->is_directory = S_ISDIR(status.st_mode);
    part->mount = (int)syscall(SYS_open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    if (part->mount < 0) return !is_needed && (errno == ENOENT || errno == EACCES) ? 0 : errno;
    return deny(part->mount, attributes);
}

/// Copies a directory of libraries. One that is a link within the root directory, such as /lib, stays a link.
static int copy_system(struct part *part, const char *path) {
    ssize_t length = strchr(path + 1, '/') ? 0 : readlink(path, part->link, sizeof part->link - 1);
    if (length > 0 && part->link[0] != '/') {
        part->path = path;
        part->mount = -1;
        part->link[length] = 0;
        return 0;
    }
    part->link[0] = 0;
    return copy(part, path, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0);
}

/// Makes the directories above a path, and the path itself as a directory or an empty file.
static void make_place(const char *path, int is_directory) {
    char name[4096];
    if (snprintf(name, sizeof name, "%s", path) >= (int)sizeof name) return;
    for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(name, 0755);
        *slash = '/';
    }
    if (is_directory) {
        mkdir(name, 0755);
    } else {
        int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
        if (file >= 0) close(file);
    }
}

/// Puts a part into its place. If that fails, a job that needs it finds that it does not exist.
static int place(const struct part *part) {
    if (part->link[0]) return symlink(part->link, part->path) == 0 ? 0 : errno;
    if (part->mount < 0) return 0;
    make_place(part->path, part->is_directory);
    long moved = syscall(SYS_move_mount, part->mount, "", AT_FDCWD, part->path, MOVE_MOUNT_F_EMPTY_PATH);
    return moved == 0 ? 0 : errno;
}

/// A new, empty file system that is not mounted anywhere yet; -1 where the system does not allow it.
static int make_file_system(const char *type, const char *size, const char *mode) {
    int context = (int)syscall(SYS_fsopen, type, FSOPEN_CLOEXEC);
    if (context < 0) return -1;
    if (size) syscall(SYS_fsconfig, context, FSCONFIG_SET_STRING, "size", size, 0);
    if (mode) syscall(SYS_fsconfig, context, FSCONFIG_SET_STRING, "mode", mode, 0);
    int mount = -1;
    if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0) {
        mount = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC);
    }
    close(context);
    return mount;
}

/// An empty file system that hides what lies at a path.
static int cover(struct part *part, const char *path, const char *size, const char *mode) {
    part->path = path;
    part->is_directory = 1;
    part->mount = make_file_system("tmpfs", size, mode);
    return part->mount < 0 ? errno : 0;
}

/// The processes of the namespace; those of the machine where the system does not allow that, as where it covers parts of
/// /proc. Either way /proc/self is the process itself.
static int copy_processes(struct part *part, int has_own_processes) {
    part->path = "/proc";
    part->is_directory = 1;
    part->mount = has_own_processes ? make_file_system("proc", NULL, NULL) : -1;
    return part->mount < 0 ? copy(part, "/proc", data, 1) : 0;
}

/// Makes an empty file system the root, and forgets the old one.
static int replace_root(void) {
    // Every system has /dev; what is mounted there is gone with the old root.
    if (syscall(SYS_mount, "tmpfs", "/dev", "tmpfs", mount_no_suid | mount_no_devices, "size=1m,mode=755") != 0) return errno;
    if (chdir("/dev") != 0 || syscall(SYS_pivot_root, ".", ".") != 0) {
        int failure = errno;
        if (chdir("/") == 0) syscall(SYS_umount2, "/dev", detach);
        return failure;
    }
    // From here on, nothing could be undone.
    if (syscall(SYS_umount2, ".", detach) != 0 || chdir("/") != 0) _exit(126);
    return 0;
}

static int by_length(const void *one, const void *other) {
    size_t a = strlen(((const struct part *)one)->path), b = strlen(((const struct part *)other)->path);
    return a < b ? -1 : a > b;
}

/// Copies all parts of a view. On failure those that were copied have to be closed.
static int copy_all(struct part *parts, size_t *count, const struct spool_file_view *view, int has_own_processes) {
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"};
    int failure = cover(&parts[(*count)++], "/tmp", "64m", "1777");
    if (!failure) failure = copy_processes(&parts[(*count)++], has_own_processes);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0] && !failure; i++) {
        failure = copy(&parts[(*count)++], devices[i], MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC, 0);
    }
    for (size_t i = 0; i < view->system_count && !failure; i++) failure = copy_system(&parts[(*count)++], view->system[i]);
    for (size_t i = 0; i < view->readable_count && !failure; i++) {
        failure = copy(&parts[(*count)++], view->readable[i], MOUNT_ATTR_RDONLY | data, 0);
    }
    for (size_t i = 0; i < view->hidden_count && !failure; i++) {
        failure = cover(&parts[(*count)++], view->hidden[i], "64k", "755");
    }
    for (size_t i = 0; i < view->writable_count && !failure; i++) {
        failure = copy(&parts[(*count)++], view->writable[i], data, 1);
    }
    return failure;
}

int spool_enter_file_view(const struct spool_file_view *view, int has_own_processes) {
    enum { others = 6 };
    size_t all = view->system_count + view->readable_count + view->hidden_count + view->writable_count + others;
    struct part *parts = calloc(all, sizeof *parts);
    if (!parts) return ENOMEM;
    size_t count = 0;
    // Nothing that is mounted from here on is to appear outside.
    int failure = syscall(SYS_mount, "", "/", NULL, mount_private | mount_recursive, NULL) == 0 ? 0 : errno;
    if (!failure) failure = copy_all(parts, &count, view, has_own_processes);
    if (!failure) failure = replace_root();
    if (!failure) {
        mode_t inherited = umask(0);
        // A directory comes before the directories in it.
        qsort(parts, count, sizeof *parts, by_length);
        for (size_t i = 0; i < count; i++) {
            int is_misplaced = place(&parts[i]) != 0;
            for (size_t j = 0; j < view->writable_count && is_misplaced; j++) {
                // Without the place for its results, the process would fail every job.
                if (parts[i].path == view->writable[j]) _exit(126);
            }
        }
        struct mount_attr fixed = {.attr_set = MOUNT_ATTR_RDONLY};
        if (syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &fixed, sizeof fixed) != 0) _exit(126);
        umask(inherited);
    }
    for (size_t i = 0; i < count; i++) {
        if (parts[i].mount >= 0) close(parts[i].mount);
    }
    free(parts);
    return failure;
}
