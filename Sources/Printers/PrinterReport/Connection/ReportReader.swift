import Foundation
package import Logging
import Platform

/// Follows the report of one printer.
package actor ReportReader {
    package struct Update: Sendable {
        package var phase: ReaderState.Phase
        /// The state; nil while no recent whole report is known.
        package var state: PrintState?
        /// Whether the printer reports the state now, and nothing was missed since its last whole report.
        package var isWatched = false
        package var times = PrintTracker.Times()
        package var events: [PrintEvent] = []
    }

    /// While messages arrive, the report is kept again after this time.
    private static let keeping = Duration.seconds(60)
    /// How often alarms and waits are ended while no message arrives.
    private static let settling = Duration.seconds(10)

    package nonisolated let target: ReportTarget
    private let memory: any ReportMemory
    private let logger: Logger
    private var changed: @Sendable (Update) -> Void = { _ in }
    private var reading = ReaderState()
    private let clientID = PrinterConnection.newClientID()
    private var report = Report()
    private var prints = PrintTracker()
    /// The version of the AMS; deltas report it without the contents, so a new version asks for the whole report.
    private var filamentVersion: Int?
    private var dropped = 0
    private var keptAt = ContinuousClock.now
    /// How often events have the report kept: one that invents them must not fill the disk.
    private var keeps = RateLimit(burst: 20, perSecond: 0.5)
    /// Whether the whole report was asked for; it is kept as soon as it arrives, since the next run may not ask again.
    private var isAwaited = false

    package init(_ target: ReportTarget, _ memory: any ReportMemory, logger: Logger) {
        (self.target, self.memory, self.logger) = (target, memory, logger)
    }

    /// What an earlier run knew of the printer, to be shown until the first connection.
    package nonisolated var known: Update {
        var reading = ReaderState()
        let prints = restore(&reading)?.prints ?? PrintTracker()
        return Update(phase: reading.phase, state: reading.isReportKnown ? prints.state : nil, times: prints.times)
    }

    /// Takes the report that an earlier connection knew.
    private nonisolated func restore(_ reading: inout ReaderState) -> (report: Report, prints: PrintTracker)? {
        guard let kept = memory.report(of: target.serial) else { return nil }
        reading.restore(.now - kept.age, at: .now)
        let time = Date() - kept.age / .seconds(1)
        return (kept.report, PrintTracker(kept.report, kept.prints, on: target.family, at: time))
    }

    /// Follows the printer until the task is cancelled, or until only other settings can help.
    package func run(_ changed: @escaping @Sendable (Update) -> Void) async {
        self.changed = changed
        if let restored = restore(&reading) { (report, prints) = restored }
        defer { keep() }
        var actions = [ReaderState.Action.connect]
        while !Task.isCancelled {
            if actions == [.connect] { await connect() }
            tell()
            guard let pause = reading.deadline else { return }
            try? await Task.sleep(until: pause)
            actions = reading.tick(at: .now)
        }
    }

    private func connect() async {
        tell()
        while let wait = await memory.reserveConnection(to: target) {
            try? await Task.sleep(for: wait)
            if Task.isCancelled { return }
        }
        let result = await PrinterConnection.open(target, memory, as: clientID, logger: logger) { connection in
            try await self.read(connection)
        }
        switch result {
        case .success(let problem), .failure(let problem): reading.lost(problem, at: .now)
        }
    }

    private func read(_ connection: PrinterConnection) async throws -> ReportProblem {
        let requests = reading.connected(at: .now)
        if !reading.isReportKnown { report = Report() }
        prints.loseSight()
        (filamentVersion, dropped) = (nil, 0)
        try await perform(requests, connection)
        return try await withThrowingTaskGroup(of: ReportProblem.self) { group in
            group.addTask {
                while let message = try await connection.receive() { try await self.handle(message, connection) }
                return .lost
            }
            group.addTask {
                while try await self.watch(connection) {}
                return .silent
            }
            defer { group.cancelAll() }
            return try await group.next() ?? .lost
        }
    }

    /// Sleeps until the next deadline; false when the connection is to be given up.
    private func watch(_ connection: PrinterConnection) async throws -> Bool {
        guard let deadline = reading.deadline else { return false }
        try await Task.sleep(until: min(deadline, .now + Self.settling))
        let actions = reading.tick(at: .now)
        try await perform(actions, connection)
        let before = prints.state
        let events = prints.settle(at: Date())
        keep(before: events)
        if !actions.isEmpty || !events.isEmpty || prints.state != before { tell(events) }
        return !actions.contains(.disconnect)
    }

    private func handle(_ message: [UInt8], _ connection: PrinterConnection) async throws {
        var events: [PrintEvent] = []
        // The client's thread counts on meanwhile: a message that is dropped from here on is seen by the next call.
        let lost = connection.dropped
        let hasLost = lost > dropped
        if hasLost { prints.loseSight() }
        let change = report.merge(message)
        reading.heard(change, at: .now)
        if change != .none, report.isComplete {
            events = prints.follow(report, change, on: target.family, at: Date())
            if change == .full, isAwaited { keep() }
        }
        // Keep the report before the events are told: then the next run does not tell the events again.
        keep(before: events)
        if keptAt + Self.keeping < .now { keep() }
        tell(events)
        // The last message of a printer that is switched off has version 0.
        let version = report.fields[at: "ams.version"]?.whole.flatMap { $0 == 0 ? nil : $0 } ?? filamentVersion
        if hasLost || filamentVersion != nil && version != filamentVersion {
            try await perform(reading.askForReport(at: .now), connection)
        }
        (dropped, filamentVersion) = (lost, version)
    }

    private func perform(_ actions: [ReaderState.Action], _ connection: PrinterConnection) async throws {
        for case .send(let request) in actions {
            if request == .report {
                if let wait = memory.reserveReport(of: target.serial) {
                    reading.postponeReport(until: .now + wait)
                    continue
                }
                isAwaited = true
            }
            try await connection.send(request)
        }
    }

    private func keep(before events: [PrintEvent]) {
        if !events.isEmpty, keeps.allows(at: MachineClock.now) { keep() }
    }

    private func keep() {
        guard let time = reading.knownAt, report.isComplete else { return }
        (keptAt, isAwaited) = (.now, false)
        memory.keep(KeptReport(report, prints.memory, age: .now - time), of: target.serial)
    }

    private func tell(_ events: [PrintEvent] = []) {
        let state = reading.isReportKnown ? prints.state : nil
        changed(
            Update(
                phase: reading.phase,
                state: state,
                isWatched: prints.isWatched,
                times: prints.times,
                events: events
            )
        )
    }
}
