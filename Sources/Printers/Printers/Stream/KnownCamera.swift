package import CameraProtocols
import OpenSSL
import StoredSettings

/// The stored entry of one camera: its trusted certificate, its printer's serial number and its protocol.
package struct KnownCamera: Sendable, Hashable {
    /// `host:port` as configured, where it was reached last.
    package var endpoint: String
    package var pin: CertificatePin?
    /// The printer's serial number, once the trusted certificate had it as its name; nil until then.
    package var serial: String?
    /// The protocol that a probe found at ``endpoint``; nil while it is not certain.
    package var streamProtocol: StreamProtocol?

    var isEmpty: Bool { pin == nil && serial == nil && streamProtocol == nil }

    /// The certificate to insist on at a target; nil for a first use.
    ///
    /// A pin belongs to the printer with a serial number, wherever that is: another certificate at a new address is a
    /// changed one. Where no serial number is known, and at `camera_url`, it belongs to the endpoint.
    func pin(for target: ProbeTarget) -> CertificatePin? {
        if let serial, !target.serial.isEmpty {
            return serial.utf8.elementsEqual(target.serial.utf8) ? pin : nil
        }
        return endpoint == target.url.endpoint ? pin : nil
    }

    func streamProtocol(at url: StreamURL) -> StreamProtocol? { endpoint == url.endpoint ? streamProtocol : nil }
}

extension KnownCamera {
    /// Updates the entry with the result of a probe.
    ///
    /// The first healthy probe whose server asked for the access code and accepted it pins the certificate. That the server
    /// accepted it proves nothing: a Digest response proves the code to the server, not the server to its client, and a
    /// server that does not know the code can answer 200, too. The condition keeps a wrong address from being pinned.
    ///
    /// A certificate by which the vendor's authority proved the printer is pinned at once, in the place of any pin that no
    /// person accepted. A probe that fails at a new endpoint or serial number changes nothing: the new setting may be a
    /// typing error.
    init(after found: StreamDetection, of target: ProbeTarget, before: KnownCamera?) {
        let isHealthy = found.report.isHealthy
        let pin = before?.pin(for: target)
        let isProven = target.trust == .pinned && found.report.isServerProven && pin?.isAccepted != true
        if let before, !isHealthy, !isProven, before.endpoint != target.url.endpoint || before.pin != pin {
            self = before
            return
        }
        let isAccepted = isHealthy && found.report.isAuthorized
        // The vendor's authority proves a printer without its code.
        let seen =
            isAccepted || isProven || isHealthy && target.trust == .printerCA ? found.report.certificate : nil
        endpoint = target.url.endpoint
        self.pin =
            switch target.trust {
            case .pinned where isProven: seen.map { .proven($0.fingerprint) }
            case .pinned: pin ?? seen.map { .firstSeen($0.fingerprint) }
            case .any, .printerCA: isHealthy ? nil : pin
            }
        guard !target.isOtherCamera else { return }
        // A pin belongs to the serial number from its first use on; the vendor's authority proves it each time.
        let isTrusted =
            target.trust == .printerCA || target.trust == .pinned && seen?.fingerprint == self.pin?.fingerprint
        let isNamed = isTrusted && !target.serial.isEmpty && seen?.isNamed(target.serial) == true
        let isKept = pin != nil || target.trust == .printerCA && before?.serial == target.serial
        serial = isNamed ? target.serial : isKept ? before?.serial : nil
        streamProtocol = found.streamProtocol ?? before?.streamProtocol(at: target.url)
    }

    init(accepting fingerprint: String, seen: CertificateReport?, of target: ProbeTarget, before: KnownCamera?) {
        self.init(endpoint: target.url.endpoint, pin: .accepted(fingerprint))
        guard !target.isOtherCamera else { return }
        if seen?.fingerprint == fingerprint, seen?.isNamed(target.serial) == true { serial = target.serial }
        streamProtocol = before?.streamProtocol(at: target.url)
    }
}

extension KnownCamera {
    /// Reads an entry from a stored record, where its names begin with `prefix`; nil without an endpoint.
    init?(_ values: [String: JSONValue], _ prefix: String) {
        guard let endpoint = values[prefix + "endpoint"]?.stringValue else { return nil }
        self.init(
            endpoint: endpoint,
            pin: values[prefix + "fingerprint"]?.stringValue.map {
                values[prefix + "accepted"] == true
                    ? .accepted($0) : values[prefix + "proven"] == true ? .proven($0) : .firstSeen($0)
            },
            serial: values[prefix + "serial"]?.stringValue,
            streamProtocol: values[prefix + "protocol"]?.stringValue.flatMap(StreamProtocol.init)
        )
    }

    static func values(of camera: KnownCamera?, _ prefix: String) -> [String: JSONValue?] {
        let values: [String: JSONValue?] = [
            "endpoint": camera.map { .string($0.endpoint) }, "serial": camera?.serial.map(JSONValue.string),
            "protocol": camera?.streamProtocol.map { .string($0.rawValue) },
            "fingerprint": camera?.pin.map { .string($0.fingerprint) },
            "accepted": camera?.pin?.isAccepted == true ? true : nil,
            "proven": camera?.pin?.isProven == true ? true : nil,
        ]
        return Dictionary(uniqueKeysWithValues: values.map { (prefix + $0, $1) })
    }
}
