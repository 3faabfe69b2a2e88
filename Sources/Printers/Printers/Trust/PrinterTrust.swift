package import OpenSSL

/// How the servers of printers are trusted: one rule for their cameras and for their MQTT.
package struct PrinterTrust: Sendable {
    package var authorities: VendorAuthorities?
    package var printerCA: String?

    /// Trust that rests on pins alone by default.
    package init(authorities: VendorAuthorities? = nil, printerCA: String? = nil) {
        self.authorities = authorities
        self.printerCA = printerCA
    }

    /// What makes a printer's certificate acceptable.
    ///
    /// A pin that a person accepted stays. Otherwise a certificate of the vendor's that names the serial number proves the
    /// printer, and replaces each other pin. A camera of another maker has no serial number in its certificate.
    package func policy(
        _ setting: CertificateTrust,
        serial: String,
        pin: CertificatePin?,
        isOtherCamera: Bool = false
    ) -> TrustPolicy {
        switch setting {
        case .any: .any
        case .printerCA:
            .authority(
                file: printerCA ?? "stream.printer_ca, which is not set",
                commonName: serial.isEmpty || isOtherCamera ? nil : serial
            )
        case .pinned:
            switch pin {
            case .accepted(let fingerprint): .pinned(sha256: fingerprint)
            case .proven(let fingerprint) where !serial.isEmpty: proven(serial, otherwise: .pinned(sha256: fingerprint))
            case .proven(let fingerprint), .firstSeen(let fingerprint):
                proven(serial, otherwise: .firstUse(sha256: fingerprint))
            case nil where serial.isEmpty || isOtherCamera: proven(serial, otherwise: .firstUse(sha256: nil))
            case nil: proven(serial, otherwise: .named(serial))
            }
        }
    }

    /// The same for the printer's MQTT, which gets the access code itself: the printer has to be proven, whatever the setting.
    package func provingPolicy(_ setting: CertificateTrust, serial: String, pin: CertificatePin?) -> TrustPolicy {
        let pin = setting == .pinned ? pin : nil
        if let printerCA, pin?.isAccepted != true { return .authority(file: printerCA, commonName: serial) }
        return policy(.pinned, serial: serial, pin: pin).proving
    }

    /// The same for an address that an announcement names: the pinned certificate of any origin proves that it is the same
    /// printer.
    package func addressPolicy(_ setting: CertificateTrust, serial: String, pin: CertificatePin?) -> TrustPolicy {
        switch setting == .printerCA ? nil : pin {
        case .accepted(let fingerprint): .pinned(sha256: fingerprint)
        case let pin?: proven(serial, otherwise: .pinned(sha256: pin.fingerprint))
        case nil:
            printerCA.map { .authority(file: $0, commonName: serial) } ?? proven(serial, otherwise: .named(serial))
        }
    }

    private func proven(_ serial: String, otherwise: TrustPolicy) -> TrustPolicy {
        guard let authorities, !serial.isEmpty else { return otherwise }
        return .device(authorities.proof(of: serial), otherwise: otherwise)
    }
}
