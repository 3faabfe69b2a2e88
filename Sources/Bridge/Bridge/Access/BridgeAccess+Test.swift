package import CameraProtocols
package import Cameras
package import Printers
package import StoredSettings

extension BridgeAccess {
    /// Probes with settings that are not stored: a patch over a printer's settings, or over the defaults.
    ///
    /// If the settings are invalid, nothing is probed. If a printer is saved with these settings soon, the result counts as its
    /// first probe. Calls `progress` after each stage, on any thread, and `waiting` before each wait for the camera's limits.
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
            var probe = dependencies.probe
            probe.progress = progress
            let found = await probe.run(target, known: printer?.camera, waiting: waiting)
            tested.keep(found, of: target)
            var hints = HintContext(target, on: registry.installation)
            // Only a printer that is stored has the button.
            if printer?.probeTarget != target {
                hints.acceptance = "save the printer, then press 'Accept certificate'"
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
            let settings = stored.with(changes).with([PrinterSettings.keys.probeEnabled.name: true])
            if let fault = settings.accessCodeFault { return .failure(ValidationErrors([fault])) }
            if let target = ProbeTarget(settings) { return .success(target) }
            return .failure(ValidationErrors(settings.missingSetting, .tooShort, "is needed for a test"))
        }
    }
}
