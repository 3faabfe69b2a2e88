#ifndef FILE_BIRTH_H
#define FILE_BIRTH_H

#include <stdint.h>

/// When a file was made, in nanoseconds since 1970; 0 where the file system does not know.
///
/// A copy of a file has a birth of its own, whatever else was copied with it. Swift's Glibc does not have statx(2).
int64_t file_birth(const char *path);

/// The number that was put on a file beside its contents; -1 where there is none, or the file system keeps none.
///
/// Contents that are copied over those of the file leave the number as it is. Swift's Glibc does not have getxattr(2).
int64_t file_mark(const char *path);

/// Puts a number on a file; does nothing where the file system keeps none.
void set_file_mark(const char *path, int64_t mark);

#endif
