import Foundation

@testable import CameraProtocols
@testable import OpenSSL

/// A probe's machine with a clock of its own, and what it did.
struct MachineRun<Conversation: StreamConversation> {
    typealias Event = ProbeStateMachine<Conversation>.Event

    var machine: ProbeStateMachine<Conversation>
    var actions: [ProbeAction] = []
    private var now = ContinuousClock.now

    init(_ conversation: Conversation) {
        machine = ProbeStateMachine(conversation, deadlines: ProbeDeadlines())
    }

    /// Gives it the events, a second apart from each other.
    mutating func give(_ events: [Event]) {
        for event in events {
            now += .seconds(1)
            actions += machine.handle(event, at: now)
        }
    }

    mutating func give(_ events: Event...) { give(events) }

    /// Once it has ended.
    var report: ProbeReport? { if case .finish(let report) = actions.last { report } else { nil } }
    var connects: Int { actions.count { if case .connect = $0 { true } else { false } } }
    var closes: Int { actions.count { $0 == .close } }
}

extension CertificateReport {
    /// One that says the same wherever it names somebody.
    init(named name: String, fingerprint: String) {
        self.init(
            fingerprint: fingerprint,
            subject: "CN=\(name)",
            issuer: "O=\(name)",
            commonName: name,
            notBefore: .distantPast,
            notAfter: .distantFuture
        )
    }
}
