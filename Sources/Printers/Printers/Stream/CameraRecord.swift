package import CameraProtocols
import Foundation
import OpenSSL
import StoredSettings

/// The stored entries of a printer's cameras: its own one, and the one at `camera_url`.
package struct CameraRecord: Sendable, Hashable {
    /// The printer's own camera.
    package var own: KnownCamera?
    /// The camera at `camera_url`, of which no more than the pin is kept.
    package var other: KnownCamera?

    /// Makes a record; nil if nothing is known of either camera.
    init?(_ own: KnownCamera?, other: KnownCamera? = nil) {
        self.own = own?.isEmpty == false ? own : nil
        self.other = other?.isEmpty == false ? other : nil
        if self.own == nil && self.other == nil { return nil }
    }

    /// Updates the entry of the camera that a probe connected to.
    ///
    /// A probe of `camera_url` leaves the printer's own pin as it is: the printer's MQTT needs that pin.
    package init?(after found: StreamDetection, of target: ProbeTarget, before: CameraRecord?) {
        self.init(before, target, KnownCamera(after: found, of: target, before: before?[target]))
    }

    init?(accepting fingerprint: String, seen: CertificateReport?, of target: ProbeTarget, before: CameraRecord?) {
        self.init(before, target, KnownCamera(accepting: fingerprint, seen: seen, of: target, before: before?[target]))
    }

    /// A record with other knowledge of the camera at a target.
    private init?(_ before: CameraRecord?, _ target: ProbeTarget, _ known: KnownCamera) {
        self.init(target.isOtherCamera ? before?.own : known, other: target.isOtherCamera ? known : before?.other)
    }

    private subscript(target: ProbeTarget) -> KnownCamera? { target.isOtherCamera ? other : own }

    /// The certificate to insist on at a target; nil for a first use.
    package func pin(for target: ProbeTarget) -> CertificatePin? { self[target]?.pin(for: target) }

    /// Whether a certificate that the vendor's authority proved has replaced another pinned one.
    package func hasReplacedPin(of before: CameraRecord?, at target: ProbeTarget) -> Bool {
        guard let old = before?.pin(for: target), let pin = pin(for: target), pin.isProven else { return false }
        return old.fingerprint != pin.fingerprint
    }
}

extension StreamURL {
    /// `host:port`, to which a pinned certificate belongs where no serial number is known.
    package var endpoint: String { "\(host):\(port)" }
}

extension CameraRecord {
    static let scopePrefix = "pin/"

    static func scope(of id: PrinterID) -> String { scopePrefix + id.description }

    static func id(ofScope scope: String) -> PrinterID? {
        scope.hasPrefix(scopePrefix) ? PrinterID(scope.dropFirst(scopePrefix.count)) : nil
    }

    /// Reads a stored record; nil if there is none.
    init?(_ values: [String: JSONValue]) {
        self.init(KnownCamera(values, ""), other: KnownCamera(values, "other_"))
    }

    var values: [String: JSONValue?] {
        KnownCamera.values(of: own, "").merging(KnownCamera.values(of: other, "other_")) { $1 }
    }
}

extension SettingsTransaction {
    /// The settings of a printer; nil if nothing of them is stored.
    func settings(of id: PrinterID) throws -> PrinterSettings.Snapshot? {
        try record(PrinterSettings.scope(of: id)).map { PrinterSettings.Snapshot($0) }
    }

    func camera(of id: PrinterID) throws -> CameraRecord? {
        try record(CameraRecord.scope(of: id)).flatMap { CameraRecord($0.values) }
    }

    mutating func remember(_ camera: CameraRecord?, of id: PrinterID, at time: Date) throws {
        let scope = CameraRecord.scope(of: id)
        guard let camera else { return try remove(scope) }
        try update(scope, camera.values, by: ConfigSource.local.rawValue, at: time)
    }
}
