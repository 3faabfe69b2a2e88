/// What the certificate of a maker's device must be to prove the device.
///
/// It leads to one of the maker's roots, its issuer is an authority for devices, and its subject's common name is the
/// device's. It may be X.509 v1 and lack a subjectAltName, and the server may leave intermediate authorities out.
public struct DeviceCertificate: Sendable, Hashable {
    /// The file with the maker's authorities, in PEM; one that is missing or damaged proves nothing.
    public var file: String
    /// The SHA-256 of each root, 64 lower-case digits: a root in ``file`` that is not among them proves nothing.
    public var roots: Set<String>
    /// The common names of authorities for devices.
    public var issuers: Set<String>
    /// The beginning of the common names of further authorities for devices.
    public var issuerPrefix: String
    /// The device's name, compared byte for byte.
    public var commonName: String

    /// Names the authorities and the device.
    public init(file: String, roots: Set<String>, issuers: Set<String>, issuerPrefix: String, commonName: String) {
        self.file = file
        self.roots = roots
        self.issuers = issuers
        self.issuerPrefix = issuerPrefix
        self.commonName = commonName
    }

    func allowsIssuer(_ name: [UInt8]) -> Bool {
        issuers.contains { name.elementsEqual($0.utf8) } || name.starts(with: issuerPrefix.utf8)
    }
}
