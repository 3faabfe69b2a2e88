import Concurrency
import Foundation
import Logging
import Platform
import PrinterReport
import Printers
import StoredSettings
import Synchronization

/// Follows the reports of the printers whose owners asked for it, by one connection to each.
actor TelemetryService {
    /// The shortest time between two updates of a printer.
    private static let pause = Duration.seconds(1)

    private struct Follower {
        /// Nil when the connection is no longer wanted; the task may still be ending it.
        var link: TelemetryLink?
        var task: Task<Void, Never>
        var target: LinkTarget? { link?.target }
    }

    private let context: BridgeContext
    private let target: @Sendable (Printer) -> LinkTarget?
    private let ledger: LinkLedger
    private var followers: [PrinterID: Follower] = [:]
    /// Takes each report at once.
    private let watch: @Sendable (RecorderService.Sight) -> Void
    /// Takes each printer at whose address nothing answers any more.
    private let lost: @Sendable (PrinterID) async -> Void

    init(
        _ context: BridgeContext,
        target: @escaping @Sendable (Printer) -> LinkTarget?,
        _ ledger: LinkLedger,
        watch: @escaping @Sendable (RecorderService.Sight) -> Void = { _ in },
        lost: @escaping @Sendable (PrinterID) async -> Void = { _ in }
    ) {
        (self.context, self.target, self.ledger) = (context, target, ledger)
        (self.watch, self.lost) = (watch, lost)
    }

    /// Follows until it is cancelled; then every connection is ended in good order before it returns.
    func run() async {
        await context.registry.forEachChange { await self.setTargets(of: $0) }
        for follower in followers.values { follower.task.cancel() }
        for follower in followers.values { await follower.task.value }
    }

    /// Ends the connections to printers that the registry no longer has.
    func release(_ ids: Set<PrinterID>) async {
        await setTargets(of: ids)
        for id in ids { await followers.removeValue(forKey: id)?.task.value }
    }

    private func setTargets(of ids: Set<PrinterID>) async {
        for id in ids {
            let printer = context.registry[id]
            let isOn = printer?.committed.telemetry == true
            let target = isOn ? printer.flatMap(target) : nil
            let isNew = target != followers[id]?.target
            if isNew {
                let former = followers[id]
                former?.task.cancel()
                let link = target.map { TelemetryLink($0, ledger, logger: context.logger) }
                followers[id] = Follower(
                    link: link,
                    task: Task { await self.runLink(id, link, after: former, isGone: printer == nil) }
                )
            }
            let isOther = isOn && printer?.committed.knownModel == .other
            let wasOther = printer?.telemetry?.problem == .unsupported
            guard isNew || isOther != wasOther || isOn != (printer?.telemetry != nil) else { continue }
            let link: LinkStatus? = isOn ? target == nil ? .unconfigured : .connecting : nil
            let problem: LinkProblem? = isOther ? .unsupported : nil
            var telemetry = link.map { PrinterTelemetry($0, problem, at: Date()) }
            if isNew, let target, let known = followers[id]?.link?.known {
                telemetry?.apply(known, on: target.family, at: Date())
            }
            await context.registry.update(id) { [telemetry] in $0.telemetry = telemetry }
        }
    }

    /// Follows one printer until the task is cancelled, or until only other settings can help.
    private func runLink(_ id: PrinterID, _ link: TelemetryLink?, after former: Follower?, isGone: Bool) async {
        // A printer has few places for clients: end the old connection first.
        await former?.task.value
        if isGone, let serial = former?.target?.serial { ledger.forgetReport(of: serial) }
        guard let link else { return }
        let updates = Inbox<TelemetryLink.Update?>(nil)
        let reader = Task {
            while let update = await updates.next() {
                if let update { await self.record(update, of: id, link.target) }
                try? await Task.sleep(for: Self.pause)
            }
        }
        let limit = Mutex(EventLimit())
        await withTaskCancellationHandler {
            await link.run { update in
                var update = update
                self.limitEvents(of: &update, limit, id)
                self.watch(RecorderService.Sight(of: id, update, link.target.family))
                updates.add { [update] latest in
                    let events = (latest?.events ?? []) + update.events
                    latest = update
                    latest?.events = events
                }
            }
        } onCancel: {
            reader.cancel()
        }
        reader.cancel()
        await reader.value
        if let update = updates.take() { await record(update, of: id, link.target) }
    }

    private nonisolated func limitEvents(
        of update: inout TelemetryLink.Update,
        _ limit: borrowing Mutex<EventLimit>,
        _ id: PrinterID
    ) {
        let (dropped, isWarning) = limit.withLock { $0.limit(&update.events, at: MachineClock.now) }
        context.counters.count(.droppedEvents, dropped)
        guard isWarning else { return }
        context.logger.warning("Too many events of a printer; dropping some", metadata: ["printer": "\(id)"])
    }

    private func record(_ update: TelemetryLink.Update, of id: PrinterID, _ target: LinkTarget) async {
        guard followers[id]?.target == target, let before = context.registry[id]?.telemetry else { return }
        let time = Date()
        var telemetry = before
        telemetry.apply(update, on: target.family, at: time)
        if telemetry != before {
            await context.registry.update(id) { $0.telemetry = telemetry }
            log(telemetry, before, id)
            if telemetry.problem == .unreachable, before.problem != .unreachable { await lost(id) }
        }
        if !update.events.isEmpty { context.post(update.events, of: id, at: time) }
    }

    private func log(_ telemetry: PrinterTelemetry, _ before: PrinterTelemetry, _ id: PrinterID) {
        // Do not log the connections that a stopping bridge ends itself.
        guard !Task.isCancelled, telemetry.link != before.link || telemetry.problem != before.problem else { return }
        var metadata: Logger.Metadata = ["printer": "\(id)", "status": "\(telemetry.link.rawValue)"]
        metadata["reason"] = telemetry.problem.map { "\($0.rawValue)" }
        metadata["hint"] = context.registry[id]?.reportHint.map { "\($0)" }
        let level: Logger.Level = telemetry.problem == nil ? .info : .warning
        context.logger.log(level: level, "Telemetry", metadata: metadata)
    }
}
