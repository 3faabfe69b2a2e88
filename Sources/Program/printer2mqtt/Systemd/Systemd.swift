import Bridge
import Foundation

/// The service manager that started this process and wants to be told how it does: sd_notify(3), sd_watchdog_enabled(3).
struct Systemd: Sendable {
    private let socket: NotifySocket
    /// How often it wants a sign of life; nil for never.
    private let watchdog: Duration?

    /// Reads what systemd has put into the environment; nil if nothing started this process as such a service.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let path = environment["NOTIFY_SOCKET"], let socket = NotifySocket(path) else { return nil }
        self.socket = socket
        let isForUs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap(Int64.init) ?? 0
        watchdog = isForUs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    var supervision: Supervision {
        Supervision(
            // systemd recommends half of the interval. A third leaves room for a late message.
            interval: watchdog.map { $0 / 3 },
            ready: { [socket] in socket.send("READY=1") },
            report: { [socket] in socket.send("STATUS=\($0)") },
            alive: { [socket] in socket.send("WATCHDOG=1") },
            stopping: { [socket] in socket.send("STOPPING=1") }
        )
    }
}
