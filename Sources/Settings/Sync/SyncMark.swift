/// What is remembered of one key between two looks at its remote store; stored beside the values.
///
/// Whatever differs from ``here`` was changed on this side and is unsent, whatever differs from ``there`` was changed on the
/// other. So a change is unsent from the very transaction that stores it, whoever makes it, and is found after a crash.
struct SyncMark: Sendable, Hashable {
    /// The local value that the other side was last told of.
    var here: Sighting
    /// The remote value that this side last dealt with.
    var there: Sighting
    /// Whose remote value that was; nil before the first look.
    var account: String?

    /// Begins with a key that was never compared; only what is assigned from now on counts as unsent.
    init(local: SettingValue?) {
        here = Sighting(local)
        there = .unseen
    }

    /// Restores a mark.
    init(here: Sighting, there: Sighting, account: String?) {
        self.here = here
        self.there = there
        self.account = account
    }

    /// Whether the local value is to be sent.
    func isUnsent(_ local: SettingValue?) -> Bool { here != Sighting(local) }

    /// From now on whatever is stored here is unsent, until the remote store says that it took it.
    ///
    /// A write that failed may have been taken: going back to the value before must then be sent as well.
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

/// What a place held for one key when it was last looked at.
enum Sighting: Sendable, Hashable {
    /// Nobody looked yet, or it no longer matters what was seen.
    case unseen
    /// There was no value.
    case absent
    /// There was this one.
    case value(SettingValue)

    /// What was just seen.
    init(_ value: SettingValue?) { self = value.map(Self.value) ?? .absent }
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
