import TestSupport
import Testing

@testable import MQTT

@Suite("The state of a connection")
struct ConnectionStateTests {
    private static let now = ContinuousClock.now
    private static let session = MQTTSession(
        isResumed: false,
        maximumPacketSize: nil,
        receiveMaximum: 10,
        isRetainAvailable: true,
        maximumQoS: .exactlyOnce,
        keepAlive: .seconds(60),
        hasSubscriptionIdentifiers: true
    )
    private static let lost = MQTTDisconnectReason(.connectionLost, "lost")

    /// What happens to a connection; a tick, and the look at readers that handle messages, come after so many seconds.
    enum Step: Sendable {
        case start, resolve([String]), reach, accept, lose, stop(ConnectionState.Stop), drain, hold(Double), tick(Int)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [Step]
        /// The actions of the last step, and the phase after it.
        let outcome: String
        let version: MQTTProtocolVersion
        let reconnects: Bool

        init(
            _ description: String,
            _ steps: [Step],
            _ outcome: String,
            version: MQTTProtocolVersion = .v5,
            reconnects: Bool = true
        ) {
            (testDescription, self.steps, self.outcome) = (description, steps, outcome)
            (self.version, self.reconnects) = (version, reconnects)
        }
    }

    private static let one: [Step] = [.start, .resolve(["a"])]
    private static let two: [Step] = [.start, .resolve(["a", "b"])]
    private static let open = one + [.reach, .accept]
    private static let draining = open + [.stop(.graceful)]

    private static let rows = [
        Row("a run begins with a look-up", [.start], "lookUp; connecting"),
        Row("the first address is dialled", two, "dial a; connecting"),
        Row("an address that fails is followed by the next one at once", two + [.lose], "close; dial b; connecting"),
        Row("each address gets its share of the time", two + [.tick(5)], "close; dial b; connecting"),
        Row("the last address that fails ends the attempt", one + [.lose], "close; failed lost, retry; disconnected"),
        Row("a look-up without an end fails", [.start, .tick(10)], "close; failed timeout, retry; disconnected"),
        Row("after the pause comes the next attempt", [.start, .lose, .tick(30)], "lookUp; connecting"),
        Row("who is reached owes CONNACK", one + [.reach, .tick(10)], "close; failed timeout, retry; disconnected"),
        Row("once reached, no other is tried", two + [.reach, .lose], "close; failed lost, retry; disconnected"),
        Row("CONNACK opens the connection", open, "connected; open"),
        Row("an open connection has no deadline of its own", open + [.tick(3_600)], "open"),
        Row("a lost connection is made again", open + [.lose], "close; ended lost, retry; disconnected"),
        Row("a graceful stop waits for acknowledgements", draining, "draining"),
        Row("when all are there, DISCONNECT is sent", draining + [.drain], "DISCONNECT 0; leaving"),
        Row("if they don't come, the will says what has not arrived", draining + [.tick(1)], "DISCONNECT 4; leaving"),
        Row("the time for answers begins after the readers", draining + [.hold(0.9), .hold(4), .tick(0)], "draining"),
        Row("readers are not waited for without end", draining + [.hold(0.9), .hold(5)], "DISCONNECT 4; leaving"),
        Row("who keeps it open is left", draining + [.drain, .tick(1)], "close; ended requested; finish; ended"),
        Row("a loss while draining is the end", draining + [.lose], "close; ended requested; finish; ended"),
        Row("an immediate stop asks for the will", open + [.stop(.immediate)], "DISCONNECT 4; leaving"),
        Row(
            "before MQTT 5 only silence publishes the will",
            open + [.stop(.immediate)],
            "close; ended requested; finish; ended",
            version: .v311
        ),
        Row("an immediate stop overtakes a graceful one", draining + [.stop(.immediate)], "DISCONNECT 4; leaving"),
        Row("a stop ends an attempt", one + [.stop(.graceful)], "close; failed requested; finish; ended"),
        Row("a stop ends a pause without an event", [.start, .lose, .stop(.graceful)], "close; finish; ended"),
        Row("after the end nothing happens", [.start, .stop(.graceful), .lose], "ended"),
        Row(
            "a late look-up of an earlier attempt serves this one",
            [.start, .tick(10), .tick(30), .resolve(["a"])],
            "dial a; connecting"
        ),
        Row("a look-up after the attempt changes nothing", [.start, .lose, .resolve(["a"])], "disconnected"),
        Row(
            "without another attempt, a refusal ends the run",
            one + [.reach, .lose],
            "close; failed lost; finish; ended",
            reconnects: false
        ),
        Row(
            "without another attempt, a loss ends the run",
            open + [.lose],
            "close; ended lost; finish; ended",
            reconnects: false
        ),
    ]

    @Test(arguments: rows)
    func `A connection's state says what to do`(row: Row) {
        var configuration = MQTTConfiguration(endpoint: .tcp(host: "h", port: 1), clientID: "one")
        configuration.protocolVersion = row.version
        configuration.reconnects = row.reconnects
        var state = ConnectionState(configuration)
        var now = Self.now
        var actions: [ConnectionState.Action] = []
        for step in row.steps {
            switch step {
            case .start: actions = state.start(at: now)
            case .resolve(let addresses): actions = state.resolved(addresses, at: now)
            case .reach:
                state.reached(at: now)
                actions = []
            case .accept: actions = state.accepted(Self.session, at: now)
            case .lose: actions = state.lost(Self.lost, at: now, fraction: 0.5)
            case .stop(let stop): actions = state.stop(stop, at: now)
            case .drain: actions = state.drained(at: now)
            case .hold(let seconds):
                now += .seconds(seconds)
                state.waitForReaders(at: now)
                actions = state.tick(at: now)
            case .tick(let seconds):
                now += .seconds(seconds)
                actions = state.tick(at: now)
            }
        }
        let phase = String("\(state.phase)".prefix(while: \.isLetter))
        #expect((actions.map(Self.text) + [phase]).joined(separator: "; ") == row.outcome)
        #expect((state.deadline == nil) == ["open", "ended"].contains(phase))
    }

