import CameraProtocols
import Cameras
import Concurrency
import Foundation
import Logging
import Platform
import PrinterReport
import Printers
import StoredSettings

/// Asks printers why their cameras fail: where their owners allow it, or when a person asks; one printer at a time.
actor WitnessService {
    private struct Watched {
        var schedule = WitnessSchedule()
        var checkedAt: Date?
    }

    private struct Answer {
        var report: CameraResult
        var at = Date()
    }

    private let context: BridgeContext
    private let target: @Sendable (Printer) -> ReportTarget?
    private let ledger: ReportLedger
    private let witness: Witness
    private var watched: [PrinterID: Watched] = [:]
    private var requested: Set<PrinterID> = []
    private let wakeup = Wakeup()

    init(_ context: BridgeContext, target: @escaping @Sendable (Printer) -> ReportTarget?, _ ledger: ReportLedger) {
        (self.context, self.target, self.ledger) = (context, target, ledger)
        witness = Witness(ledger, logger: context.logger)
    }

    /// Asks until it is cancelled; then the connection is ended in good order before it returns.
    func run() async {
        await withTaskGroup { group in
            group.addTask {
                let concerns: PrinterWatcher.Concern = { $0.holds { $0.witness } || $0.now.report != nil }
                await self.context.registry.forEachChange(where: concerns) { await self.noteProbes(of: $0) }
            }
            group.addTask { await self.keepSchedule() }
        }
    }

    /// Asks a printer whose camera fails, after the question before; throws if the printer cannot be asked now.
    func ask(_ id: PrinterID) async throws(ValidationError) {
        guard let printer = context.registry[id] else { throw .noPrinter(id) }
        if [.unconfigured, .disabled].contains(printer.stream.status) { throw .notProbed }
        guard printer.stream.report?.failure?.reason.needsNoWitness == false else {
            let message = "has no failure to explain: its camera works or was not probed, or the probe knows the cause"
            throw ValidationError("printer", "not_failing", message)
        }
        guard !printer.committed.hasCameraURL else {
            throw ValidationError("printer", "not_probed", "knows nothing of the camera at camera_url")
        }
        // With `telemetry` the report may be here already: judge it, and do not ask.
        if let camera = printer.report?.camera { return await record(Answer(report: camera), of: id, target(printer)) }
        guard let target = target(printer) else {
            throw ValidationError("printer", "not_probed", "cannot be asked: set printer_ip, serial and access_code")
        }
        if let kept = kept(of: printer, target) { return await record(kept, of: id, target) }
        if let wait = ledger.wait(target.serial) {
            let message = """
                was asked often enough (limits: 5 min apart, 4 an hour, 12 a day): \
                ask again in \(Int(wait / 60) + 1) min
                """
            throw ValidationError("printer", "limit", message)
        }
        requested.insert(id)
        wakeup.signal()
    }

    /// Asks a printer why its camera failed, after a person's probe.
    ///
    /// Nil if the printer knows no cause, or cannot be asked now.
    func verdict(of printer: Printer, after reason: ProbeReason?) async -> WitnessVerdict? {
        guard let reason, !reason.needsNoWitness, !printer.committed.hasCameraURL else { return nil }
        let target = target(printer)
        var answer = printer.report?.camera.map { Answer(report: $0) } ?? target.flatMap { kept(of: printer, $0) }
        if answer == nil, let target { answer = await askNow(printer.id, target) }
        guard let answer else { return nil }
        await record(answer, of: printer.id, target)
        return .decide(probe: reason, report: answer.report, family: target?.family)
    }

    /// Asks a printer, unless the limits forbid it, or another bridge serves it.
    private func askNow(_ id: PrinterID, _ target: ReportTarget) async -> Answer? {
        guard context.isActive else { return nil }
        let wait = ledger.reserveQuestion(to: target.serial)
        watched[id]?.schedule.ask(at: MachineClock.now, wait: wait)
        // Without a free connection the question counts as asked. A watched printer is asked again later.
        guard wait == nil, await ledger.reserveConnection(to: target) == nil else { return nil }
        return Answer(report: await witness.ask(target))
    }

    /// What another connection has just heard; nil if there is nothing, or if the camera has worked since.
    private func kept(of printer: Printer, _ target: ReportTarget) -> Answer? {
        guard let kept = ledger.report(of: target.serial) else { return nil }
        let camera = PrintState(kept.report, on: target.family).camera
        let answer = Answer(report: .success(camera), at: Date() - kept.age.seconds)
        return answer.at > printer.stream.lastHealthyAt ?? .distantPast ? answer : nil
    }

    private func noteProbes(of ids: Set<PrinterID>) async {
        var isChanged = false
        for id in ids {
            let printer = context.registry[id]
            guard let printer, printer.report == nil, !printer.committed.hasCameraURL,
                printer.committed.witness, target(printer) != nil
            else {
                watched[id] = nil
                // After the probe the printer may have been switched on: a later report does not explain the failure.
                if let printer, let report = printer.report, report.since <= printer.stream.checkedAt ?? .distantPast,
                    printer.stream.consecutiveFailures >= 2, !printer.committed.hasCameraURL, let camera = report.camera
                {
                    await record(Answer(report: camera), of: id, target(printer))
                }
                continue
            }
            let stream = printer.stream
            guard stream.checkedAt != watched[id]?.checkedAt else { continue }
            // The camera may have failed for some time when `witness` is switched on.
            let count = watched[id] == nil ? min(stream.consecutiveFailures, 2) : 1
            let before = watched[id]?.schedule.next
            watched[id, default: Watched()].checkedAt = stream.checkedAt
            for _ in 0..<count { watched[id]?.schedule.note(stream.report?.failure?.reason, at: MachineClock.now) }
            isChanged = isChanged || watched[id]?.schedule.next != before
        }
        if isChanged { wakeup.signal() }
    }

    private func record(_ answer: Answer, of id: PrinterID, _ target: ReportTarget?) async {
        guard let stream = context.registry[id]?.stream else { return }
        let reason = stream.report?.failure?.reason
        let verdict = WitnessVerdict.decide(probe: reason, report: answer.report, family: target?.family)
        guard verdict != stream.witness?.verdict else { return }
        await context.registry.update(id) { $0.stream.note(verdict: verdict, at: answer.at) }
    }

    private func keepSchedule() async {
        while !Task.isCancelled {
            let now = MachineClock.now
            let next = watched.lazy.compactMap { id, watched in watched.schedule.next.map { (id: id, time: $0) } }
                .min { $0.time < $1.time }
            if let id = requested.popFirst() ?? next.flatMap({ $0.time <= now ? $0.id : nil }) {
                await connect(to: id)
            } else {
                await wakeup.wait(seconds: next.map { $0.time - now })
            }
        }
    }

    private func connect(to id: PrinterID) async {
        // In a hand-over, the printer may still be here: it is watched again once it is taken over.
        guard context.isActive, let printer = context.registry[id], let target = target(printer) else {
            return watched[id] = nil
        }
        if let kept = kept(of: printer, target) { await record(kept, of: id, target) }
        guard let answer = await askNow(id, target) else { return }
        // The settings may have changed meanwhile.
        guard !Task.isCancelled, let now = context.registry[id], self.target(now) == target else { return }
        await record(answer, of: id, target)
    }
}

extension ReportState {
    /// What the printer says of its camera; nil while it has said nothing.
    fileprivate var camera: CameraResult? { problem.map(CameraResult.failure) ?? print.map { .success($0.camera) } }
}
