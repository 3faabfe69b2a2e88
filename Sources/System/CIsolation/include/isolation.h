#ifndef ISOLATION_H
#define ISOLATION_H

#include <malloc.h>  // Swift's Glibc has neither mallopt(3) nor eventfd(2).
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/types.h>

/// What a system could not take away from a child.
enum {
    /// The child can read and delete what its user can.
    ISOLATION_LACKS_LANDLOCK = 1,
    /// The child can connect, fork, and reach other processes of its user.
    ISOLATION_LACKS_SECCOMP = 2,
};

/// A child that was started, and the ends of its two pipes.
struct isolated_child {
    /// -1 if the program could not be started; then there are no pipes.
    pid_t process;
    /// The child's standard input; a write does not block.
    int input;
    /// What the child writes is read here.
    int output;
    /// What this system could not take away from the child.
    int lacks;
};

/// Starts a program that can read, compute and write to its pipe, and do little else.
///
/// - Parameter arguments: Begins with the program's path; ends with NULL.
/// - Parameter readable: The files and folders that it may read and execute, as far as they exist; ends with NULL.
/// - Parameter memory: The most bytes of its address space.
/// - Parameter seconds: The most seconds of processor time.
struct isolated_child isolation_start(char *const arguments[], char *const readable[], uint64_t memory, uint64_t seconds);

#endif
