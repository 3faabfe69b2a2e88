import Foundation

/// Starts a program with `posix_spawn`.
///
/// Not with Foundation's `Process`: a child of that inherits the signals that Dispatch's threads block, so that SIGTERM
/// never reaches it, and every descriptor that another thread is just opening.
///
/// The program gets the variables of `environment` and no others. Its standard output and error are appended to the file
/// `output`. The caller has to wait for its end.
func spawn(
    _ path: String,
    _ arguments: [String],
    environment: [String: String],
    input: Int32,
    output: String
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // Swift does not see 'closefrom': closing what is not open does no harm.
    for descriptor in Int32(3)..<1_024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var values: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for value in values + variables { free(value) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, path, &actions, &attributes, &values, &variables)
    guard code == 0 else { throw TestFailure("\(path): \(String(cString: strerror(code)))") }
    return pid
}
