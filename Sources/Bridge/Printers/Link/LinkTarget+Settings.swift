import OpenSSL
package import PrinterLink
import StoredSettings

extension LinkTarget {
    /// A printer's own MQTT; nil while address, serial number or access code are missing, and for other makers' printers.
    ///
    /// A certificate that a person accepted for the camera is accepted here, too.
    package init?(_ configuration: PrinterConfiguration, camera: CameraRecord?, rule: PrinterTrust) {
        // A certificate that a person has accepted counts although routine probes are switched off.
        var probed = configuration
        probed.values[PrinterSettings.keys.probeEnabled.name] = true
        // The certificate of another camera proves nothing of the printer.
        probed.values[PrinterSettings.keys.cameraURL.name] = nil
        let pin = ProbeTarget(probed).flatMap { camera?.pin(for: $0) }
        let (host, serial) = (configuration[PrinterSettings.keys.printerIP], configuration[PrinterSettings.keys.serial])
        let code = configuration[PrinterSettings.keys.accessCode]
        let hasReport = configuration.knownModel != .other
        guard hasReport, !host.isEmpty, !serial.isEmpty, !code.isEmpty else { return nil }
        let setting = configuration[PrinterSettings.keys.certificate]
        let trust = rule.provingPolicy(setting, serial: serial, pin: pin)
        let family = PrinterFamily(configuration.knownModel, serial: serial)
        let proxy = configuration[PrinterSettings.keys.telemetryHost]
        let address = proxy.isEmpty ? host : proxy
        self.init(host: address, serial: serial, accessCode: Secret(code), trust: trust, family: family)
    }
}
