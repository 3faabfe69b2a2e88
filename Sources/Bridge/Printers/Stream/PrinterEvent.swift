package import Foundation
package import StoredSettings

/// Something that happened to a printer, published once on `B/<p>/event`.
package struct PrinterEvent: Sendable, Hashable {
    /// What happened.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
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
        /// The vendor's authority proved another certificate than the one that the bridge had pinned, and it is pinned now.
        case certificateReplaced = "certificate_replaced"
        /// It was heard at another address, which was taken over if `follow_address` says so.
        case addressChanged = "address_changed"
    }

    /// The printer.
    package var printer: PrinterID
    /// What happened.
    package var kind: Kind
    /// When.
    package var time: Date

    /// What else the event says, by member: a reason, or an address.
    package var details: [String: SettingValue]

    /// Describes an event.
    package init(_ kind: Kind, of printer: PrinterID, at time: Date, _ details: [String: SettingValue] = [:]) {
        (self.kind, self.printer, self.time, self.details) = (kind, printer, time, details)
    }
}

/// Another address at which a printer was heard, with what the certificate there says.
package struct AnnouncedAddress: Sendable, Hashable {
    /// Whether an announcement is proven: anybody on the network can send one.
    package enum Proof: String, Sendable, Hashable, CaseIterable {
        /// The certificate is the trusted one, or the vendor's authority vouches for it.
        case proven
        /// The certificate has the serial number as its name, which anybody can write into one.
        case claimed
    }

    /// An IPv4 or IPv6 address.
    package var address: String
    /// Whether the address is proven or only claimed.
    package var proof: Proof

    /// What an event says of it.
    var details: [String: SettingValue] { ["address": .string(address), "proof": .string(proof.rawValue)] }

    /// Describes an address.
    package init(_ address: String, _ proof: Proof) {
        self.address = address
        self.proof = proof
    }
}
