#define _GNU_SOURCE
#include "file_birth.h"

#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>

int64_t file_birth(const char *path) {
#ifdef __APPLE__
    struct stat status;
    if (stat(path, &status) != 0) return 0;
    return (int64_t)status.st_birthtimespec.tv_sec * 1000000000 + status.st_birthtimespec.tv_nsec;
#else
    struct statx status;
    if (statx(AT_FDCWD, path, 0, STATX_BTIME, &status) != 0 || !(status.stx_mask & STATX_BTIME)) return 0;
    return (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
#endif
}

static const char mark_name[] = "user.settings.change";

int64_t file_mark(const char *path) {
    char text[32] = {0};
#ifdef __APPLE__
    ssize_t count = getxattr(path, mark_name, text, sizeof text - 1, 0, 0);
#else
    ssize_t count = getxattr(path, mark_name, text, sizeof text - 1);
#endif
    return count > 0 ? strtoll(text, NULL, 10) : -1;
}

void set_file_mark(const char *path, int64_t mark) {
    char text[32];
    int count = snprintf(text, sizeof text, "%lld", (long long)mark);
#ifdef __APPLE__
    setxattr(path, mark_name, text, (size_t)count, 0, 0);
#else
    setxattr(path, mark_name, text, (size_t)count, 0);
#endif
}
