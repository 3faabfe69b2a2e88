import Bridge
import Foundation

/// The service manager that started this process and wants to be told how it does: sd_notify(3), sd_watchdog_enabled(3).
struct Systemd: Sendable {
    /// The Unix socket that takes the process's state, one datagram each.
    private let socketAddress: [UInt8]
    /// How often it wants a sign of life; nil for never.
    private let watchdog: Duration?

    /// Reads what systemd has put into the environment; nil if nothing started this process as such a service.
    ///
    /// The socket has a path, or after `@` a name in the abstract namespace. Any other address is for virtual machines.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count > 1
        else { return nil }
        // unix(7): an abstract name begins with a zero byte, and has no other one at its end.
        socketAddress = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : Array(path.utf8)
        guard socketAddress.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        let isForUs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init) ?? 0
        watchdog = isForUs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    var supervision: Supervision {
        Supervision(
            // systemd recommends half of the interval. A third leaves room for a late message.
            interval: watchdog.map { $0 / 3 },
            ready: { send("READY=1") },
            report: { send("STATUS=\($0)") },
            alive: { send("WATCHDOG=1") },
            stopping: { send("STOPPING=1") }
        )
    }

    /// Sends a state; a manager that does not listen is no reason to fail.
    private func send(_ state: String) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var target = sockaddr_un()
        target.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: socketAddress) }
        let size = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + socketAddress.count } ?? 0
        let message = Array(state.split(whereSeparator: \.isNewline).joined(separator: " ").utf8)
        _ = withUnsafePointer(to: &target) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, socklen_t(size))
            }
        }
    }
}
