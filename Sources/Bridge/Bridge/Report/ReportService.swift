import Concurrency
import Foundation
import Logging
import Platform
import PrinterReport
import Printers
import StoredSettings
import Synchronization

/// Follows the reports of the printers whose owners asked for it, by one connection to each.
actor ReportService {
    /// The shortest time between two updates of a printer.
    private static let pause = Duration.seconds(1)

    private struct Follower {
        /// Nil when the connection is no longer wanted; the task may still be ending it.
        var reader: ReportReader?
        var task: Task<Void, Never>
        var target: ReportTarget? { reader?.target }
    }

    private let context: BridgeContext
    private let target: @Sendable (Printer) -> ReportTarget?
    private let ledger: ReportLedger
    private var followers: [PrinterID: Follower] = [:]
    /// Also of printers that are not followed: another connection may have kept their reports.
    private var serials: [PrinterID: String] = [:]
    /// Takes each report at once.
    private let watch: @Sendable (RecorderService.Sight) -> Void
    /// Called for a printer that no longer answers, or whose server is unproven.
    private let lost: @Sendable (PrinterID) async -> Void

    init(
        _ context: BridgeContext,
        target: @escaping @Sendable (Printer) -> ReportTarget?,
        _ ledger: ReportLedger,
        watch: @escaping @Sendable (RecorderService.Sight) -> Void,
        lost: @escaping @Sendable (PrinterID) async -> Void
    ) {
        (self.context, self.target, self.ledger) = (context, target, ledger)
        (self.watch, self.lost) = (watch, lost)
    }

    /// Follows until it is cancelled; then every connection is ended in good order before it returns.
    func run() async {
        await context.registry.forEachChange(where: \.isStored) { await self.setTargets(of: $0) }
        for follower in followers.values { follower.task.cancel() }
        for follower in followers.values { await follower.task.value }
    }

    /// Ends the connections to printers that the registry no longer has.
    func release(_ ids: Set<PrinterID>) async {
        await setTargets(of: ids)
        for id in ids { await followers.removeValue(forKey: id)?.task.value }
    }

    private func setTargets(of ids: Set<PrinterID>) async {
        let gone: [PrinterID] = ids.filter { context.registry[$0] == nil }
        // A renamed printer takes over the report of its old name, before that name forgets the report.
        for id in ids.subtracting(gone) {
            // One that has gone meanwhile comes again.
            guard let printer = context.registry[id] else { continue }
            let isOn = printer.committed.telemetry
            let target = isOn ? target(printer) : nil
            let isNew = target != followers[id]?.target
            serials[id] = printer.committed.serial
            if isNew {
                let renamed = target == nil ? [] : gone.filter { followers[$0]?.target == target }
                let former = (renamed + [id]).compactMap { followers[$0] }
                for follower in former { follower.task.cancel() }
                let reader = target.map { ReportReader($0, ledger, logger: context.logger) }
                followers[id] = Follower(
                    reader: reader,
                    task: Task { await self.follow(id, reader, after: former) }
                )
            }
            let isOther = isOn && printer.committed.knownModel == .other
            let wasOther = printer.report?.problem == .unsupported
            guard isNew || isOther != wasOther || isOn != (printer.report != nil) else { continue }
            let status: ReportStatus? = isOn ? target == nil ? .unconfigured : .connecting : nil
            let problem: ReportProblem? = isOther ? .unsupported : nil
            var report = status.map { ReportState($0, problem, at: Date()) }
            if isNew, let target, let known = followers[id]?.reader?.known {
                report?.apply(known, on: target.family, at: Date(), steady: .steady)
            }
            await context.registry.update(id) { [report] in $0.report = report }
        }
        // Not one that came again meanwhile.
        forget(gone.filter { context.registry[$0] == nil })
    }

    /// Ends the connections to printers that are gone, and forgets their reports: together, because that writes the file of
    /// all reports anew.
    private func forget(_ gone: [PrinterID]) {
        let former = gone.compactMap { followers[$0] }
        for follower in former { follower.task.cancel() }
        let forgotten = Set(gone.compactMap { serials.removeValue(forKey: $0) })
        let task = Task {
            for follower in former { await follower.task.value }
            ledger.forgetReports(of: forgotten.subtracting(serials.values))
        }
        for id in gone { followers[id] = Follower(task: task) }
    }

    /// Follows one printer until the task is cancelled, or until only other settings can help.
    private func follow(_ id: PrinterID, _ reader: ReportReader?, after former: [Follower]) async {
        // A printer has few places for clients: end the old connection first.
        for follower in former { await follower.task.value }
        guard let reader else { return }
        let updates = Inbox<ReportReader.Update?>(nil)
        let recording = Task {
            while let update = await updates.next() {
                if let update { await self.record(update, of: id, reader.target) }
                try? await Task.sleep(for: Self.pause)
            }
        }
        let limit = Mutex(EventLimit())
        await withTaskCancellationHandler {
            await reader.run { update in
                var update = update
                let (dropped, isWarning) = limit.withLock { $0.limit(&update.events, at: MachineClock.now) }
                self.context.counters.count(.droppedEvents, dropped)
                if isWarning {
                    let metadata: Logger.Metadata = ["printer": "\(id)"]
                    self.context.logger.warning("Too many events of a printer; dropping some", metadata: metadata)
                }
                self.watch(RecorderService.Sight(of: id, update, reader.target.family))
                updates.add { [update] latest in
                    let events = (latest?.events ?? []) + update.events
                    latest = update
                    latest?.events = events
                }
            }
        } onCancel: {
            recording.cancel()
        }
        recording.cancel()
        await recording.value
        if let update = updates.take() { await record(update, of: id, reader.target) }
    }

    private func record(_ update: ReportReader.Update, of id: PrinterID, _ target: ReportTarget) async {
        let time = Date()
        defer {
            // The reader tells an event once, also if the printer has other settings or another name by now.
            let isMeant = { self.context.registry[$0]?.committed.serial == target.serial }
            let name = isMeant(id) ? id : followers.keys.first(where: isMeant)
            if let name, !update.events.isEmpty { context.post(update.events, of: name, at: time) }
        }
        guard followers[id]?.target == target, let before = context.registry[id]?.report else { return }
        var report = before
        report.apply(update, on: target.family, at: time, steady: .steady)
        if report != before {
            await context.registry.update(id) { $0.report = report }
            log(report, before, id)
            let isLost = [.unreachable, .serverUnproven].contains(report.problem)
            if isLost, report.problem != before.problem { await lost(id) }
        }
    }

    private func log(_ report: ReportState, _ before: ReportState, _ id: PrinterID) {
        // Do not log the connections that a stopping bridge ends itself.
        guard !Task.isCancelled, report.status != before.status || report.problem != before.problem else { return }
        var metadata: Logger.Metadata = ["printer": "\(id)", "status": "\(report.status.rawValue)"]
        metadata["reason"] = report.problem.map { "\($0.rawValue)" }
        metadata["hint"] = context.registry[id]?.reportFault.map { "\($0.hint)" }
        let level: Logger.Level = report.problem == nil ? .info : .warning
        context.logger.log(level: level, "Report connection changed", metadata: metadata)
    }
}
