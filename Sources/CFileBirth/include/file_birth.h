#ifndef FILE_BIRTH_H
#define FILE_BIRTH_H

#include <stdint.h>

/// When a file was made, in nanoseconds since 1970; 0 where the file system does not know.
///
/// A copy of a file has a birth of its own, whatever else was copied with it. Swift's Glibc does not have statx(2).
int64_t file_birth(const char *path);

#endif
