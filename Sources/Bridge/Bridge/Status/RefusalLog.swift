import ForeignText
import Logging
import Synchronization

/// Logs refused messages: the first few of each sender in a minute, and then the number of the others.
final class RefusalLog: Sendable {
    private static let limit = 5

    private let counts = Mutex<[String: Int]>([:])
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// Counts a message of `sender`, such as a printer that exists; false if it must not be logged.
    ///
    /// Never pass a text that a stranger chooses as the sender: there could be any number of such texts.
    func admit(_ sender: String) -> Bool {
        counts.withLock { counts in
            counts[sender, default: 0] += 1
            return counts[sender, default: 0] <= Self.limit
        }
    }

    /// Logs a message of `sender`, unless it must only be counted.
    func log(
        _ message: Logger.Message,
        of sender: String,
        level: Logger.Level = .warning,
        metadata: Logger.Metadata = [:]
    ) { if admit(sender) { logger.log(level: level, message, metadata: metadata) } }

    /// Logs that the broker refused an answer on a topic that a client chose.
    func log(refusedAnswerOn topic: String) {
        let metadata: Logger.Metadata = ["topic": "\(ForeignText.line(topic))"]
        log("The broker refused an answer", of: "response topics", level: .info, metadata: metadata)
    }

    /// Logs the numbers of the last minute, and begins the next one.
    func endMinute() {
        let counted = counts.withLock { counts in
            defer { counts = [:] }
            return counts.filter { $0.value > Self.limit }.sorted { $0.key < $1.key }
        }
        for (sender, count) in counted {
            let metadata: Logger.Metadata = ["sender": "\(sender)", "messages": "\(count - Self.limit)"]
            logger.warning("Further messages of the last minute were not logged", metadata: metadata)
        }
    }
}
