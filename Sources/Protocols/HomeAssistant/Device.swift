/// A device in Home Assistant's device registry.
public struct Device: Sendable, Hashable, Encodable {
    /// Unique identifiers; the first one also names the discovery topic, so `[a-zA-Z0-9_-]` only.
    public var identifiers: [String]
    /// Shown to people.
    public var name: String
    /// The manufacturer.
    public var manufacturer: String?
    /// The model.
    public var model: String?
    /// The serial number.
    public var serialNumber: String?
    /// The version of the software that runs on it.
    public var softwareVersion: String?
    /// The identifier of the device through which this one is reached.
    public var viaDevice: String?

    /// Describes a device.
    public init(
        identifiers: [String],
        name: String,
        manufacturer: String? = nil,
        model: String? = nil,
        serialNumber: String? = nil,
        softwareVersion: String? = nil,
        viaDevice: String? = nil
    ) {
        self.identifiers = identifiers
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.serialNumber = serialNumber
        self.softwareVersion = softwareVersion
        self.viaDevice = viaDevice
    }

    private enum CodingKeys: String, CodingKey {
        case identifiers, name, manufacturer, model
        case serialNumber = "serial_number"
        case softwareVersion = "sw_version"
        case viaDevice = "via_device"
    }
}
