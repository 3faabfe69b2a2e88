/// A message on `B/<p>/config/set`, as it came.
public struct ConfigMessage: Sendable, Hashable {
    /// The printer whose topic it came on.
    public var printer: PrinterID
    /// JSON, not yet looked at.
    public var payload: [UInt8]
    /// Whether the broker replayed it from its store, as opposed to a controller that sent it just now.
    public var isReplay: Bool
    /// Who wrote it, for `updated_by`.
    public var source: ConfigSource

    /// Describes a message.
    public init(printer: PrinterID, payload: [UInt8], isReplay: Bool = false, source: ConfigSource = .mqtt) {
        self.printer = printer
        self.payload = payload
        self.isReplay = isReplay
        self.source = source
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
