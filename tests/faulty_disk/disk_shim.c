/* Preloaded into a process: counts what it changes below one folder, logs it, or lets it fail.
 *
 * disk_arm(root, log, at, error, how): start to count. The operation number `at` (from 1) fails with
 * `error`; how 0: it alone, how 1: it and all later ones, how 2: as 1, but a write that would have
 * failed first writes half of its bytes, as on a disk that is full. at 0: none fails.
 * disk_count(): how many operations there were, with those that failed.
 *
 * Counted: creating or truncating a file, write, ftruncate, fsync, fdatasync, rename, unlink, mkdir,
 * rmdir. Log: one line each, `name path [other path]`, for writes `write fd offset length` followed
 * by the bytes. Opening is logged as `open fd path`, so that what is written by descriptor has a
 * file. Memory that is mapped shared is not seen: of Snellen's files, SQLite maps its `-shm` only,
 * which it never trusts after a crash. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define DESCRIPTORS 4096
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static char root[PATH_MAX];
static size_t root_length;
static int log_fd = -1;
static long count, at;
static int error_number, how;
static unsigned char inside[DESCRIPTORS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int disk_arm(const char *folder, const char *log, long n, int error, int kind) {
    count = 0, at = n, error_number = error, how = kind;
    snprintf(root, sizeof root, "%s/", folder);
    memset(inside, 0, sizeof inside);
    log_fd = *log ? REAL(open)(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600) : -1;
    root_length = strlen(root);
    return *log ? log_fd : 0;
}

long disk_count(void) { return count; }

static int below(int folder, const char *path, char *full) {
    char base[PATH_MAX / 2] = "";
    if (!root_length || !path) return 0;
    if (path[0] != '/') {
        if (folder == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return 0;
        } else {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
            ssize_t length = readlink(link, base, sizeof base - 1);
            if (length < 0) return 0;
            base[length] = 0;
        }
        snprintf(full, PATH_MAX, "%s/%.2000s", base, path);
    } else {
        snprintf(full, PATH_MAX, "%s", path);
    }
    size_t length = strlen(full);
    while (length > 1 && full[length - 1] == '/') full[--length] = 0;
    return strncmp(full, root, root_length) == 0 || (length == root_length - 1 && !strncmp(full, root, length));
}

static int held(int fd) { return root_length && fd >= 0 && fd < DESCRIPTORS && inside[fd]; }

static void put(const char *bytes, size_t length) {
    while (log_fd >= 0 && length) {
        ssize_t done = REAL(write)(log_fd, bytes, length);
        if (done <= 0) abort();
        bytes += done, length -= done;
    }
}

static void say(const char *format, ...) {
    char line[3 * PATH_MAX];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    put(line, length);
}

/* Whether the next operation fails; the lock is held. */
static int fails(void) {
    count++;
    if (!at || !(count == at || (how && count > at))) return 0;
    errno = error_number;
    return 1;
}

static int opened(int folder, const char *path, int flags, mode_t mode) {
    char full[PATH_MAX];
    int ours = below(folder, path, full);
    if (!ours) return REAL(openat)(folder, path, flags, mode);
    pthread_mutex_lock(&lock);
    struct stat known;
    int missing = fstatat(folder, path, &known, 0) != 0;
    int changes = (flags & O_CREAT && missing) || (flags & O_TRUNC && !missing && known.st_size);
    int fd = -1;
    if (!changes || !fails()) {
        fd = REAL(openat)(folder, path, flags, mode);
        if (fd >= 0 && fd < DESCRIPTORS) {
            inside[fd] = 1;
            if (changes) say("%s %s\n", missing ? "create" : "empty", full);
            say("open %d %s\n", fd, full);
        }
    }
    pthread_mutex_unlock(&lock);
    return fd;
}

#define MODE                              \
    mode_t mode = 0;                      \
    if (flags & (O_CREAT | O_TMPFILE)) {  \
        va_list values;                   \
        va_start(values, flags);          \
        mode = va_arg(values, mode_t);    \
        va_end(values);                   \
    }

int open(const char *path, int flags, ...) { MODE return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE return opened(folder, path, flags | O_LARGEFILE, mode); }

int close(int fd) {
    if (held(fd)) inside[fd] = 0;
    return REAL(close)(fd);
}

static ssize_t written(int fd, const void *bytes, size_t length, off_t offset) {
    int placed = offset >= 0;
    if (!held(fd)) return placed ? REAL(pwrite)(fd, bytes, length, offset) : REAL(write)(fd, bytes, length);
    pthread_mutex_lock(&lock);
    ssize_t done = -1;
    int first = at && count + 1 == at;
    if (!fails() || (how == 2 && first && length > 1 && (length /= 2))) {
        int appends = fcntl(fd, F_GETFL) & O_APPEND;
        struct stat known;
        fstat(fd, &known);
        off_t place = placed ? offset : appends ? known.st_size : lseek(fd, 0, SEEK_CUR);
        done = placed ? REAL(pwrite)(fd, bytes, length, offset) : REAL(write)(fd, bytes, length);
        if (done >= 0) {
            say("write %d %lld %lld\n", fd, (long long)place, (long long)done);
            put(bytes, done);
            put("\n", 1);
        }
    }
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int fd, const void *bytes, size_t length) { return written(fd, bytes, length, -1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return written(fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return written(fd, bytes, length, offset); }

/* A call that changes something, unless it is the one that fails. */
#define CHANGE(ours, call, ...)               \
    if (!(ours)) return call;                 \
    pthread_mutex_lock(&lock);                \
    int result = fails() ? -1 : call;         \
    if (!result) say(__VA_ARGS__);            \
    pthread_mutex_unlock(&lock);              \
    return result;

int fsync(int fd) {
    if (!held(fd)) return REAL(fsync)(fd);
    CHANGE(1, 0, "sync %d\n", fd) /* not carried out: the disk of a test need not last */
}
int fdatasync(int fd) { return fsync(fd); }
int ftruncate(int fd, off_t size) { CHANGE(held(fd), REAL(ftruncate)(fd, size), "truncate %d %lld\n", fd, (long long)size) }
int ftruncate64(int fd, off64_t size) { CHANGE(held(fd), REAL(ftruncate)(fd, size), "truncate %d %lld\n", fd, (long long)size) }

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    char before[PATH_MAX], after[PATH_MAX];
    int ours = below(from_folder, from, before) && below(to_folder, to, after);
    CHANGE(ours, REAL(renameat)(from_folder, from, to_folder, to), "rename %s\t%s\n", before, after)
}
int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

int unlinkat(int folder, const char *path, int flags) {
    char full[PATH_MAX];
    int ours = below(folder, path, full);
    CHANGE(ours, REAL(unlinkat)(folder, path, flags), "unlink %s\n", full)
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int folder, const char *path, mode_t mode) {
    char full[PATH_MAX];
    int ours = below(folder, path, full);
    struct stat known;
    if (ours && fstatat(folder, path, &known, AT_SYMLINK_NOFOLLOW) == 0) return errno = EEXIST, -1;
    CHANGE(ours, REAL(mkdirat)(folder, path, mode), "mkdir %s\n", full)
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
