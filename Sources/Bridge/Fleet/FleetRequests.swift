public import StoredSettings

extension FleetStore {
    /// Whether this member handles a request.
    ///
    /// A request about a printer is handled by the member that owns the printer, all others by the leader.
    func isMine(_ verb: String, _ payload: [UInt8]) -> Bool {
        let printer = (try? SettingValue(json: payload))?.objectValue?["printer"]?.stringValue.flatMap { PrinterID($0) }
        guard verb.hasPrefix("printer/"), let printer, exists(printer) else { return ownership.isLeader }
        return ownership.owns(printer)
    }

    /// Whether the fleet has a printer of that name.
    func exists(_ id: PrinterID) -> Bool { (try? base.record(PrinterSettings.scope(of: id))) != nil }

    /// What the names of the scopes of printers begin with.
    package static var printerPrefix: String { PrinterSettings.scopePrefix }

    /// Whether a scope holds data that only a fleet needs.
    package static func isOfFleet(_ scope: String) -> Bool { scope.hasPrefix("fleet/") }

    /// Tells of every change of the settings of printers, wherever they are.
    public var printerChanges: AsyncStream<StoreChanges> {
        base.changes { $0.hasPrefix(PrinterSettings.scopePrefix) }
    }

    /// All printers of the fleet, in alphabetical order.
    public var allPrinters: [PrinterID] {
        ((try? base.scopes(prefix: PrinterSettings.scopePrefix)) ?? []).compactMap(PrinterSettings.id(ofScope:))
            .sorted()
    }
}
