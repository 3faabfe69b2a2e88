import Printers
import StoredSettings

/// What is known of an owner's device in Home Assistant from earlier messages, also those of an earlier run.
///
/// Home Assistant keeps a component that a message leaves out. So the bridge remembers its components, and removes each that it no
/// longer renders.
struct PublishedDevice: Sendable, Hashable {
    /// The platforms of the components that Home Assistant may have, by their ids.
    var components: [String: String] = [:]
    /// What the printer reported that it has: its entities stay while nothing is reported.
    var equipment: PrintEquipment?

    /// The components that Home Assistant may have, and that are not among those that are rendered.
    func removed(from rendered: [String: String]) -> [String: String] {
        components.filter { rendered[$0.key] == nil }
    }
}

extension PublishedDevice {
    /// The device as it is stored: for each platform its components, with spaces between them; nil if nothing is known.
    var document: SettingValue? {
        guard self != PublishedDevice() else { return nil }
        let platforms = Dictionary(grouping: components.keys) { components[$0] ?? "" }
        var members: [String: SettingValue] = [
            "components": .object(platforms.mapValues { .string($0.sorted().joined(separator: " ")) })
        ]
        members["equipment"] = equipment?.document
        return .object(members)
    }

    /// Reads what was stored.
    init(_ document: SettingValue?) {
        let members = document?.objectValue
        for (platform, ids) in members?["components"]?.objectValue ?? [:] {
            for id in ids.stringValue?.split(separator: " ") ?? [] { components[String(id)] = platform }
        }
        equipment = PrintEquipment(members?["equipment"])
    }
}
