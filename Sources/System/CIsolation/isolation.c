#define _GNU_SOURCE
#include "isolation.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// The files: Landlock. Nothing can be opened but what is below `readable`. What a later version of the interface can refuse
// is refused there as well; the headers of Debian 12 do not have all names.
static int open_ruleset(char *const *readable) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1) return -1;
    static const int kinds_of_access[] = {0, 13, 14, 15, 15, 16};
    struct {
        uint64_t files, network, scope;
    } refused = {
        .files = (1u << kinds_of_access[version < 5 ? version : 5]) - 1,
        .network = version < 4 ? 0 : 3,  // bind and connect of TCP
        .scope = version < 6 ? 0 : 3,  // abstract Unix sockets and signals
    };
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &refused, sizeof refused, 0);
    for (; ruleset >= 0 && *readable; readable++) {
        struct landlock_path_beneath_attr rule = {.parent_fd = open(*readable, O_PATH | O_CLOEXEC)};
        if (rule.parent_fd < 0) continue;
        struct stat status;
        rule.allowed_access = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE;
        bool is_folder = fstat(rule.parent_fd, &status) == 0 && S_ISDIR(status.st_mode);
        if (is_folder) rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
        close(rule.parent_fd);
    }
    return ruleset;
}

// The system calls: seccomp. A refused call fails with EPERM, so that the program can go on without it.
#ifdef ARCHITECTURE
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP(skipped, condition, value) BPF_JUMP(BPF_JMP | BPF_K | condition, value, skipped, 0)
#define SKIP_UNLESS(skipped, condition, value) BPF_JUMP(BPF_JMP | BPF_K | condition, value, 0, skipped)
#define FAIL(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE_NUMBER(number) SKIP_UNLESS(1, BPF_JEQ, number), FAIL(EPERM)
#define REFUSE(name) REFUSE_NUMBER(__NR_##name)

static struct sock_filter filter[] = {
    // The numbers below are those of this architecture's own calls: not of 32 bits, not of x32.
    LOAD(arch), SKIP(1, BPF_JEQ, ARCHITECTURE), FAIL(EPERM), LOAD(nr),
#ifdef __x86_64__
    SKIP_UNLESS(1, BPF_JGE, 0x40000000), FAIL(EPERM),
    REFUSE(fork), REFUSE(vfork), REFUSE(chmod), REFUSE(chown), REFUSE(lchown), REFUSE(utime), REFUSE(utimes), REFUSE(futimesat),
#endif
    // Threads, but no processes. A filter cannot read the flags of clone3; without it, the C library uses clone.
    SKIP_UNLESS(1, BPF_JEQ, __NR_clone3), FAIL(ENOSYS),
    SKIP_UNLESS(4, BPF_JEQ, __NR_clone), LOAD(args[0]), SKIP_UNLESS(1, BPF_JSET, CLONE_THREAD), ALLOW, FAIL(EPERM),
    // No sockets, so nothing to connect. io_uring makes calls that no filter sees.
    REFUSE(socket), REFUSE(socketpair), REFUSE(io_uring_setup),
    // No other process: no signals (fcntl can have them sent), no memory, no limits, no priority.
    REFUSE(kill), REFUSE(tkill), REFUSE(tgkill), REFUSE(rt_sigqueueinfo), REFUSE(rt_tgsigqueueinfo),
    REFUSE(pidfd_send_signal), REFUSE(pidfd_getfd), REFUSE(ptrace), REFUSE(process_vm_readv), REFUSE(process_vm_writev),
    REFUSE(process_madvise), REFUSE(kcmp), REFUSE(setpriority), REFUSE(ioprio_set), REFUSE(sched_setscheduler),
    REFUSE(sched_setparam), REFUSE(sched_setattr), REFUSE(sched_setaffinity), REFUSE(migrate_pages), REFUSE(move_pages),
    SKIP_UNLESS(5, BPF_JEQ, __NR_fcntl), LOAD(args[1]), SKIP(2, BPF_JEQ, F_SETOWN), SKIP(1, BPF_JEQ, F_SETSIG),
    SKIP_UNLESS(1, BPF_JEQ, F_SETOWN_EX), FAIL(EPERM), LOAD(nr),
    SKIP_UNLESS(3, BPF_JEQ, __NR_prlimit64), LOAD(args[0]), SKIP(1, BPF_JEQ, 0), FAIL(EPERM), LOAD(nr),
    // What Landlock does not refuse: to change a file's length, mode, owner, times and attributes by its path.
    REFUSE(truncate), REFUSE(fchmod), REFUSE(fchmodat), REFUSE(fchown), REFUSE(fchownat), REFUSE(utimensat),
    REFUSE(setxattr), REFUSE(lsetxattr), REFUSE(fsetxattr), REFUSE(removexattr), REFUSE(lremovexattr), REFUSE(fremovexattr),
    // fchmodat2, setxattrat, removexattrat and file_setattr, which Debian 12's headers do not have.
    REFUSE_NUMBER(452), REFUSE_NUMBER(463), REFUSE_NUMBER(466), REFUSE_NUMBER(469),
    // No namespace in which it would be root. What only root may do needs no line: the child has no capabilities.
    REFUSE(unshare), REFUSE(setns),
    // Nothing that outlives it or counts for no limit of it.
    REFUSE(shmget), REFUSE(semget), REFUSE(msgget), REFUSE(mq_open), REFUSE(add_key), REFUSE(request_key), REFUSE(keyctl),
    // Wide doors into the kernel.
    REFUSE(bpf), REFUSE(perf_event_open), REFUSE(userfaultfd),
    ALLOW,
};
#endif

