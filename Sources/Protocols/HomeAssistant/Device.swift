package struct Device: Sendable, Hashable, Encodable {
    /// Unique identifiers; the first one also names the discovery topic, so `[a-zA-Z0-9_-]` only.
    package var identifiers: [String]
    package var name: String
    package var manufacturer: String?
    package var model: String?
    package var serialNumber: String?
    package var softwareVersion: String?
    package var configurationURL: String?
    package var viaDevice: String?

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

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "identifiers": identifiers, "name": name, "manufacturer": manufacturer, "model": model,
            "serial_number": serialNumber, "sw_version": softwareVersion, "configuration_url": configurationURL,
            "via_device": viaDevice,
        ])
    }
}
