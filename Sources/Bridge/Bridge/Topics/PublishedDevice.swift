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

/// An owner's device as it is now: the message for Home Assistant, and what Home Assistant has of it afterwards.
struct RenderedDevice {
    /// The most bytes of a message: twice those of a printer with every unit that a printer can have.
    static let limit = 1 << 18

    var published = PublishedDevice()
    var tree: TopicTree = [:]

    var isTooLarge: Bool { tree.values.contains { $0.bytes.count > Self.limit } }
}

extension RenderedDevice {
    /// Renders a device, and removes the components that earlier messages left and that it no longer has.
    init(_ device: DeviceDiscovery, _ equipment: PrintEquipment? = nil, in context: RenderContext) {
        var device = device
        published = PublishedDevice(components: device.platforms, equipment: equipment)
        device.removed = context.published.components.filter { published.components[$0.key] == nil }
        tree = [context.topics.device(device.identifier): RetainedMessage(device.payload())]
    }
}
