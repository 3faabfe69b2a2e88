package import CameraProtocols
package import Foundation
package import JSON
import OpenSSL

/// Something that happened to a printer, published once on `B/<p>/event`.
package struct PrinterEvent: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case configApplied = "config_applied"
        case configRejected = "config_rejected"
        /// The stream is down after it was healthy.
        case streamLost = "stream_lost"
        /// A probe succeeded after the stream was down.
        case streamRecovered = "stream_recovered"
        case certificateChanged = "certificate_changed"
        /// The vendor's authority proved another certificate than the one that the bridge had pinned, and it is pinned now.
        case certificateReplaced = "certificate_replaced"
        /// It was heard at another address, which was taken over if `follow_address` says so.
        case addressChanged = "address_changed"
        /// Pictures and reports of a print do not fit together.
        case printSuspect = "print_suspect"
        /// The clip of an earlier event is on the page's port.
        case clipReady = "clip_ready"
        /// There will be no clip of an earlier event.
        case clipLost = "clip_lost"
    }

    package var printer: PrinterID
    package var kind: Kind
    package var time: Date

    /// What else the event says, by member: a reason, or an address.
    package var details: [String: JSONValue]

    package init(_ kind: Kind, of printer: PrinterID, at time: Date, _ details: [String: JSONValue] = [:]) {
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

        /// Judges a handshake; nil for another device's certificate.
        ///
        /// A server without the private key can show a copy of a certificate, but it cannot complete the handshake.
        package init?(_ report: ProbeReport, serial: String) {
            guard let certificate = report.certificate, certificate.isNamed(serial) else { return nil }
            self = report.isServerProven ? .proven : .claimed
        }
    }

    package var address: String
    package var proof: Proof

    var details: [String: JSONValue] { ["address": .string(address), "proof": .string(proof.rawValue)] }

    package init(_ address: String, _ proof: Proof) { (self.address, self.proof) = (address, proof) }
}
