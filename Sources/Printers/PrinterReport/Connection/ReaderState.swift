/// The state of the long connection to one printer: it decides, and ``ReportReader`` acts.
package struct ReaderState: Sendable, Hashable {
    package struct Session: Sendable, Hashable {
        /// When the printer accepted it.
        package var since: ContinuousClock.Instant
        package var heard: ContinuousClock.Instant
        /// Whether the whole report is known.
        package var isCurrent = false
        /// When it is given up, because no message arrived for a minute; the printer was asked to go on.
        var end: ContinuousClock.Instant?
    }

    package enum Phase: Sendable, Hashable {
        case connecting
        case live(Session)
        case waiting(ReportProblem, until: ContinuousClock.Instant)
        /// There is no next attempt before the settings change.
        case refused(ReportProblem)
        /// Other clients need the printer's places, so this one steps back.
        case yielding(until: ContinuousClock.Instant)

        package var status: ReportStatus {
            switch self {
            case .live(let session): session.isCurrent ? .connected : .waiting
            case .connecting: .connecting
            case .waiting: .lost
            case .refused: .refused
            case .yielding: .yielding
            }
        }

        /// Why there is no connection; nil if there is one, or if that is not known yet.
        package var problem: ReportProblem? {
            switch self {
            case .waiting(let problem, _), .refused(let problem): problem
            case .connecting, .live, .yielding: nil
            }
        }
    }

    package enum Action: Sendable, Hashable {
        case connect
        case send(PrinterRequest)
        case disconnect
    }

    /// How long a printer may be silent before it is asked to go on, and before the connection is given up.
    static let silence = (first: Duration.seconds(60), last: Duration.seconds(30))
    /// The pause between two attempts, which doubles.
    static let pause = (first: Duration.seconds(5), longest: Duration.seconds(300))
    /// This many connections in a row that end within `lifetime` mean that clients compete for a place.
    static let contest = (lifetime: Duration.seconds(60), count: 3, pause: Duration.seconds(1_800))
    /// How long after the last message the report of a lost connection is kept: longer than a break of the Wi-Fi.
    var grace = Duration.seconds(120)
    package private(set) var phase = Phase.connecting
    private var failures = 0
    private var shortLives = 0
    /// When to ask for the whole report, or to ask again if no answer came; nil if there is nothing to ask.
    private var reportDue: ContinuousClock.Instant?
    /// When the last message arrived while the whole report was known.
    private(set) var knownAt: ContinuousClock.Instant?
    /// When the report of a lost connection is out of date.
    private var keptUntil: ContinuousClock.Instant?

    package init() {}

    /// Whether what the printer reported is still worth showing.
    package var isReportKnown: Bool { session?.isCurrent ?? (keptUntil != nil) }

    /// When ``tick(at:)`` is due; nil while only an event changes the state.
    package var deadline: ContinuousClock.Instant? {
        switch phase {
        case .connecting, .refused: nil
        case .live(let session):
            session.end ?? [session.heard + Self.silence.first, reportDue].compactMap(\.self).min()
        case .waiting(_, let until), .yielding(let until): min(until, keptUntil ?? until)
        }
    }

    /// Takes over the report of an earlier run; `time` is when the last message arrived.
    mutating func restore(_ time: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
        knownAt = time
        keepReport(at: now)
    }

    private mutating func keepReport(at now: ContinuousClock.Instant) {
        keptUntil = knownAt.map { $0 + grace }.flatMap { now < $0 ? $0 : nil }
    }

    /// Begins a connection; a report that is less than five minutes old is still in force, and new messages change it.
    package mutating func connected(at now: ContinuousClock.Instant) -> [Action] {
        let isCurrent = knownAt.map { now - $0 < PrinterRequest.reportInterval } ?? false
        phase = .live(Session(since: now, heard: now, isCurrent: isCurrent))
        keptUntil = nil
        return [.send(.version)] + askForReport(at: now)
    }

    package mutating func heard(_ change: Report.Change, at now: ContinuousClock.Instant) {
        guard var session else { return }
        (session.heard, session.end) = (now, nil)
        if change == .full { (session.isCurrent, reportDue) = (true, nil) }
        if session.isCurrent, [.full, .delta].contains(change) { (knownAt, failures) = (now, 0) }
        phase = .live(session)
    }

    /// What is known may be outdated; asks for the whole report as soon as that is allowed.
    package mutating func askForReport(at now: ContinuousClock.Instant) -> [Action] {
        let due = reportDue ?? now
        guard session != nil, due <= now else { return [] }
        reportDue = now + PrinterRequest.reportInterval
        return [.send(.report)]
    }

    /// The whole report may not be asked for yet, by what ``ReportMemory/reserveReport(of:)`` says.
    mutating func postponeReport(until due: ContinuousClock.Instant) { reportDue = due }

    /// The attempt failed, or the connection ended.
    ///
    /// The random `fraction`, from 0 to 1, keeps the attempts of several links apart.
    package mutating func lost(
        _ problem: ReportProblem,
        at now: ContinuousClock.Instant,
        fraction: Double = .random(in: 0...1)
    ) {
        if let session {
            shortLives = now - session.since < Self.contest.lifetime ? shortLives + 1 : 0
            if session.isCurrent { keepReport(at: now) }
        }
        if problem == .codeRefused {
            (phase, keptUntil, knownAt) = (.refused(problem), nil, nil)
        } else if shortLives >= Self.contest.count {
            shortLives = 0
            phase = .yielding(until: now + Self.contest.pause)
        } else {
            let pause = min(Self.pause.longest, Self.pause.first * (1 << min(failures, 10)))
            failures += 1
            phase = .waiting(problem, until: now + pause * (1 - fraction / 5))
        }
    }

    package mutating func tick(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, now >= deadline else { return [] }
        switch phase {
        case .connecting, .refused: return []
        case .waiting(_, let until), .yielding(let until):
            if keptUntil.map({ now >= $0 }) ?? false { keptUntil = nil }
            guard now >= until else { return [] }
            phase = .connecting
            return [.connect]
        case .live(let session) where session.end != nil: return [.disconnect]
        case .live(var session) where now >= session.heard + Self.silence.first:
            session.end = now + Self.silence.last
            phase = .live(session)
            return [.send(.start)]
        case .live: return askForReport(at: now)
        }
    }

    package var session: Session? { if case .live(let session) = phase { session } else { nil } }
}

package enum ReportStatus: String, Sendable, Hashable, CaseIterable {
    /// Not connected yet.
    case connecting
    /// Connected, but the whole report has not arrived.
    case waiting
    case connected
    case lost
    /// There is no next attempt before the settings change.
    case refused
    /// Other clients need the printer's places, so the bridge does not connect for 30 minutes.
    case yielding
    /// Address, serial number or access code are not set, or the printer has no report.
    case unconfigured
}
