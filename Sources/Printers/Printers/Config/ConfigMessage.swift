import JSON

/// A change of a printer's settings that is asked for: by a message on `B/<p>/config/set`, or by this program.
package struct ConfigMessage: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case json([UInt8])
        /// New values by key; null sets the default.
        ///
        /// With a base revision, the change conflicts with every other revision. The paths of faults begin with `path`.
        case patch([String: JSONValue], baseRevision: Int?, path: String)
    }

    /// Whether the broker retains the message, and so sends it to each new session.
    package enum Retention: Sendable, Hashable {
        case none
        /// Retained, and published during this session.
        case retained
        /// Retained before this session.
        case replayed
        /// Retained, perhaps before this session: it arrived just after the connection was made.
        case perhapsReplayed
        /// Published during this session. Before MQTT 5 the broker does not say whether it retains the message.
        case unknown
    }

    package var printer: PrinterID
    var content: Content
    package var retention: Retention
    package var source: ConfigSource

    package init(printer: PrinterID, payload: [UInt8], retention: Retention = .none) {
        self.printer = printer
        content = .json(payload)
        self.retention = retention
        source = .mqtt
    }

    init(
        printer: PrinterID,
        patch: [String: JSONValue],
        baseRevision: Int? = nil,
        at path: String = "",
        source: ConfigSource
    ) {
        self.printer = printer
        content = .patch(patch, baseRevision: baseRevision, path: path)
        retention = .none
        self.source = source
    }

    /// Whether it is empty, as is a message that clears a retained message.
    var isEmpty: Bool { content == .json([]) }

    var id: String? {
        if case .json(let payload) = content { JSONValue.messageID(in: payload)?.stringValue } else { nil }
    }
}

package enum ConfigSource: String, Sendable, Hashable {
    case mqtt
    case request
    case cli
    case file
    case announcement
    case local
}
