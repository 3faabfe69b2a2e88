package import Foundation
package import Logging
import Printers
import StoredSettings
import Synchronization

/// Brings the log to `B/bridge/log`: info and above, as many as a person can read.
package final class LogTap: Sendable {
    private struct State {
        var entries: [LogEntry] = []
        var limit = LogTap.rate
        var dropped = 0
    }

    static let rate = RateLimit(burst: 50, perSecond: 10)

    /// Signals that there may be something to ``take()``.
    let wakeup = Wakeup()
    private let state = Mutex(State())

    package init() {}

    /// Adds an entry, unless there were too many.
    package func add(_ entry: LogEntry) {
        guard entry.level >= .info else { return }
        state.withLock { state in
            if state.limit.allows(at: entry.time.timeIntervalSinceReferenceDate) {
                state.entries.append(entry)
            } else {
                state.dropped += 1
            }
        }
        wakeup.signal()
    }

    func take() -> (entries: [LogEntry], dropped: Int) {
        state.withLock { state in
            defer { (state.entries, state.dropped) = ([], 0) }
            return (state.entries, state.dropped)
        }
    }
}

/// One message of the log, whose secrets were redacted before.
package struct LogEntry: Sendable, Hashable {
    package var time: Date
    package var level: Logger.Level
    package var message: String
    package var metadata: [String: String]

    package init(time: Date, level: Logger.Level, message: String, metadata: [String: String]) {
        self.time = time
        self.level = level
        self.message = message
        self.metadata = metadata
    }

    var document: SettingValue {
        .object([
            "time": .time(time),
            "level": .string(level.rawValue),
            "message": .string(message),
            "metadata": .object(metadata.mapValues(SettingValue.string)),
        ])
    }
}
