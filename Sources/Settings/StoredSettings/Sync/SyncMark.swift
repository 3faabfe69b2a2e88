/// What is remembered of one key between two looks at its remote store; stored beside the values.
///
/// A local value that differs from ``here`` was changed on this side and is unsent; a remote value that differs from
/// ``there`` was changed on the other. So a change is unsent from the transaction that stores it, and is found after a crash.
struct SyncMark: Sendable, Hashable {
    /// The local value that the other side was last told of.
    var here: Sighting
    /// The remote value that this side last dealt with.
    var there: Sighting
    /// Whose remote value that was; nil before the first look.
    var account: String?

    func isUnsent(_ local: SettingValue?) -> Bool { here != Sighting(local) }

    /// From now on every local value is unsent, until the remote store has taken it.
    ///
    /// A write that failed may have been taken: going back to the value before has to be sent as well.
    mutating func beginSending() { here = .unseen }

    /// The remote store of `account` took a value.
    mutating func acknowledge(_ sent: SettingValue?, account: String) {
        here = Sighting(sent)
        there = here
        self.account = account
    }

    /// The mark of a key for which `account` has nothing to compare with yet.
    func waiting(for account: String, local: SettingValue?) -> SyncMark {
        if self.account == account { return self }
        // What was unsent was meant for the account before, if there was one.
        return SyncMark(here: self.account == nil ? here : Sighting(local), there: .unseen, account: account)
    }
}

extension SyncMark {
    /// The state of a key that was never compared: only later assignments count as unsent.
    init(local: SettingValue?) { self.init(here: Sighting(local), there: .unseen) }
}

/// What a place held for one key when it was last looked at.
enum Sighting: Sendable, Hashable {
    /// It was not looked at yet, or what was seen no longer counts.
    case unseen
    case absent
    case value(SettingValue)

    init(_ value: SettingValue?) { self = value.map(Self.value) ?? .absent }
}

/// What is done about one key when its remote value was read.
enum SyncOutcome: Sendable, Hashable {
    /// Nothing new there, and nothing unsent here.
    case nothing
    /// Both have the same value, which is noted.
    case agree
    /// The local value becomes the remote one.
    case take
    /// The local value is sent.
    case send
    /// Both lose their values.
    case reset
    /// The difference is noted and stays.
    case keep
}

extension SyncMark {
    /// Decides about a remote value.
    ///
    /// Without news there is nothing to decide. An unsent value is the newest one and is sent, except to another account.
    /// Otherwise the policy decides; at the first meeting, a side that has no value takes that of the other.
    ///
    /// Another account than before counts as a change of account, whatever the event.
    func outcome(
        remote: SettingValue?,
        local: SettingValue?,
        account: String,
        event: SyncEvent,
        policy: SyncPolicy
    ) -> SyncOutcome {
        let isOtherAccount = self.account.map { $0 != account } ?? false
        let isFirstMeeting = isOtherAccount || there == .unseen
        let isUnsent = isUnsent(local) && !isOtherAccount
        if !isFirstMeeting, there == Sighting(remote) { return isUnsent ? .send : .nothing }
        let action = policy.action(for: isOtherAccount ? .accountChange : event)
        if remote == local, isUnsent || local == nil || action != .defaultValue { return .agree }
        if isUnsent { return .send }
        switch action {
        case .defaultValue: return .reset
        case .cachedValue: return isFirstMeeting && local == nil ? .take : .send
        case .remoteValue: return isFirstMeeting && remote == nil && !isOtherAccount ? .send : .take
        case .ignore: return .keep
        }
    }

    func after(_ outcome: SyncOutcome, remote: SettingValue?, local: SettingValue?, account: String) -> SyncMark {
        var mark = self
        if outcome == .nothing { return mark }
        mark.there = Sighting(remote)
        switch outcome {
        case .nothing: break
        case .agree, .take: mark.here = mark.there
        case .keep: mark.here = Sighting(local)
        case .reset: mark.here = remote == nil ? .absent : .unseen
        // Also when the local value goes back to what it was: the remote one has moved on.
        case .send: mark.here = .unseen
        }
        mark.account = account
        return mark
    }
}

/// How marks are stored: values of their own, so that a store seals the secret ones as it seals all secrets.
extension SyncMark {
    /// The mark of a key in a record; nil if it was never registered.
    init?(of name: String, in values: [String: SettingValue]) {
        guard let mark = values["mark:" + name]?.objectValue else { return nil }
        account = mark["account"]?.stringValue
        here = Sighting(mark["here"]?.stringValue, value: values["here:" + name])
        there = Sighting(mark["there"]?.stringValue, value: values["there:" + name])
        if mark["there"]?.stringValue == "same" { there = here }
    }

    /// What is to be stored for the mark of a key.
    func stored(for name: String) -> [String: SettingValue?] {
        let isSame = here == there
        var mark: [String: SettingValue] = ["here": .string(here.word), "there": .string(isSame ? "same" : there.word)]
        mark["account"] = account.map(SettingValue.string)
        return [
            "mark:" + name: .object(mark),
            "here:" + name: here.value,
            "there:" + name: isSame ? nil : there.value,
        ]
    }
}

extension Sighting {
    /// A value that is said to be there and is not was lost by the store: it is to be looked up again.
    fileprivate init(_ word: String?, value: SettingValue?) {
        switch word {
        case "absent": self = .absent
        case "value": self = value.map(Self.value) ?? .unseen
        default: self = .unseen
        }
    }

    fileprivate var word: String {
        switch self {
        case .unseen: "unseen"
        case .absent: "absent"
        case .value: "value"
        }
    }

    fileprivate var value: SettingValue? {
        if case .value(let value) = self { value } else { nil }
    }
}
