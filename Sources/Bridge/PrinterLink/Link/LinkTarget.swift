package import OpenSSL
package import Printers
package import StoredSettings

/// Everything about a printer that decides how its MQTT is reached.
package struct LinkTarget: Sendable, Hashable {
    /// The address.
    package var host: String
    /// The port: 8883 on every printer.
    package var port = 8883
    /// The serial number, which names the topics and the certificate.
    package var serial: String
    /// The access code.
    package var accessCode: Secret<String>
    /// What proves that the server is the printer.
    package var trust: TrustPolicy
    /// The printer's family; nil if it is not known.
    package var family: PrinterFamily?

    /// Names a printer.
    package init(host: String, serial: String, accessCode: Secret<String>, trust: TrustPolicy, family: PrinterFamily?) {
        self.host = host
        self.serial = serial
        self.accessCode = accessCode
        self.trust = trust
        self.family = family
    }

    /// The printer of a configuration; nil while address, serial number or access code are missing.
    ///
    /// - Parameters:
    ///   - configuration: The printer's settings.
    ///   - pin: The certificate that is trusted by the camera's rules.
    ///   - certificateAuthority: The file with the maker's certificates; nil if it is not configured.
    package init?(_ configuration: PrinterConfiguration, pin: CertificatePin?, certificateAuthority: String?) {
        let (host, serial) = (configuration[PrinterSettings.keys.printerIP], configuration[PrinterSettings.keys.serial])
        let code = configuration[PrinterSettings.keys.accessCode]
        guard !host.isEmpty, !serial.isEmpty, !code.isEmpty else { return nil }
        let trust: TrustPolicy =
            switch (configuration[PrinterSettings.keys.certificate], pin) {
            case (.pinned, .accepted(let fingerprint)?): .pinned(sha256: fingerprint)
            case (.pinned, .firstSeen), (.pinned, nil), (.printerCA, _), (.any, _):
                certificateAuthority.map { .authority(file: $0, commonName: serial) } ?? .named(serial)
            }
        let family = PrinterFamily(configuration[PrinterSettings.keys.model], serial: serial)
        self.init(host: host, serial: serial, accessCode: Secret(code), trust: trust, family: family)
    }
}
