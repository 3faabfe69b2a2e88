package import CameraProtocols
package import Cameras
import Platform
package import Printers
package import StoredSettings
import Synchronization

extension BridgeAccess {
    /// Probes with settings that are not stored: a patch over a printer's settings, or over the defaults.
    ///
    /// If the settings are invalid, nothing is probed. If a printer is saved with these settings soon, the result counts as its
    /// first probe. With stored settings, while viewers are there, the next picture is the result. Calls `progress` after each
    /// stage, on any thread, and `waiting` before each wait for the camera's limits.
    package func test(
        _ id: PrinterID?,
        _ patch: [String: JSONValue],
        progress: @escaping @Sendable (ProbeReport) -> Void,
        waiting: (CameraWait) -> Void
    ) async -> Result<(ProbeReport, HintContext), ValidationErrors> {
        var printer: Printer?
        if let id { printer = context.registry[id] }
        switch Self.target(of: patch, over: printer?.committed ?? PrinterSettings.Snapshot()) {
        case .failure(let faults): return .failure(faults)
        case .success(let target):
            let found: StreamDetection
            if let printer, printer.cameraStatus.holder == .viewers, printer.probeTarget == target,
                case .found(let seen)? = await door.routine(printer.id, tell: waiting)
            {
                found = seen
            } else {
                var probe = dependencies.probe
                probe.progress = progress
                found = await probe.run(target, known: printer?.camera, waiting: waiting)
                tested.keep(found, of: target)
            }
            var hints = HintContext(target, on: registry.installation)
            // Only a printer that is stored has the button.
            if printer?.probeTarget != target {
                hints.acceptAction = "save the printer, then press 'Accept certificate'"
            }
            return .success((found.report, hints))
        }
    }

    /// The probe target of stored values with a patch applied; `probe_enabled` counts as true.
    static func target(
        of patch: [String: JSONValue],
        over stored: PrinterSettings.Snapshot
    ) -> Result<ProbeTarget, ValidationErrors> {
        PrinterSettings.schema.validate(patch: patch).flatMap { changes in
            let settings = stored.with(changes)
            if let fault = settings.accessCodeFault { return .failure(ValidationErrors([fault])) }
            if let target = ProbeTarget(settings, isRoutine: false) { return .success(target) }
            return .failure(ValidationErrors(settings.missingSetting, .tooShort, "is needed for a test"))
        }
    }
}

/// The result of the latest connection test: it counts as the first probe of a printer that is saved with the same settings.
///
/// A camera is connected to four times a minute at most, so a second probe would delay the first viewer.
final class TestedCamera: Sendable {
    /// How long a result counts, in seconds: people press Save soon after a test.
    static let lifetime = 120.0

    private let latest = Mutex<(target: ProbeTarget, found: StreamDetection, at: Double)?>(nil)

    func keep(_ found: StreamDetection, of target: ProbeTarget, at now: Double = MachineClock.now) {
        guard found.report.outcome != .cancelled, found.report.failure?.cause != .heldHere else { return }
        latest.withLock { $0 = (target, found, now) }
    }

    /// The result for this camera, once.
    func take(for target: ProbeTarget, at now: Double = MachineClock.now) -> StreamDetection? {
        latest.withLock { result in
            guard let known = result, known.target == target else { return nil }
            result = nil
            return now - known.at < Self.lifetime ? known.found : nil
        }
    }
}
