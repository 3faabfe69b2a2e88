import Foundation

/// The memory of this process holds access codes: it must not end up in a core file.
enum ProcessMemory {
    /// Asks for no core files, and for empty ones where they are made all the same.
    static func keepPrivate() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        // A core file that goes to a program through a pipe knows no limit, but it obeys this filter: core(5).
        try? "0".write(toFile: "/proc/self/coredump_filter", atomically: false, encoding: .utf8)
    }
}
