public import Observation
public import Settings

/// The settings of one printer: observable, and persisted in a ``Settings/SettingsStore``.
///
/// Reading gives the value restored from the store, or the default; assigning persists, then notifies. A setting is
/// declared here once: storage, validation, JSON Schema, topic key and command-line flag follow from its key.
public final class PrinterSettings: Observable, PrinterValues, Sendable {
    /// The IPv4 or IPv6 address or host name of the printer; empty until set.
    public var printerIP: String {
        get { backing[Self.printerIP] }
        set { backing[Self.printerIP] = newValue }
    }

    /// The printer's LAN access code; empty until set.
    ///
    /// Stored encrypted.
    public var accessCode: String {
        get { backing[Self.accessCode] }
        set { backing[Self.accessCode] = newValue }
    }

    /// Changes, errors and commits of these settings.
    public let backing: SettingsBacking

    /// Restores the settings of a printer from a store.
    public init(store: any SettingsStore, id: PrinterID) {
        backing = SettingsBacking(scope: Self.scope(of: id), schema: Self.schema, store: store)
    }

    /// Restores the settings of a printer; one feed serves the printers of a store.
    init(feed: SettingsFeed, id: PrinterID) {
        backing = SettingsBacking(scope: Self.scope(of: id), schema: Self.schema, feed: feed)
    }

    /// Any setting, by its key.
    public subscript<Value>(key: SettingsKey<Value>) -> Value {
        get { backing[key] }
        set { backing[key] = newValue }
    }

    static let scopePrefix = "printer/"

    static func scope(of id: PrinterID) -> String { scopePrefix + id.description }

    /// Where the marks of a removed printer's messages stay, so that a wish still on the broker does not bring it back.
    static func removedScope(of id: PrinterID) -> String { "removed/\(id)" }
}
