import StoredSettings

/// A wanted change of a printer's settings: a message on `B/<p>/config/set`, or a change by this program.
public struct ConfigMessage: Sendable, Hashable {
    /// Where the wanted change comes from.
    enum Content: Sendable, Hashable {
        /// JSON from the broker, not parsed yet.
        case json([UInt8])
        /// New values by key; null is the default again.
        ///
        /// It is based on a revision, if one is given; faults are told at `path` followed by the key.
        case patch([String: SettingValue], baseRevision: Int?, path: String)
    }

    /// Whether the broker keeps the message, and sends it again to each new session.
    public enum Retention: Sendable, Hashable {
        /// It is not retained.
        case none
        /// It was published now, and is retained.
        case retained
        /// It was retained before, and is sent again.
        case replayed
        /// It is retained, and came so soon on a new connection that the broker may be sending it again.
        case perhapsReplayed
        /// It was published now; before MQTT 5 the broker does not tell whether it is retained.
        case unknown
    }

    /// The printer whose topic it came on.
    public var printer: PrinterID
    /// The wanted change.
    var content: Content
    /// Whether the broker keeps it.
    public var retention: Retention
    /// The author, for `updated_by`.
    public var source: ConfigSource

    /// Describes a message from the broker.
    public init(printer: PrinterID, payload: [UInt8], retention: Retention = .none) {
        self.printer = printer
        content = .json(payload)
        self.retention = retention
        source = .mqtt
    }

    /// Describes a change by this program.
    init(
        printer: PrinterID,
        patch: [String: SettingValue],
        baseRevision: Int? = nil,
        at path: String = "",
        source: ConfigSource
    ) {
        self.printer = printer
        content = .patch(patch, baseRevision: baseRevision, path: path)
        retention = .none
        self.source = source
    }

    /// Whether it is empty, as it is when a retained message is cleared.
    var isEmpty: Bool { content == .json([]) }

    /// The id that its sender gave it, also if it is not valid.
    var id: String? {
        if case .json(let payload) = content { ConfigRequest.id(in: payload) } else { nil }
    }
}

/// Where a change came from.
public enum ConfigSource: String, Sendable, Hashable {
    /// The broker.
    case mqtt
    /// A request to the bridge.
    case request
    /// The command line.
    case cli
    /// The configuration file.
    case file
    /// A printer that announced itself at another address.
    case announcement
    /// The program itself.
    case local
}
