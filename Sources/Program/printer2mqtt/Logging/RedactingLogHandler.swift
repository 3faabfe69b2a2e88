import Bridge
import Concurrency
import Foundation
import JSON
import Logging
import StoredSettings

/// Writes the log to standard error, one line an entry, without secrets.
struct RedactingLogHandler: LogHandler {
    enum Format: String, SettingRepresentable, CaseIterable {
        case text, json
    }

    let format: Format
    let redaction: Redaction
    /// One for all loggers of the process.
    let level: LockedValue<Logger.Level>
    var tap = LogTap()
    var metadata: Logger.Metadata = [:]

    var logLevel: Logger.Level {
        get { level.value }
        set { level.value = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let line = line(level: event.level, message: event.message, metadata: event.metadata ?? [:])
        tap.add(event.level, at: Date()) {
            let metadata = fields(event.metadata).map { ($0.0, redaction.apply($0.1)) }
            return (redaction.apply(event.message.description), Dictionary(metadata) { $1 })
        }
        LogOutput.standardError.write(line + "\n")
    }

    func line(level: Logger.Level, message: Logger.Message, metadata more: Logger.Metadata) -> String {
        let fields = fields(more)
        let time = Date().formatted(.iso8601)
        let line =
            switch format {
            case .text: text(time, level, message.description, fields)
            case .json:
                JSONValue.object([
                    "time": .string(time), "level": .string(level.rawValue), "message": .string(message.description),
                    "metadata": .object(Dictionary(fields) { $1 }.mapValues(JSONValue.string)),
                ]).json()
            }
        return redaction.apply(line)
    }

    private func fields(_ more: Logger.Metadata?) -> [(String, String)] {
        metadata.merging(more ?? [:]) { $1 }
            .map { ($0.key, $0.value.description) }
            .filter { !$0.1.isEmpty }
            .sorted { (Self.rank($0.0), $0.0) < (Self.rank($1.0), $1.0) }
    }

    /// Which printer, and how it does, are read first.
    private static func rank(_ key: String) -> Int { ["printer", "status"].firstIndex(of: key) ?? 2 }

    private func text(_ time: String, _ level: Logger.Level, _ message: String, _ fields: [(String, String)]) -> String
    {
        let shown = fields.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
        let padding = String(repeating: " ", count: 9 - level.rawValue.utf8.count)
        let head = "\(time) \(level.rawValue)\(padding)\(message)"
        let line = shown.isEmpty ? head : "\(head): \(shown)"
        // Nearly all lines are plain: to look at each character takes longer than to write the line.
        let isPlain = line.utf8.allSatisfy { (0x20..<0x80).contains($0) }
        return isPlain ? line : line.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
