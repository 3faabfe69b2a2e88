import Printers
import StoredSettings

/// A slot as its member sees it.
struct OwnedSlot: Sendable {
    let slot: FleetSlot
    let ownership: FleetOwnership

    var isOwned: Bool { ownership.owns(slot) }

    /// Whether the commands for a name are this slot's.
    func contains(_ name: String) -> Bool { FleetSlot(ofName: name) == slot }

    /// Whether a request is this slot's.
    func contains(_ verb: String, _ payload: [UInt8]) -> Bool {
        Self.printer(ofRequest: verb, payload).map { contains($0.description) } ?? false
    }

    /// The printer that a request is about; nil if the leader of the fleet does the request.
    static func printer(ofRequest verb: String, _ payload: [UInt8]) -> PrinterID? {
        guard verb.hasPrefix("printer/") else { return nil }
        return (try? SettingValue(json: payload))?.objectValue?["printer"]?.stringValue.flatMap { PrinterID($0) }
    }
}

/// This member has lost a slot: its messages that are not committed must not be acknowledged.
struct SlotLost: Error {}
