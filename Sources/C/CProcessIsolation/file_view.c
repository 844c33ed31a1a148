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

/// A part of the view: a copy of a mounted directory or file, or a symbolic link.
struct part {
    const char *path;
    int mount;
    int is_directory;
    char link[1024];
};

static int is_denied(int file, unsigned long long attributes) {
    struct mount_attr change = {.attr_set = attributes};
    return syscall(SYS_mount_setattr, file, "", AT_EMPTY_PATH | AT_RECURSIVE, &change, sizeof change) == 0 ? 0 : errno;
}

/// Copies what is mounted at a path. A path that does not exist is left out.
static int copy(struct part *part, const char *path, unsigned long long attributes) {
    struct stat status;
    part->path = path;
    part->mount = -1;
    part->link[0] = 0;
    if (lstat(path, &status) != 0) return 0;
    ssize_t length = S_ISLNK(status.st_mode) ? readlink(path, part->link, sizeof part->link - 1) : 0;
    if (length > 0) part->link[length] = 0;
    // A link within the root directory, such as /lib, stays a link; what other links lead to is copied in their place.
    if (part->link[0] && !strchr(path + 1, '/') && part->link[0] != '/') return 0;
    part->link[0] = 0;
    if (stat(path, &status) != 0) return 0;
    part->is_directory = S_ISDIR(status.st_mode);
    part->mount = (int)syscall(SYS_open_tree, AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
    if (part->mount < 0) return errno == ENOENT || errno == EACCES ? 0 : errno;
    return is_denied(part->mount, attributes);
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
static void place(const struct part *part) {
    if (part->link[0]) {
        if (symlink(part->link, part->path) != 0) return;
    } else if (part->mount >= 0) {
        make_place(part->path, part->is_directory);
        syscall(SYS_move_mount, part->mount, "", AT_FDCWD, part->path, MOVE_MOUNT_F_EMPTY_PATH);
        close(part->mount);
    }
}

/// A new, empty file system that is not mounted anywhere yet.
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

/// Makes an empty file system the root, and forgets the old one.
static int replace_root(void) {
    // Nothing of this is to appear outside.
    if (syscall(SYS_mount, "", "/", NULL, mount_private | mount_recursive, NULL) != 0) return errno;
    // Every system has /dev; what is mounted there is gone with the old root.
    if (syscall(SYS_mount, "tmpfs", "/dev", "tmpfs", mount_no_suid | mount_no_devices, "size=1m,mode=755") != 0) return errno;
    if (chdir("/dev") != 0 || syscall(SYS_pivot_root, ".", ".") != 0) {
        int failure = errno;
        if (chdir("/") == 0) syscall(SYS_umount2, "/dev", detach);
        return failure;
    }
    syscall(SYS_umount2, ".", detach);
    return chdir("/") == 0 ? 0 : errno;
}

static int by_length(const void *one, const void *other) {
    size_t a = strlen(((const struct part *)one)->path), b = strlen(((const struct part *)other)->path);
    return a < b ? -1 : a > b;
}

int spool_enter_file_view(const struct spool_file_view *view, int has_own_processes) {
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"};
    enum { device_count = sizeof devices / sizeof devices[0] };
    struct part *parts = calloc(view->system_count + view->readable_count + view->writable_count + device_count, sizeof *parts);
    if (!parts) return ENOMEM;
    const unsigned long long data = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    size_t count = 0;
    int failure = 0;
    for (size_t i = 0; i < view->system_count && !failure; i++) {
        failure = copy(&parts[count++], view->system[i], MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
    }
    for (size_t i = 0; i < view->readable_count && !failure; i++) {
        failure = copy(&parts[count++], view->readable[i], MOUNT_ATTR_RDONLY | data);
    }
    for (size_t i = 0; i < view->writable_count && !failure; i++) failure = copy(&parts[count++], view->writable[i], data);
    for (size_t i = 0; i < device_count && !failure; i++) failure = copy(&parts[count++], devices[i], MOUNT_ATTR_NOEXEC);
    // The processes of the machine are not shown to a process that has a namespace of its own for them.
    struct part processes = {.path = "/proc", .mount = -1, .is_directory = 1};
    if (!failure && has_own_processes) processes.mount = make_file_system("proc", NULL, NULL);
    if (!failure && !has_own_processes) failure = copy(&processes, "/proc", data);
    struct part temporary = {.path = "/tmp", .is_directory = 1, .mount = make_file_system("tmpfs", "64m", "1777")};
    if (!failure) failure = replace_root();
    if (!failure) {
        place(&temporary);
        place(&processes);
        // A directory comes before the directories in it.
        qsort(parts, count, sizeof *parts, by_length);
        for (size_t i = 0; i < count; i++) place(&parts[i]);
        struct mount_attr fixed = {.attr_set = MOUNT_ATTR_RDONLY};
        syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, &fixed, sizeof fixed);
    }
    free(parts);
    return failure;
}
