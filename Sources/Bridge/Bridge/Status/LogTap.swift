import Concurrency
package import Foundation
package import Logging
import Printers
import StoredSettings
import Synchronization

/// Brings the log to `B/bridge/log`: info and above, as many as a person can read.
package final class LogTap: Sendable {
    private let limit = Mutex(RateLimit(burst: 50, perSecond: 10))
    let inbox = Inbox<(entries: [LogEntry], dropped: Int)>(([], 0))

    package init() {}

    package func add(_ entry: LogEntry) {
        guard entry.level >= .info else { return }
        let isAllowed = limit.withLock { $0.allows(at: entry.time.timeIntervalSinceReferenceDate) }
        inbox.add { if isAllowed { $0.entries.append(entry) } else { $0.dropped += 1 } }
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
