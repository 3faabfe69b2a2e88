import Printers

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
        device.removed = context.published.removed(from: published.components)
        tree = [device.topic(prefix: context.topics.discoveryPrefix): RetainedMessage(device.payload())]
    }
}
