package struct Origin: Sendable, Hashable, Encodable {
    package var name: String
    package var softwareVersion: String

    package init(name: String, softwareVersion: String) { (self.name, self.softwareVersion) = (name, softwareVersion) }

    package func encode(to encoder: any Encoder) throws {
        try encoder.encode(["name": name, "sw_version": softwareVersion])
    }
}
