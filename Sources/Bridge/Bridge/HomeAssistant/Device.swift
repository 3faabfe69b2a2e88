import JSON

struct Device: Sendable, Hashable {
    /// Unique; it also names the discovery topic, so `[a-zA-Z0-9_-]` only.
    var identifier: String
    var name: String
    var manufacturer: String?
    var model: String?
    var serialNumber: String?
    var softwareVersion: String?
    var configurationURL: String?
    var viaDevice: String?

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
