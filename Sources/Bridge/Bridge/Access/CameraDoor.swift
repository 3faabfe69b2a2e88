package import CameraProtocols
package import Cameras
package import Foundation
package import Logging
import Pictures
package import PrinterReport
package import Printers
import StoredSettings

/// What a person asks about a printer's camera.
package struct CameraQuestion: Sendable, Codable {
    package var printer: String
    /// The revision of the printer's settings that the person sees: another process may see it a second later.
    package var revision: Int
    /// How far to go; nil as far as the settings say.
    package var depth: ProbeDepth?
    /// Tried in the place of the access code that is set.
    package var accessCode: String?
    package var takesPicture = false
    /// Whether to wait if the limits of connections forbid to connect now.
    package var waits = true

    package init(about printer: Printer) {
        (self.printer, revision) = (printer.id.description, printer.committed.revision)
    }

    /// The camera to probe; nil if the settings do not say where it is.
    package func target(of printer: Printer) -> ProbeTarget? {
        var settings = printer.committed
        if let accessCode { settings = settings.with([PrinterSettings.keys.accessCode.name: .string(accessCode)]) }
        return ProbeTarget(settings, isRoutine: false)
    }

    /// Whether one of the bridge's own probes answers it.
    fileprivate var isRoutine: Bool { depth == nil && accessCode == nil }
}

/// What a person is told about a camera: any number of delays, and one answer.
package enum CameraLook: Sendable, Codable {
    /// Why the camera must not be connected to now, and for how long.
    case delay(String)
    case seen(CameraSight)
    /// The printer is not here, or its settings do not say where its camera is.
    case unknown
}

package struct CameraSight: Sendable, Codable {
    package var report: ProbeReport
    /// Where the camera is, without the access code.
    package var address: String
    /// Whether the camera worked at this address since the bridge began.
    package var hasWorked = false
    /// Why the camera fails by what the printer itself says.
    package var verdict: WitnessVerdict?
    package var jpeg: Data?
    /// Why there is no JPEG of the camera's picture.
    package var pictureProblem: String?
}

/// Looks at cameras for people: in the bridge, or in a command that runs while no bridge does.
package struct CameraDoor: Sendable {
    let registry: PrinterRegistry
    let probe: PrinterProbe
    let witness: WitnessService
    /// The bridge's own probes; nil in a command.
    let probes: ProbeService?

    /// Answers a question; calls `tell` with each delay before.
    package func look(_ question: CameraQuestion, tell: @escaping @Sendable (CameraLook) -> Void) async -> CameraLook {
        guard let printer = await printer(of: question), let target = question.target(of: printer) else {
            return .unknown
        }
        switch await attempt(question, printer, target, tell: { tell(.delay($0.message)) }) {
        case .wait(let wait): return .delay(wait.message)
        case .found(let found): return .seen(await sight(found, question, printer, target))
        }
    }

    /// The printer with the settings that the person sees.
    private func printer(of question: CameraQuestion) async -> Printer? {
        guard let id = PrinterID(question.printer) else { return nil }
        let end = ContinuousClock.now + .seconds(5)
        while true {
            if let printer = registry[id], printer.committed.revision >= question.revision { return printer }
            guard ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(50))) != nil else { return nil }
        }
    }

    private func attempt(
        _ question: CameraQuestion,
        _ printer: Printer,
        _ target: ProbeTarget,
        tell: @escaping @Sendable (CameraWait) -> Void
    ) async -> ProbeAttempt {
        let (depth, takesPicture) = (question.depth, question.takesPicture)
        if question.isRoutine {
            let attempt = await routine(printer.id, takesPicture: takesPicture, waits: question.waits, tell: tell)
            if let attempt { return attempt }
        }
        let known = printer.camera
        if question.waits {
            return .found(
                await probe.run(target, known: known, depth: depth, keepsPicture: takesPicture, waiting: tell)
            )
        }
        return await probe.attempt(target, known: known, depth: depth, keepsPicture: takesPicture)
    }

    /// The result of one of the bridge's own probes, which a viewer's picture may answer; nil if the printer is not probed.
    ///
    /// It fails if another printer's viewer keeps the connection to the same camera for a minute.
    func routine(
        _ id: PrinterID,
        takesPicture: Bool = false,
        waits: Bool = true,
        tell: (CameraWait) -> Void
    ) async -> ProbeAttempt? {
        guard let attempts = await probes?.attempts(id, takesPicture: takesPicture) else { return nil }
        var counted = CameraWaits()
        for await attempt in attempts {
            guard case .wait(let wait) = attempt, waits else { return attempt }
            if counted.isHeld(after: wait) {
                return .found(PrinterProbe.held(depth: registry[id]?.probeTarget?.depth ?? .media))
            }
            tell(wait)
        }
        return .found(.cancelled)
    }

    private func sight(
        _ found: StreamDetection,
        _ question: CameraQuestion,
        _ printer: Printer,
        _ target: ProbeTarget
    ) async -> CameraSight {
        let report = found.report
        var sight = CameraSight(report: report, address: target.address(spokenTo: report.streamProtocol))
        sight.hasWorked = registry[printer.id]?.stream.lastHealthyAt != nil
        if let picture = found.picture, question.takesPicture {
            do { sight.jpeg = Data(try await PictureMaker.installed.jpeg(of: picture)) } catch {
                sight.pictureProblem = "\(error)"
            }
        }
        // The printer is asked with the stored access code, so a probe with another code is no reason to ask. A camera that is
        // watched needs no other probe.
        guard question.accessCode == nil, report.failure?.cause != .heldHere else { return sight }
        sight.verdict = await witness.verdict(of: printer, after: report.failure?.reason)
        let isPublishedHealthy = registry[printer.id]?.stream.status == .healthy
        if let probes, !question.isRoutine, report.isHealthy != isPublishedHealthy {
            _ = await probes.probeSoon(printer.id)
        }
        return sight
    }
}

extension CameraDoor {
    /// The door of a command.
    package init(registry: PrinterRegistry, probe: PrinterProbe, ledger: ReportLedger, logger: Logger) {
        let context = BridgeContext(topics: Topics(), registry: registry, logger: logger)
        let target = { @Sendable (printer: Printer) in
            ReportTarget(printer.committed, camera: printer.camera, rule: probe.trust)
        }
        let witness = WitnessService(context, target: target, ledger)
        self.init(registry: registry, probe: probe, witness: witness, probes: nil)
    }
}
