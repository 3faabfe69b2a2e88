/// The state of one key after its last exchange; stored beside the values.
///
/// A local value that differs from ``here`` is unsent; a remote value that differs from ``there`` was changed by others. So
/// a change is unsent from the transaction that stores it, and is found after a crash.
struct SyncMark: Sendable, Hashable {
    /// The local value that was last sent or received.
    var here: Sighting
    /// The remote value that was last applied.
    var there: Sighting
    /// The account of the remote value; nil before the first exchange.
    var account: String?

    var hasSeenValue: Bool { if case .value = there { true } else { false } }

    func isUnsent(_ local: JSONValue?) -> Bool { here != Sighting(local) }

    /// Makes every local value unsent until the remote store has accepted it: a write that failed may have been applied.
    mutating func beginSending() { here = .unseen }

    mutating func acknowledge(_ sent: JSONValue?, account: String) {
        here = Sighting(sent)
        there = here
        self.account = account
    }

    /// The mark of a key without a remote value to compare with in `account`.
    func waiting(for account: String, local: JSONValue?) -> SyncMark {
        if self.account == account { return self }
        // An unsent value belongs to the account before, if there was one.
        return SyncMark(here: self.account == nil ? here : Sighting(local), there: .unseen, account: account)
    }

    /// Decides about a remote value.
    ///
    /// Without news there is nothing to decide. An unsent value is the newest one and is sent, except to another account.
    /// Otherwise the policy decides; at the first meeting, a side that has no value gets that of the other. Another account
    /// than before counts as a change of account, also at the first look since a connection.
    func outcome(
        remote: JSONValue?,
        local: JSONValue?,
        account: String,
        isInitial: Bool,
        policy: SyncPolicy
    ) -> SyncOutcome {
        let isOtherAccount = self.account.map { $0 != account } ?? false
        let isFirstMeeting = isOtherAccount || there == .unseen
        let isUnsent = isUnsent(local) && !isOtherAccount
        if !isFirstMeeting, there == Sighting(remote) { return isUnsent ? .send : .nothing }
        let own = isInitial ? policy.onInitialSync : policy.onRemoteChange
        let action = isOtherAccount ? policy.onAccountChange : own
        if remote == local, isUnsent || local == nil || action != .defaultValue { return .agree }
        if isUnsent { return .send }
        switch action {
        case .defaultValue: return .reset
        case .cachedValue: return isFirstMeeting && local == nil ? .adopt : .send
        case .remoteValue: return isFirstMeeting && remote == nil && !isOtherAccount ? .send : .adopt
        case .ignore: return .keep
        }
    }

    func after(_ outcome: SyncOutcome, remote: JSONValue?, local: JSONValue?, account: String) -> SyncMark {
        var mark = self
        mark.there = Sighting(remote)
        mark.account = account
        switch outcome {
        case .nothing: return self
        case .agree, .adopt: mark.here = mark.there
        case .keep: mark.here = Sighting(local)
        case .reset: mark.here = remote == nil ? .absent : .unseen
        // Unseen: a local value that returns to the earlier one must be sent too, since the remote one has changed.
        case .send: mark.here = .unseen
        }
        return mark
    }
}

extension SyncMark {
    /// The state before the first exchange: only later assignments are unsent.
    init(local: JSONValue?) { self.init(here: Sighting(local), there: .unseen) }
}

/// The value of one key at one place when it was last seen.
enum Sighting: Sendable, Hashable {
    /// It was not seen yet, or no longer counts.
    case unseen
    case absent
    case value(JSONValue)

    init(_ value: JSONValue?) { self = value.map(Self.value) ?? .absent }
}

/// What happens to one key after its remote value was read.
enum SyncOutcome: Sendable, Hashable {
    /// No news and nothing unsent.
    case nothing
    case agree
    /// The remote value replaces the local one.
    case adopt
    case send
    /// Both lose their values.
    case reset
    /// The difference is noted and stays.
    case keep
}

/// The stored form of marks: values are stored by themselves, so that a store seals secret ones.
extension SyncMark {
    init?(of name: String, in values: [String: JSONValue]) {
        guard let mark = values["mark:" + name]?.objectValue else { return nil }
        account = mark["account"]?.stringValue
        here = Sighting(mark["here"]?.stringValue, value: values["here:" + name])
        there = Sighting(mark["there"]?.stringValue, value: values["there:" + name])
        if mark["there"]?.stringValue == "same" { there = here }
    }

    func stored(for name: String) -> [String: JSONValue?] {
        let isSame = here == there
        var mark: [String: JSONValue] = ["here": .string(here.word), "there": .string(isSame ? "same" : there.word)]
        mark["account"] = account.map(JSONValue.string)
        return [
            "mark:" + name: .object(mark),
            "here:" + name: here.value,
            "there:" + name: isSame ? nil : there.value,
        ]
    }
}

extension Sighting {
    /// A value that the store lost counts as unseen.
    fileprivate init(_ word: String?, value: JSONValue?) {
        self = value.map(Self.value) ?? (word == "absent" ? .absent : .unseen)
    }

    fileprivate var word: String {
        switch self {
        case .unseen: "unseen"
        case .absent: "absent"
        case .value: "value"
        }
    }

    fileprivate var value: JSONValue? { if case .value(let value) = self { value } else { nil } }
}
