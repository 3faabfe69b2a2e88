import OpenSSL
package import PrinterLink
import StoredSettings

extension LinkTarget {
    /// A printer's own MQTT; nil while address, serial number or access code are missing.
    ///
    /// - Parameters:
    ///   - printer: The printer.
    ///   - certificateAuthority: The file with the maker's certificates; nil if it is not configured.
    package init?(_ printer: Printer, certificateAuthority: String?) {
        let configuration = printer.configuration
        // A certificate that a person has accepted counts although routine probes are switched off.
        var probed = configuration
        probed.values[PrinterSettings.keys.probeEnabled.name] = true
        let pin = ProbeTarget(probed).flatMap { printer.camera?.pin(for: $0) }
        self.init(configuration, pin: pin, certificateAuthority: certificateAuthority)
        let proxy = configuration[PrinterSettings.keys.telemetryHost]
        if !proxy.isEmpty { host = proxy }
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
