import Logging
import Synchronization

/// The log level in force, which can be changed while loggers are in use everywhere.
final class LogLevelControl: Sendable {
    private let current: Mutex<Logger.Level>

    init(_ level: Logger.Level) { current = Mutex(level) }

    var level: Logger.Level {
        get { current.withLock(\.self) }
        set { current.withLock { $0 = newValue } }
    }
}
