/// How marks are stored: values of their own, so that a store seals the secret ones as it seals all secrets.
extension SyncMark {
    /// The mark of a key in a record; nil if it was never registered.
    init?(of name: String, in values: [String: StoredValue]) {
        guard let mark = values["mark:" + name]?.objectValue else { return nil }
        account = mark["account"]?.stringValue
        here = Sighting(mark["here"]?.stringValue, value: values["here:" + name])
        there = Sighting(mark["there"]?.stringValue, value: values["there:" + name])
        if mark["there"]?.stringValue == "same" { there = here }
    }

    /// What is to be stored for the mark of a key.
    func stored(for name: String) -> [String: StoredValue?] {
        let isSame = here == there
        var mark: [String: StoredValue] = ["here": .string(here.word), "there": .string(isSame ? "same" : there.word)]
        mark["account"] = account.map(StoredValue.string)
        return [
            "mark:" + name: .object(mark),
            "here:" + name: here.value,
            "there:" + name: isSame ? nil : there.value,
        ]
    }
}

extension Sighting {
    /// A value that is said to be there and is not was lost by the store: it is to be looked up again.
    fileprivate init(_ word: String?, value: StoredValue?) {
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

    fileprivate var value: StoredValue? {
        if case .value(let value) = self { value } else { nil }
    }
}