    private static func text(_ action: ConnectionState.Action) -> String {
        func text(_ name: String, _ reason: MQTTDisconnectReason, _ retry: Duration?) -> String {
            "\(name) \(reason.code == .connectionLost ? "lost" : reason.code.rawValue)\(retry == nil ? "" : ", retry")"
        }
        return switch action {
        case .dial(let address): "dial \(address)"
        case .disconnect(let reason): "DISCONNECT \(reason.rawValue)"
        case .report(.connected): "connected"
        case .report(.disconnected(let reason, let retry)): text("ended", reason, retry)
        case .report(.connectFailed(let reason, let retry)): text("failed", reason, retry)
        case .lookUp, .close, .finish: "\(action)"
        }
    }
}

@Suite("The pause before the next attempt")
struct PauseBeforeTests {
    private let start = ContinuousClock.now

    private func ceiling(_ backoff: Backoff, at now: ContinuousClock.Instant) -> Duration {
        backoff.pause(at: now, fraction: 1)
    }

    @Test func `The pause doubles with each failure up to the limit, and is at random at least 0.2 s`() {
        var backoff = Backoff(urgentPeriod: .zero, limit: .seconds(12))
        var ceilings: [Duration] = []
        for _ in 0..<6 {
            backoff.failed()
            ceilings.append(ceiling(backoff, at: start))
        }
        #expect(ceilings.map { $0 / .seconds(1) } == [1.2, 2.4, 4.8, 9.6, 12, 12])
        #expect(backoff.pause(at: start, fraction: 0) == .milliseconds(200))
    }

    @Test func `The pause stays below a second while the will is delayed, however many attempts fail`() {
        var backoff = Backoff(urgentPeriod: .seconds(5), limit: .seconds(12))
        backoff.accepted()
        backoff.lost(after: .seconds(60), isTakeover: false, at: start)
        for second in 0..<5 {
            let now = start + .seconds(second)
            #expect(ceiling(backoff, at: now) <= .milliseconds(600))
            #expect(backoff.reachTimeout(at: now, .seconds(10)) == .seconds(1))
            backoff.failed()
        }
        #expect(ceiling(backoff, at: start + .seconds(6)) > .seconds(10))
        #expect(backoff.reachTimeout(at: start + .seconds(6), .seconds(10)) == .seconds(10))
    }

    @Test func `The pause is short again once the broker has accepted the client`() {
        var backoff = Backoff(urgentPeriod: .zero, limit: .seconds(12))
        for _ in 0..<10 { backoff.failed() }
        backoff.accepted()
        backoff.lost(after: .seconds(3), isTakeover: false, at: start)
        #expect(ceiling(backoff, at: start) <= .milliseconds(600))
    }

    @Test func `The pause grows where connections end at once again and again`() {
        var backoff = Backoff(urgentPeriod: .seconds(5), limit: .seconds(12))
        for _ in 0..<5 {
            backoff.accepted()
            backoff.lost(after: .milliseconds(100), isTakeover: false, at: start)
        }
        #expect(ceiling(backoff, at: start) == .seconds(12))
    }

    @Test func `The pause is half a minute at least once the broker has named another client`() {
        var backoff = Backoff(urgentPeriod: .seconds(5), limit: .seconds(12))
        backoff.accepted()
        backoff.lost(after: .seconds(60), isTakeover: true, at: start)
        #expect(backoff.pause(at: start, fraction: 0) == .seconds(30))
        #expect(ceiling(backoff, at: start) == .seconds(60))
    }
}

@Suite("The deadlines of an open connection")
struct DeadlinesAnTests {
    private let start = ContinuousClock.now
    private func deadlines(keepAlive: Duration = .seconds(60)) -> ConnectionDeadlines {
        ConnectionDeadlines(
            MQTTConfiguration(endpoint: .unixSocket(path: "/s"), clientID: ""),
            keepAlive: keepAlive,
            at: start
        )
    }

    @Test(
        arguments: [
            (29, nil, nil), (30, nil, .acknowledgeTimeout), (29, 0, nil), (30, 0, .readerTimeout), (31, 5, nil),
        ] as [(Int, Int?, MQTTDisconnectReason.Code?)]
    )
    func `An open connection ends if the broker never acknowledges or the reader never returns`(
        seconds: Int,
        heldFor: Int?,
        expected: MQTTDisconnectReason.Code?
    ) {
        let now = start + .seconds(seconds)
        let held = heldFor.map { start + .seconds($0) }
        let verdict = deadlines().verdict(at: now, oldestPublish: start, heldSince: held)
        #expect(verdict?.code == expected)
    }

    @Test func `An open connection gives a reader no more time than keep-alive`() {
        #expect(deadlines(keepAlive: .seconds(5)).readerTimeout == .seconds(5))
        #expect(deadlines(keepAlive: .zero).readerTimeout == .seconds(30))
    }

    @Test func `An open connection checks four times per keep-alive, and never without a keep-alive`() {
        var deadlines = deadlines()
        #expect(deadlines.isKeepAliveDue(at: start + .seconds(14)) == false)
        #expect(deadlines.isKeepAliveDue(at: start + .seconds(15)) == true)
        #expect(deadlines.isKeepAliveDue(at: start + .seconds(16)) == false)
        let none = self.deadlines(keepAlive: .zero)
        #expect(none.deadline(oldestPublish: nil, heldSince: nil) == nil)
    }
}
