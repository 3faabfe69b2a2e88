package struct Origin: Sendable, Hashable, Encodable {
    package var name: String
    package var softwareVersion: String
    /// An `http` or `https` address; Home Assistant refuses the whole device for any other.
    package var supportURL: String?

    package init(name: String, softwareVersion: String, supportURL: String? = nil) {
        self.name = name
        self.softwareVersion = softwareVersion
        self.supportURL = supportURL
    }

    private enum CodingKeys: String, CodingKey {
        case name
        case softwareVersion = "sw_version"
        case supportURL = "support_url"
    }
}
