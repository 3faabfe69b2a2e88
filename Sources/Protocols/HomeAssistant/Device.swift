/// A device in Home Assistant's device registry.
package struct Device: Sendable, Hashable, Encodable {
    /// Unique identifiers; the first one also names the discovery topic, so `[a-zA-Z0-9_-]` only.
    package var identifiers: [String]
    /// Shown to people.
    package var name: String
    /// The manufacturer.
    package var manufacturer: String?
    /// The model.
    package var model: String?
    /// The serial number.
    package var serialNumber: String?
    /// The version of the software that runs on it.
    package var softwareVersion: String?
    /// The page where the device is configured.
    package var configurationURL: String?
    /// The identifier of the device through which this one is reached.
    package var viaDevice: String?

    /// Describes a device.
    package init(
        identifiers: [String],
        name: String,
        manufacturer: String? = nil,
        model: String? = nil,
        serialNumber: String? = nil,
        softwareVersion: String? = nil,
        configurationURL: String? = nil,
        viaDevice: String? = nil
    ) {
        self.identifiers = identifiers
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.serialNumber = serialNumber
        self.softwareVersion = softwareVersion
        self.configurationURL = configurationURL
        self.viaDevice = viaDevice
    }

    private enum CodingKeys: String, CodingKey {
        case identifiers, name, manufacturer, model
        case serialNumber = "serial_number"
        case softwareVersion = "sw_version"
        case configurationURL = "configuration_url"
        case viaDevice = "via_device"
    }
}
