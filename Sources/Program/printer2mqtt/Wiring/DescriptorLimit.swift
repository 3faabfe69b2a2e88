import Foundation

/// Lets this process open as many files and connections as the system permits.
///
/// The usual limit is 1,024. A printer with `telemetry` takes five, and a simulated one two ports and their clients.
func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
