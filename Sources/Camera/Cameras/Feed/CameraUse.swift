import Printers

/// The holder of the one connection to a printer's camera, and the next holder: a value.
///
/// A probe connects, or a feed for the viewers, never both. While there are viewers, the feed answers probes: by its next
/// picture, or by its failure. Times are seconds on any monotonic clock.
struct CameraUse: Sendable, Hashable {
    /// How long a feed goes on after its last viewer: a page that is loaded again finds it.
    static let linger = 5.0
    /// The pause after a feed that had sent pictures and failed, and after any other feed.
    static let pauses = (afterPictures: 1.0, otherwise: 15.0)
    /// A probe or picture that ends sooner is not shown: each would cost two messages.
    static let shownAfter = 1.0

    enum Event: Sendable, Hashable {
        /// A viewer came or left; how many there are now.
        case viewers(Int)
        case probeDue(takesPicture: Bool)
        /// The probe that was started has closed its connection.
        case probeEnded
        case probeGivenUp
        case frame
        /// The feed failed, and its connection is closed; with what viewers are told.
        case feedFailed(String)
        /// The gate refused the feed's connection; without a message, viewers simply wait.
        case feedRefused(seconds: Double, String? = nil)
        /// The feed was ended, or its camera gives one picture at a time; its connection is closed.
        case feedEnded
        case settingsChanged
        /// The printer was removed or given away, or the bridge ends.
        case stopped
        /// ``CameraUse/nextTime`` is here.
        case time
    }

    enum Action: Sendable, Hashable {
        case startProbe
        /// Gives the waiting probe the feed's latest picture, or its failure.
        case answerProbe
        case cancelProbe
        case startFeed
        case endFeed
        /// The feed has a result, and no probe waits for it: a probe is due.
        case askForProbe
    }

    private enum Phase: Sendable, Hashable {
        case idle
        case probing(takesPicture: Bool)
        case feeding(hasPictures: Bool)
        case endingFeed
        case pausing(until: Double, problem: String?)
    }

    private(set) var viewers = 0
    private var phase = Phase.idle
    private var since = 0.0
    private var left = -Double.infinity
    /// The probe that waits for the feed, by whether it takes a picture.
    private var waitingProbe: Bool?
    /// Whether the feed failed, and no probe was told.
    private var hasFailureToTell = false
    private(set) var isStopped = false

    /// Whether nothing runs, and nobody waits.
    var isOver: Bool { phase == .idle && viewers == 0 && waitingProbe == nil && !hasFailureToTell }

    /// When ``Event/time`` is due; nil if never.
    func nextTime(after now: Double) -> Double? {
        switch phase {
        case .probing: now < since + Self.shownAfter ? since + Self.shownAfter : nil
        case .feeding(hasPictures: true) where viewers == 0: left + Self.linger
        case .pausing(let until, _): until
        default: nil
        }
    }

    /// Until when the gate or a failure keeps viewers waiting, and what they are told; nil if they are told nothing.
    var interruption: (problem: String, until: Double)? {
        if case .pausing(let until, let problem?) = phase { (problem, until) } else { nil }
    }

    /// The holder of the connection, and when it got the connection.
    func holder(at now: Double) -> (holder: CameraStatus.Holder, since: Double)? {
        switch phase {
        case .idle, .pausing: nil
        case .probing where now < since + Self.shownAfter: nil
        case .probing(let takesPicture): (takesPicture ? .picture : .probe, since)
        case .feeding, .endingFeed: (.viewers, since)
        }
    }

    mutating func handle(_ event: Event, at now: Double) -> [Action] {
        switch (event, phase) {
        case (.viewers(let count), _):
            if count == 0, viewers > 0 { left = now }
            viewers = isStopped ? 0 : count
            return nextIfFree(now)
        case (.probeDue, _) where hasFailureToTell:
            hasFailureToTell = false
            return [.answerProbe]
        case (.probeDue(let takesPicture), _):
            waitingProbe = takesPicture
            return nextIfFree(now)
        case (.probeGivenUp, _):
            waitingProbe = nil
            return []
        case (.probeEnded, .probing), (.feedEnded, .endingFeed), (.feedFailed, .endingFeed),
            (.feedRefused, .endingFeed):
            return next(now)
        case (.frame, .feeding(let hadPictures)):
            phase = .feeding(hasPictures: true)
            let isAwaited = takeWaitingProbe()
            return isAwaited ? [.answerProbe] : hadPictures ? [] : [.askForProbe]
        case (.feedFailed(let problem), .feeding(let hadPictures)):
            let isAwaited = takeWaitingProbe()
            hasFailureToTell = !isAwaited
            return [isAwaited ? .answerProbe : .askForProbe]
                + pause(hadPictures ? Self.pauses.afterPictures : Self.pauses.otherwise, problem, now)
        case (.feedRefused(let seconds, let problem), .feeding): return pause(seconds, problem, now)
        case (.feedEnded, .feeding): return pause(Self.pauses.otherwise, nil, now)
        case (.settingsChanged, _):
            hasFailureToTell = false
            return interrupt(now)
        case (.stopped, _):
            (isStopped, hasFailureToTell, viewers) = (true, false, 0)
            return (takeWaitingProbe() ? [.cancelProbe] : []) + interrupt(now)
        // A feed without a picture yet goes on: an impatient program that left finds it when it asks again.
        case (.time, .feeding(hasPictures: true)) where viewers == 0 && now >= left + Self.linger: return endFeed()
        case (.time, .pausing(let until, _)) where now >= until: return next(now)
        default: return []
        }
    }

    /// Removes the waiting probe; returns whether there was one.
    private mutating func takeWaitingProbe() -> Bool {
        defer { waitingProbe = nil }
        return waitingProbe != nil
    }

    private mutating func interrupt(_ now: Double) -> [Action] {
        switch phase {
        case .feeding: endFeed()
        case .pausing: next(now)
        case .idle, .probing, .endingFeed: []
        }
    }

    private mutating func pause(_ seconds: Double, _ problem: String?, _ now: Double) -> [Action] {
        enter(.pausing(until: now + seconds, problem: problem), now)
        return nextIfFree(now)
    }

    private mutating func endFeed() -> [Action] {
        phase = .endingFeed
        return [.endFeed]
    }

    /// Starts the next feed or probe, if the connection is free.
    ///
    /// A pause ends early only if a probe waits and no viewer does: a program that retries every second must not use up the
    /// connections of a minute.
    private mutating func nextIfFree(_ now: Double) -> [Action] {
        var isFreeForProbe = false
        if case .pausing = phase { isFreeForProbe = viewers == 0 && waitingProbe != nil }
        return phase == .idle || isFreeForProbe ? next(now) : []
    }

    /// Gives the connection to the viewers, else to the probe that waits.
    private mutating func next(_ now: Double) -> [Action] {
        if viewers > 0 {
            hasFailureToTell = false
            enter(.feeding(hasPictures: false), now)
            return [.startFeed]
        }
        guard let takesPicture = waitingProbe else {
            enter(.idle, now)
            return []
        }
        waitingProbe = nil
        enter(.probing(takesPicture: takesPicture), now)
        return [.startProbe]
    }

    private mutating func enter(_ phase: Phase, _ now: Double) { (self.phase, since) = (phase, now) }
}
