import CameraProtocols
import Cameras
import Printers
import StoredSettings

extension AppContext {
    /// Probes a configured printer for a person, also with `probe_enabled: false`.
    func probe(
        _ printer: Printer,
        accessCode: String? = nil,
        depth: ProbeDepth? = nil,
        keepsPicture: Bool = false
    ) async throws -> (detection: StreamDetection, address: String) {
        var settings = printer.committed.with([PrinterSettings.keys.probeEnabled.name: true])
        if let accessCode { settings = settings.with([PrinterSettings.keys.accessCode.name: .string(accessCode)]) }
        guard let target = ProbeTarget(settings) else {
            throw CommandFailure(.unhealthy, "\(printer.id) is not configured: set \(settings.missingSetting)")
        }
        let probe = try probe()
        let found = try await Interruption.cancelling {
            await probe.run(target, known: printer.camera, depth: depth, keepsPicture: keepsPicture) {
                Terminal.note("note: \($0.message)\n")
            }
        }
        return (found, target.address(spokenTo: found.report.streamProtocol))
    }
}
