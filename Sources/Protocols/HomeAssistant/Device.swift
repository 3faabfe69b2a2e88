import JSON

package struct Device: Sendable, Hashable {
    /// Unique; it also names the discovery topic, so `[a-zA-Z0-9_-]` only.
    package var identifier: String
    package var name: String
    package var manufacturer: String?
    package var model: String?
    package var serialNumber: String?
    package var softwareVersion: String?
    package var configurationURL: String?
    package var viaDevice: String?

    package init(identifier: String, name: String) { (self.identifier, self.name) = (identifier, name) }

    func write(to json: inout JSONWriter) {
        json.member("identifiers", [identifier])
        json.member("name", name)
        json.member("manufacturer", manufacturer)
        json.member("model", model)
        json.member("serial_number", serialNumber)
        json.member("sw_version", softwareVersion)
        json.member("configuration_url", configurationURL)
        json.member("via_device", viaDevice)
    }
}
