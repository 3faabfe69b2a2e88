package struct Origin: Sendable, Hashable {
    package var name: String
    package var softwareVersion: String

    package init(name: String, softwareVersion: String) { (self.name, self.softwareVersion) = (name, softwareVersion) }
}
