public import Foundation
public import Logging
import StoredSettings

/// One message of the log, whose secrets were redacted before.
public struct LogEntry: Sendable, Hashable {
    /// When.
    public var time: Date
    /// How severe.
    public var level: Logger.Level
    /// What happened.
    public var message: String
    /// The metadata.
    public var metadata: [String: String]

    /// Describes a message.
    public init(time: Date, level: Logger.Level, message: String, metadata: [String: String]) {
        self.time = time
        self.level = level
        self.message = message
        self.metadata = metadata
    }

    /// What `B/bridge/log` says.
    var document: SettingValue {
        .object([
            "time": .time(time),
            "level": .string(level.rawValue),
            "message": .string(message),
            "metadata": .object(metadata.mapValues(SettingValue.string)),
        ])
    }
}
