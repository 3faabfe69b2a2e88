import StoredSettings

/// A message on `B/<p>/config/set`, as it came.
public struct ConfigMessage: Sendable, Hashable {
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
    /// JSON, not parsed yet.
    public var payload: [UInt8]
    /// Whether the broker keeps it.
    public var retention: Retention
    /// The author, for `updated_by`.
    public var source: ConfigSource

    /// Describes a message.
    public init(
        printer: PrinterID,
        payload: [UInt8],
        retention: Retention = .none,
        source: ConfigSource = .mqtt
    ) {
        self.printer = printer
        self.payload = payload
        self.retention = retention
        self.source = source
    }

    /// A change that did not come from the broker, as a message; only of a revision, if one is given.
    init(printer: PrinterID, patch: [String: SettingValue], baseRevision: Int? = nil, source: ConfigSource) {
        let plain = patch.mapValues { value -> SettingValue in
            if case .secret(let secret) = value { .string(secret.reveal()) } else { value }
        }
        let document: SettingValue =
            if let baseRevision {
                .object(["base_revision": .int(baseRevision), "set": .object(plain)])
            } else {
                .object(plain)
            }
        self.init(printer: printer, payload: Array(document.json().utf8), source: source)
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
