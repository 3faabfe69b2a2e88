import JSON
import OpenSSL
package import PrinterReport
import Secrets
package import StoredSettings

extension ReportTarget {
    /// A printer's own MQTT; nil while address, serial number or access code are missing, and for other makers' printers.
    ///
    /// A certificate that a person accepted for the camera is accepted here, too.
    package init?(_ settings: PrinterSettings.Snapshot, camera: CameraRecord?, rule: PrinterTrust) {
        let (host, serial) = (settings.printerIP, settings.serial)
        let code = settings.accessCode
        let hasReport = settings.knownModel != .other
        guard hasReport, !host.isEmpty, !serial.isEmpty, !code.isEmpty else { return nil }
        // A certificate that a person has accepted counts although routine probes are switched off. That of another camera
        // proves nothing of the printer.
        let pin = camera.flatMap { camera in
            let printer = settings.with([PrinterSettings.keys.cameraURL.name: nil])
            return ProbeTarget(printer, isRoutine: false).flatMap { camera.pin(for: $0) }
        }
        let trust = rule.provingPolicy(settings.certificate, serial: serial, pin: pin)
        let family = PrinterFamily(settings.knownModel, serial: serial)
        let proxy = settings.telemetryHost
        let address = proxy.isEmpty ? host : proxy
        self.init(host: address, serial: serial, accessCode: Secret(code), trust: trust, family: family)
    }
}
