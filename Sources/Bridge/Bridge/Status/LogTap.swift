import Concurrency
package import Foundation
import JSON
package import Logging
import Platform
import Printers
import Synchronization

/// Brings the log to `B/bridge/log`: info and above, as many as a person can read.
package final class LogTap: Sendable {
    private let limit = Mutex(RateLimit(burst: 50, perSecond: 10))
    let inbox = Inbox<(entries: [JSONValue], dropped: Int)>(([], 0))

    package init() {}

    /// Adds a message, whose secrets were redacted before; `content` is not called for one that is dropped.
    package func add(_ level: Logger.Level, at time: Date, _ content: () -> (String, [String: String])) {
        guard level >= .info else { return }
        guard limit.withLock({ $0.allows(at: time.timeIntervalSinceReferenceDate) }) else {
            return inbox.add { $0.dropped += 1 }
        }
        let (message, metadata) = content()
        let entry: JSONValue = [
            "time": .time(time), "level": .string(level.rawValue), "message": .string(message),
            "metadata": .object(metadata.mapValues(JSONValue.string)),
        ]
        inbox.add { $0.entries.append(entry) }
    }
}
