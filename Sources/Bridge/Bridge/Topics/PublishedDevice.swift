import JSON
import Printers

/// An owner's device in Home Assistant, as earlier messages left it, also those of an earlier run.
///
/// Home Assistant keeps a component that a message leaves out. So the bridge remembers the components that it
/// published, and removes each one that it no longer renders.
struct PublishedDevice: Sendable, Hashable {
    /// The platforms of the components that Home Assistant may have, by their ids.
    var components: [String: String] = [:]
    /// The equipment that the printer reported; its entities stay while the printer reports nothing.
    var equipment: PrintEquipment?

    /// The components that Home Assistant may have, and that are no longer rendered.
    func removed(from rendered: [String: String]) -> [String: String] {
        components.filter { rendered[$0.key] == nil }
    }
}

extension PublishedDevice {
    /// The form that is stored; nil for an empty device.
    var document: JSONValue? {
        guard self != PublishedDevice() else { return nil }
        var members: [String: JSONValue] = ["components": .object(components.mapValues(JSONValue.string))]
        members["equipment"] = equipment?.document
        return .object(members)
    }

    init(_ document: JSONValue?) {
        let members = document?.objectValue
        components = members?["components"]?.objectValue?.compactMapValues(\.stringValue) ?? [:]
        equipment = PrintEquipment(members?["equipment"])
    }
}
