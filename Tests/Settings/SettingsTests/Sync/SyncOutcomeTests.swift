import Testing

@testable import StoredSettings

/// The rules of synchronisation as tables: what a side has, what happened, what the policy says, and what comes of it.
@Suite struct SyncOutcomeTests {
    enum Local: String, CaseIterable { case absent, stored, unsent, unsentRemoval }
    enum Remote: String, CaseIterable { case absent, value, same }

    struct Row: Sendable, CustomTestStringConvertible {
        let local: Local
        let remote: Remote
        /// For `.defaultValue`, `.cachedValue`, `.remoteValue`, `.ignore`, in this order.
        let outcomes: [SyncOutcome]
        var testDescription: String { "here \(local), there \(remote)" }
    }

    static let actions: [SyncAction] = [.defaultValue, .cachedValue, .remoteValue, .ignore]

    /// They have never met.
    static let firstMeeting: [Row] = [
        Row(local: .absent, remote: .absent, outcomes: [.agree, .agree, .agree, .agree]),
        Row(local: .absent, remote: .value, outcomes: [.reset, .adopt, .adopt, .keep]),
        Row(local: .stored, remote: .absent, outcomes: [.reset, .send, .send, .keep]),
        Row(local: .stored, remote: .value, outcomes: [.reset, .send, .adopt, .keep]),
        Row(local: .stored, remote: .same, outcomes: [.reset, .agree, .agree, .agree]),
        Row(local: .unsent, remote: .absent, outcomes: [.send, .send, .send, .send]),
        Row(local: .unsent, remote: .value, outcomes: [.send, .send, .send, .send]),
        Row(local: .unsent, remote: .same, outcomes: [.agree, .agree, .agree, .agree]),
        Row(local: .unsentRemoval, remote: .absent, outcomes: [.agree, .agree, .agree, .agree]),
        Row(local: .unsentRemoval, remote: .value, outcomes: [.send, .send, .send, .send]),
    ]

    @Test(arguments: firstMeeting)
    func `At the first meeting, what is missing on one side comes from the other`(row: Row) {
        check(row, isInitial: true, account: nil, there: .unseen)
    }

    /// They agreed, and then the remote value became another one, whether we were connected or not.
    static let news: [Row] = [
        Row(local: .absent, remote: .value, outcomes: [.reset, .send, .adopt, .keep]),
        Row(local: .stored, remote: .absent, outcomes: [.reset, .send, .adopt, .keep]),
        Row(local: .stored, remote: .value, outcomes: [.reset, .send, .adopt, .keep]),
        Row(local: .unsent, remote: .absent, outcomes: [.send, .send, .send, .send]),
        Row(local: .unsent, remote: .value, outcomes: [.send, .send, .send, .send]),
        Row(local: .unsent, remote: .same, outcomes: [.agree, .agree, .agree, .agree]),
        Row(local: .unsentRemoval, remote: .absent, outcomes: [.agree, .agree, .agree, .agree]),
        Row(local: .unsentRemoval, remote: .value, outcomes: [.send, .send, .send, .send]),
    ]

    @Test(arguments: news, [false, true])
    func `News of somebody's change follow the policy, but for an unsent value, which is newer`(
        row: Row,
        isInitial: Bool
    ) {
        check(row, isInitial: isInitial, account: "mine", there: .value("what it was before"))
    }

    /// The remote store is another one than last time.
    static let otherAccount: [Row] = [
        Row(local: .absent, remote: .absent, outcomes: [.agree, .agree, .agree, .agree]),
        Row(local: .absent, remote: .value, outcomes: [.reset, .adopt, .adopt, .keep]),
        Row(local: .stored, remote: .absent, outcomes: [.reset, .send, .adopt, .keep]),
        Row(local: .stored, remote: .value, outcomes: [.reset, .send, .adopt, .keep]),
        Row(local: .stored, remote: .same, outcomes: [.reset, .agree, .agree, .agree]),
        Row(local: .unsent, remote: .absent, outcomes: [.reset, .send, .adopt, .keep]),
        Row(local: .unsent, remote: .value, outcomes: [.reset, .send, .adopt, .keep]),
        Row(local: .unsentRemoval, remote: .value, outcomes: [.reset, .adopt, .adopt, .keep]),
    ]

    @Test(arguments: otherAccount, [false, true])
    func `On a change of account the policy decides alone, whatever else happened`(row: Row, isInitial: Bool) {
        check(row, isInitial: isInitial, accountChange: true, account: "theirs", there: .value("theirs"))
    }

