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

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode(["name": name, "sw_version": softwareVersion, "support_url": supportURL])
    }
}
