public import Foundation

/// Something that happened to a printer, published once on `B/<p>/event`.
public struct PrinterEvent: Sendable, Hashable {
    /// What happened.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A change of its settings was persisted.
        case configApplied = "config_applied"
        /// A configuration message was refused.
        case configRejected = "config_rejected"
        /// The stream is down after it was healthy.
        case streamLost = "stream_lost"
        /// The stream is healthy after it was down.
        case streamRecovered = "stream_recovered"
        /// Another certificate than the one trusted was shown.
        case certificateChanged = "certificate_changed"
        /// It was heard at another address, which was taken over if `follow_address` says so.
        case addressChanged = "address_changed"
    }

    /// The printer.
    public var printer: PrinterID
    /// What happened.
    public var kind: Kind
    /// When.
    public var time: Date

    /// The new address, where that is what happened.
    public var address: AnnouncedAddress?

    /// Describes an event.
    public init(_ kind: Kind, of printer: PrinterID, at time: Date, address: AnnouncedAddress? = nil) {
        self.kind = kind
        self.printer = printer
        self.time = time
        self.address = address
    }
}

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
