import OpenSSL
import RTSP
import StoredSettings

/// Certificates that a person accepts.
extension PrinterRegistry {
    /// Trusts one certificate of a printer from now on, and no other.
    ///
    /// - Parameters:
    ///   - fingerprint: Its SHA-256 in hexadecimal.
    ///   - id: The printer.
    /// - Throws: ``Settings/ValidationError`` when there is no such printer, when its certificate is not trusted by a pin, when the
    ///   last probe saw another certificate, or when the printer changed meanwhile.
    public func acceptCertificate(_ fingerprint: String, of id: PrinterID) async throws {
        guard let printer = self[id] else {
            throw ValidationError(
                path: "printer",
                code: .init(rawValue: "not_found"),
                message: "there is no printer \(id)"
            )
        }
        guard let fingerprint = CertificateFingerprint.normalized(fingerprint) else {
            let message = "must be the SHA-256 of a certificate: 64 hexadecimal digits"
            throw ValidationError(path: "fingerprint", code: .invalidValue, message: message)
        }
        guard let target = ProbeTarget(printer.configuration) else {
            let message = "is not probed: set printer_ip and access_code, and probe_enabled to true"
            throw ValidationError(path: "printer", code: .init(rawValue: "not_probed"), message: message)
        }
        guard target.trust == .pinned else {
            let message = "is trusted by certificate: \(target.trust.rawValue); set certificate to pinned first"
            throw ValidationError(path: "printer", code: .init(rawValue: "not_pinned"), message: message)
        }
        let seen = printer.stream.report?.certificate
        if let seen, seen.fingerprint != fingerprint {
            let message = "is not the certificate that the last probe saw, which is \(seen.fingerprint)"
            throw ValidationError(path: "fingerprint", code: .init(rawValue: "not_seen"), message: message)
        }
        let accepted = CameraRecord(accepting: fingerprint, seen: seen, of: target, before: printer.camera)
        try await remember(accepted, of: id, target: target)
        // The printer's address or settings may have changed meanwhile.
        guard self[id]?.camera == accepted else {
            let message = "was changed at the same time: look at it again, then accept its certificate again"
            throw ValidationError(path: "printer", code: .init(rawValue: "conflict"), message: message)
        }
    }
}
