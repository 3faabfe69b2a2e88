/// Another address at which a printer was heard, with what the certificate there says.
public struct AnnouncedAddress: Sendable, Hashable {
    /// Whether an announcement is proven: anybody on the network can send one.
    public enum Proof: String, Sendable, Hashable, CaseIterable {
        /// The certificate is the trusted one, or the vendor's authority vouches for it.
        case proven
        /// The certificate has the serial number as its name, which anybody can write into one.
        case claimed
    }

    /// An IPv4 or IPv6 address.
    public var address: String
    /// Whether the address is proven or only claimed.
    public var proof: Proof

    /// Describes an address.
    public init(_ address: String, _ proof: Proof) {
        self.address = address
        self.proof = proof
    }
}
