#define _GNU_SOURCE
#include "file_birth.h"

#include <fcntl.h>
#include <sys/stat.h>

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
