/* Storage that fails: preloaded before the C library, it makes calls on chosen files fail as a broken disk or a network file
   system does. Child processes have the same faults. The variables LD_SPOOL_FAULT... say which calls fail, and how
   (Tests/TestSupport/FaultyStorage.swift explains them).

   The path of a descriptor is looked up at every call, so that duplicated descriptors and renamed files have the faults, too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
static int code(void) {
    const char *name = getenv("LD_SPOOL_FAULT");
    if (!name) return 0;
    if (!strcmp(name, "EIO")) return EIO;
    if (!strcmp(name, "ENOSPC")) return ENOSPC;
    if (!strcmp(name, "ENOMEM")) return ENOMEM;
    if (!strcmp(name, "EACCES")) return EACCES;
    if (!strcmp(name, "EMFILE")) return EMFILE;
    return -1;
}
static int is_meant(const char *path, const char *call) {
    const char *wanted = getenv("LD_SPOOL_FAULT_CALL"), *parts = getenv("LD_SPOOL_FAULT_FILE");
    if (!wanted || !parts || strcmp(wanted, call)) return 0;
    char copy[4096], *rest = copy, *part;
    snprintf(copy, sizeof copy, "%s", parts);
    while ((part = strsep(&rest, "|"))) {
        const size_t length = strlen(part), whole = strlen(path);
        if (length == 0 || part[length - 1] != '$') {
            if (!strstr(path, part)) return 0;
        } else if (whole < length - 1 || strncmp(path + whole - (length - 1), part, length - 1)) {
            return 0;
        }
    }
    return 1;
}
static int is_meant_file(int file, const char *call) {
    const char *wanted = getenv("LD_SPOOL_FAULT_CALL");
    if (!wanted || strcmp(wanted, call)) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t count = readlink(link, path, sizeof path - 1);
    if (count <= 0) return 0;
    path[count] = 0;
    return is_meant(path, call);
}
static off_t first_bad(void) {
    const char *offset = getenv("LD_SPOOL_FAULT_OFFSET");
    return offset ? atoll(offset) : 0;
}
/* How many bytes are still good; -1 where the call fails. */
static ssize_t good(int file, const char *call, size_t count, off_t place) {
    if (!is_meant_file(file, call)) return (ssize_t)count;
    const char *pause = getenv("LD_SPOOL_FAULT_PAUSE");
    if (pause) {
        while (!strcmp(pause, "forever")) sleep(1000);
        usleep(1000 * (useconds_t)atoi(pause));
        return (ssize_t)count;
    }
    const off_t end = first_bad();
    if (place + (off_t)count <= end) return (ssize_t)count;
    if (place < end) return (ssize_t)(end - place);
    if (code() < 0) return 0;
    errno = code();
    return -1;
}
static int fails_to_open(int directory, const char *path) {
    char whole[8192];
    if (path[0] == '/' || directory != AT_FDCWD) {
        snprintf(whole, sizeof whole, "%s", path);
    } else {
        if (!getcwd(whole, 4096)) return 0;
        const size_t length = strlen(whole);
        snprintf(whole + length, sizeof whole - length, "/%s", path);
    }
    if (!is_meant(whole, "open") || code() <= 0) return 0;
    errno = code();
    return 1;
}
#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, mode_t); va_end(rest); }
#define NEXT(type, name) static type next; if (!next) next = (type)dlsym(RTLD_NEXT, name)
typedef int (*open_call)(const char *, int, ...);
typedef int (*openat_call)(int, const char *, int, ...);
int open(const char *path, int flags, ...) {
    MODE(flags) NEXT(open_call, "open");
    return fails_to_open(AT_FDCWD, path) ? -1 : next(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags) NEXT(open_call, "open64");
    return fails_to_open(AT_FDCWD, path) ? -1 : next(path, flags, mode);
}
int openat(int directory, const char *path, int flags, ...) {
    MODE(flags) NEXT(openat_call, "openat");
    return fails_to_open(directory, path) ? -1 : next(directory, path, flags, mode);
}
int openat64(int directory, const char *path, int flags, ...) {
    MODE(flags) NEXT(openat_call, "openat64");
    return fails_to_open(directory, path) ? -1 : next(directory, path, flags, mode);
}
typedef FILE *(*fopen_call)(const char *, const char *);
FILE *fopen(const char *path, const char *mode) {
    NEXT(fopen_call, "fopen");
    return fails_to_open(AT_FDCWD, path) ? NULL : next(path, mode);
}
FILE *fopen64(const char *path, const char *mode) {
    NEXT(fopen_call, "fopen64");
    return fails_to_open(AT_FDCWD, path) ? NULL : next(path, mode);
}
typedef ssize_t (*read_call)(int, void *, size_t);
typedef ssize_t (*pread_call)(int, void *, size_t, off_t);
ssize_t read(int file, void *bytes, size_t count) {
    NEXT(read_call, "read");
    const ssize_t whole = good(file, "read", count, lseek(file, 0, SEEK_CUR));
    return whole < 0 ? -1 : next(file, bytes, (size_t)whole);
}
ssize_t pread(int file, void *bytes, size_t count, off_t place) {
    NEXT(pread_call, "pread");
    const ssize_t whole = good(file, "read", count, place);
    return whole < 0 ? -1 : next(file, bytes, (size_t)whole, place);
}
ssize_t pread64(int file, void *bytes, size_t count, off_t place) { return pread(file, bytes, count, place); }
typedef size_t (*fread_call)(void *, size_t, size_t, FILE *);
size_t fread(void *bytes, size_t size, size_t count, FILE *file) {
    NEXT(fread_call, "fread");
    const off_t place = ftello(file);
    const ssize_t whole = good(fileno(file), "read", size * count, place);
    return whole <= 0 ? 0 : next(bytes, size, (size_t)whole / size, file);
}
typedef ssize_t (*write_call)(int, const void *, size_t);
typedef ssize_t (*pwrite_call)(int, const void *, size_t, off_t);
ssize_t write(int file, const void *bytes, size_t count) {
    NEXT(write_call, "write");
    const ssize_t whole = good(file, "write", count, lseek(file, 0, SEEK_CUR));
    return whole < 0 ? -1 : next(file, bytes, (size_t)whole);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
    NEXT(pwrite_call, "pwrite");
    const ssize_t whole = good(file, "write", count, place);
    return whole < 0 ? -1 : next(file, bytes, (size_t)whole, place);
}
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t place) { return pwrite(file, bytes, count, place); }
typedef size_t (*fwrite_call)(const void *, size_t, size_t, FILE *);
size_t fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
    NEXT(fwrite_call, "fwrite");
    if (!is_meant_file(fileno(file), "write")) return next(bytes, size, count, file);
    const ssize_t whole = good(fileno(file), "write", size * count, ftello(file));
    const size_t written = whole <= 0 || size == 0 ? 0 : next(bytes, size, (size_t)whole / size, file);
    /* The system's own fwrite says why it wrote less. */
    if (written < count && code() >= 0) errno = code();
    return written;
}
