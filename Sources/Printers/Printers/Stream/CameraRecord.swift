package import CameraProtocols
import Foundation
import OpenSSL
import StoredSettings

/// What is remembered of a printer's camera: the certificate that is trusted, and what the camera speaks.
package struct CameraRecord: Sendable, Hashable {
    /// `host:port` as configured, where it was reached last.
    package var endpoint: String
    package var pin: CertificatePin?
    /// The printer's serial number, once the trusted certificate had it as its name; nil until then.
    package var serial: String?
    /// What was found out at ``endpoint``; nil while it is not certain.
    package var streamProtocol: StreamProtocol?
    /// The pin of the camera at `camera_url`, which is not the printer's own camera; nil for a first use.
    package var other: OtherCamera?

    package struct OtherCamera: Sendable, Hashable {
        /// `host:port`.
        package var endpoint: String
        package var pin: CertificatePin

        /// Nil without a pin.
        init?(at endpoint: String?, _ pin: CertificatePin?) {
            guard let endpoint, let pin else { return nil }
            (self.endpoint, self.pin) = (endpoint, pin)
        }
    }

    /// Makes a record; nil if nothing is known of the camera.
    init?(
        endpoint: String,
        pin: CertificatePin? = nil,
        serial: String? = nil,
        streamProtocol: StreamProtocol? = nil,
        other: OtherCamera? = nil
    ) {
        if pin == nil && serial == nil && streamProtocol == nil && other == nil { return nil }
        self.endpoint = endpoint
        self.pin = pin
        self.serial = serial
        self.streamProtocol = streamProtocol
        self.other = other
    }

    /// The record of the printer's own camera, with another certificate at `camera_url`.
    private init?(_ own: CameraRecord?, other: OtherCamera?) {
        self.init(
            endpoint: own?.endpoint ?? "",
            pin: own?.pin,
            serial: own?.serial,
            streamProtocol: own?.streamProtocol,
            other: other
        )
    }

    /// The certificate to insist on at a target; nil for a first use.
    ///
    /// A pin belongs to the printer with a serial number, wherever that is: another certificate at a new address is a
    /// changed one. Where no serial number is known, and at `camera_url`, it belongs to the endpoint.
    package func pin(for target: ProbeTarget) -> CertificatePin? {
        if target.isOtherCamera { return other?.endpoint == target.url.endpoint ? other?.pin : nil }
        if let serial, !target.serial.isEmpty {
            return serial.utf8.elementsEqual(target.serial.utf8) ? pin : nil
        }
        return endpoint == target.url.endpoint ? pin : nil
    }

    /// What is known after a probe.
    ///
    /// The first healthy probe whose server asked for the access code and accepted it pins the certificate. That the server
    /// accepted it proves nothing: a Digest response proves the code to the server, not the server to its client, and a
    /// server that does not know the code can answer 200, too. The condition keeps a wrong address from being pinned.
    ///
    /// A certificate by which the vendor's authority proved the printer is pinned at once, in the place of any pin that no
    /// person accepted. A probe that fails at a new endpoint or serial number keeps the record: the new setting may be a
    /// typing error. A probe of `camera_url` leaves the printer's own pin as it is: the printer's MQTT needs that pin.
    package init?(after found: StreamDetection, of target: ProbeTarget, before: CameraRecord?) {
        let isHealthy = found.report.isHealthy
        let isSameEndpoint = before?.endpoint == target.url.endpoint
        let pin = before?.pin(for: target)
        let isProven = target.trust == .pinned && found.report.isServerProven && pin?.isAccepted != true
        let isOther = target.isOtherCamera
        if let before, !isHealthy, !isProven, isOther ? pin == nil : !isSameEndpoint || before.pin != pin {
            self = before
            return
        }
        let isAccepted = isHealthy && found.report.isAuthorized
        // The vendor's authority proves a printer without its code.
        let seen =
            isAccepted || isProven || isHealthy && target.trust == .printerCA ? found.report.certificate : nil
        let trusted: CertificatePin? =
            switch target.trust {
            case .pinned where isProven: seen.map { .proven($0.fingerprint) }
            case .pinned: pin ?? seen.map { .firstSeen($0.fingerprint) }
            case .any, .printerCA: isHealthy ? nil : pin
            }
        if isOther {
            self.init(before, other: OtherCamera(at: target.url.endpoint, trusted))
            return
        }
        // A pin belongs to the serial number from its first use on; the vendor's authority proves it each time.
        let isTrusted =
            seen != nil
            && (target.trust == .printerCA || target.trust == .pinned && seen?.fingerprint == trusted?.fingerprint)
        let isNamed = isTrusted && !target.serial.isEmpty && seen?.isNamed(target.serial) == true
        let isKept = pin != nil || target.trust == .printerCA && before?.serial == target.serial
        self.init(
            endpoint: target.url.endpoint,
            pin: trusted,
            serial: isNamed ? target.serial : isKept ? before?.serial : nil,
            streamProtocol: found.streamProtocol ?? (isSameEndpoint ? before?.streamProtocol : nil),
            other: before?.other
        )
    }

    /// Whether a certificate that the vendor's authority proved has replaced another pinned one.
    package func hasReplacedPin(of before: CameraRecord?, at target: ProbeTarget) -> Bool {
        guard let old = before?.pin(for: target), let pin = pin(for: target), pin.isProven else { return false }
        return old.fingerprint != pin.fingerprint
    }

    init?(accepting fingerprint: String, seen: CertificateReport?, of target: ProbeTarget, before: CameraRecord?) {
        if target.isOtherCamera {
            self.init(before, other: OtherCamera(at: target.url.endpoint, .accepted(fingerprint)))
            return
        }
        let isNamed = seen?.fingerprint == fingerprint && seen?.isNamed(target.serial) == true
        self.init(
            endpoint: target.url.endpoint,
            pin: .accepted(fingerprint),
            serial: isNamed ? target.serial : nil,
            streamProtocol: before?.endpoint == target.url.endpoint ? before?.streamProtocol : nil,
            other: before?.other
        )
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
        guard let endpoint = values["endpoint"]?.stringValue else { return nil }
        self.init(
            endpoint: endpoint,
            pin: Self.pin(in: values),
            serial: values["serial"]?.stringValue,
            streamProtocol: values["protocol"]?.stringValue.flatMap(StreamProtocol.init),
            other: OtherCamera(at: values["other_endpoint"]?.stringValue, Self.pin(in: values, "other_"))
        )
    }

    private static func pin(in values: [String: JSONValue], _ prefix: String = "") -> CertificatePin? {
        values[prefix + "fingerprint"]?.stringValue.map {
            values[prefix + "accepted"] == true
                ? .accepted($0) : values[prefix + "proven"] == true ? .proven($0) : .firstSeen($0)
        }
    }

    var values: [String: JSONValue?] {
        var values: [String: JSONValue?] = [
            "endpoint": .string(endpoint), "serial": serial.map(JSONValue.string),
            "protocol": streamProtocol.map { .string($0.rawValue) },
            "other_endpoint": other.map { .string($0.endpoint) },
        ]
        for (prefix, pin) in [("", pin), ("other_", other?.pin)] {
            values[prefix + "fingerprint"] = .some(pin.map { .string($0.fingerprint) })
            values[prefix + "accepted"] = .some(pin?.isAccepted == true ? true : nil)
            values[prefix + "proven"] = .some(pin?.isProven == true ? true : nil)
        }
        return values
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