    @Test(arguments: [false, true], actions)
    func `With an unchanged remote value only unsent changes are sent`(isInitial: Bool, action: SyncAction) {
        let policy = SyncPolicy(onRemoteChange: action, onInitialSync: action, onAccountChange: action)
        for value: JSONValue? in [nil, "x", .null] {
            let mark = SyncMark(here: Sighting(value), there: Sighting(value), account: "mine")
            for local: JSONValue? in [nil, "x", .null] {
                let outcome = mark.outcome(
                    remote: value,
                    local: local,
                    account: "mine",
                    isInitial: isInitial,
                    policy: policy
                )
                #expect(outcome == (local == value ? .nothing : .send))
            }
        }
    }

    @Test func `A decision is not repeated, and only a decision to send leaves something unsent`() {
        for local: JSONValue? in [nil, "here"] {
            for remote: JSONValue? in [nil, "there", "here"] {
                for action in SyncAction.allCases {
                    let policy = SyncPolicy(onRemoteChange: action, onInitialSync: action, onAccountChange: action)
                    let mark = SyncMark(local: local)
                    func outcome(_ mark: SyncMark, _ local: JSONValue?, isInitial: Bool) -> SyncOutcome {
                        mark.outcome(remote: remote, local: local, account: "", isInitial: isInitial, policy: policy)
                    }
                    let first = outcome(mark, local, isInitial: true)
                    let after = mark.after(first, remote: remote, local: local, account: "")
                    let newLocal = first == .adopt ? remote : first == .reset ? nil : local
                    let sends = first == .send || (first == .reset && remote != nil)
                    #expect(after.isUnsent(newLocal) == sends, "\(first)")
                    for isInitial in [false, true] {
                        #expect(outcome(after, newLocal, isInitial: isInitial) == (sends ? .send : .nothing))
                    }
                }
            }
        }
    }

    @Test func `A value that was on its way is sent again when the one before comes back`() {
        var mark = SyncMark(here: .value(1), there: .value(1), account: "")
        mark.beginSending()
        #expect(mark.isUnsent(1))
        mark.acknowledge(2, account: "")
        #expect(mark.isUnsent(1))
        #expect(!mark.isUnsent(2))
    }

    @Test func `A mark is stored and found again, with secrets still sealed`() throws {
        let sightings: [Sighting] = [
            .unseen, .absent, .value(.null), .value(1), .value(.secret(Secret("s3cret"))), .value(["a": [1]]),
        ]
        for here in sightings {
            for there in sightings {
                for account in [nil, "", "me"] {
                    let mark = SyncMark(here: here, there: there, account: account)
                    let stored = mark.stored(for: "x")
                    #expect(SyncMark(of: "x", in: stored.compactMapValues(\.self)) == mark)
                    #expect(SyncMark(of: "y", in: stored.compactMapValues(\.self)) == nil)
                    for value in stored.values { #expect(value?.storageFault == nil) }
                    #expect(!"\(stored)".contains("s3cret"))
                }
            }
        }
    }

    private func check(
        _ row: Row,
        isInitial: Bool,
        accountChange: Bool = false,
        account: String?,
        there: Sighting
    ) {
        let local: JSONValue? = row.local == .stored || row.local == .unsent ? "ours" : nil
        let remote: JSONValue? =
            switch row.remote {
            case .absent: nil
            case .value: "theirs now"
            case .same: "ours"
            }
        let isUnsent = row.local == .unsent || row.local == .unsentRemoval
        let mark = SyncMark(here: isUnsent ? .value("before") : Sighting(local), there: there, account: account)
        for (action, expected) in zip(Self.actions, row.outcomes) {
            // The other events' actions are others, so that a mix-up is seen.
            let other: SyncAction = action == .ignore ? .remoteValue : .ignore
            var policy = SyncPolicy(onRemoteChange: other, onInitialSync: other, onAccountChange: other)
            let event = isInitial ? \SyncPolicy.onInitialSync : \.onRemoteChange
            policy[keyPath: accountChange ? \.onAccountChange : event] = action
            let now = accountChange ? "mine" : account ?? "mine"
            let outcome = mark.outcome(remote: remote, local: local, account: now, isInitial: isInitial, policy: policy)
            #expect(outcome == expected, "\(action)")
        }
    }
}