static int give_up(int ruleset) {
    int lacks = ISOLATION_LACKS_LANDLOCK | ISOLATION_LACKS_SECCOMP;
    for (int capability = 0; prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; capability++) {}
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[2] = {{0}};
    syscall(SYS_capset, &header, none);
    // Without this, neither of the two is open to a user without privileges.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return lacks;
    if (syscall(SYS_landlock_restrict_self, ruleset, 0) == 0) lacks &= ~ISOLATION_LACKS_LANDLOCK;
#ifdef ARCHITECTURE
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0) lacks &= ~ISOLATION_LACKS_SECCOMP;
#endif
    return lacks;
}

static void limit(int resource, rlim_t most) { setrlimit(resource, &(struct rlimit){most, most}); }

static void close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
    for (int descriptor = first; descriptor < (int)sysconf(_SC_OPEN_MAX); descriptor++) close(descriptor);
}

struct start {
    char *const *arguments;
    int input[2], output[2], ruleset;
    uint64_t memory, seconds;
};

// Makes only system calls: it runs in the parent's memory, while the parent's other threads go on. Returns if it fails.
static void become(const struct start *start, volatile int *lacks) {
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    // The descriptors may have the numbers 0 to 2, where the parent was started without these.
    int input = fcntl(start->input[0], F_DUPFD, 3), output = fcntl(start->output[1], F_DUPFD, 3);
    int errors = fcntl(open("/dev/null", O_WRONLY), F_DUPFD, 3), ruleset = fcntl(start->ruleset, F_DUPFD, 3);
    if (dup2(input, 0) != 0 || dup2(output, 1) != 1 || dup2(errors, 2) != 2) return;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_AS, start->memory);
    limit(RLIMIT_CPU, start->seconds);
    *lacks = give_up(ruleset);
    close_from(3);
    limit(RLIMIT_NOFILE, 64);
    execve(*start->arguments, start->arguments, (char *const[]){"PATH=/usr/bin:/bin", NULL});
}

struct isolated_child isolation_start(char *const arguments[], char *const readable[], uint64_t memory, uint64_t seconds) {
    struct start start = {arguments, {-1, -1}, {-1, -1}, open_ruleset(readable), memory, seconds};
    volatile int lacks = 0, failed = 0;
    pid_t process = -1;
    bool has_pipes = pipe2(start.input, O_CLOEXEC) == 0 && pipe2(start.output, O_CLOEXEC) == 0;
    if (has_pipes && fcntl(start.input[1], F_SETFL, O_NONBLOCK) == 0) {
        // No signal handler of this process may run in the child, which has the same memory until it executes the program.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        process = vfork();
        if (process == 0) {
            become(&start, &lacks);
            failed = 1;
            _exit(127);
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    close(start.ruleset);
    close(start.input[0]);
    close(start.output[1]);
    if (process > 0 && !failed) return (struct isolated_child){process, start.input[1], start.output[0], lacks};
    close(start.input[1]);
    close(start.output[0]);
    while (process > 0 && waitpid(process, NULL, 0) < 0 && errno == EINTR) {}
    return (struct isolated_child){-1, -1, -1, 0};
}
