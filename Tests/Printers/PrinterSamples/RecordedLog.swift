package import Logging
import Synchronization

/// A log whose lines are kept: level, message and metadata, the latter by their keys.
package final class RecordedLog: LogHandler, Sendable {
    private let recorded = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { recorded.withLock(\.self) }
    package var text: String { lines.joined(separator: "\n") }
    package var metadata: Logger.Metadata {
        get { [:] }
        set { _ = newValue }
    }
    package var logLevel: Logger.Level {
        get { .trace }
        set { _ = newValue }
    }
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set { _ = newValue }
    }

    package func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        recorded.withLock { $0.append((["\(event.level)", "\(event.message)"] + metadata).joined(separator: " ")) }
    }
}
