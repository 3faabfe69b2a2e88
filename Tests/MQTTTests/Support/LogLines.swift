import Logging
import Synchronization

/// Keeps what is logged: the lines with their levels, and the names of their metadata.
final class LogLines: Sendable {
    private let lines = Mutex<[(text: String, keys: [String])]>([])

    var all: [String] { lines.withLock { $0.map(\.text) } }
    var metadata: [[String]] { lines.withLock { $0.map(\.keys) } }

    var logger: Logger { Logger(label: "test") { _ in Handler(target: self) } }

    private struct Handler: LogHandler {
        let target: LogLines
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let line = ("\(event.level): \(event.message)", (event.metadata ?? [:]).keys.sorted())
            target.lines.withLock { $0.append(line) }
        }
    }
}
