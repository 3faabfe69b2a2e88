import JSON

extension JSONValue {
    /// Stands for a value of an optional setting that would be nil when it is read.
    static let readAsNil = unstorable("a value that its type encodes as null, which would be read as nil")

    /// The value as a secret whose text is JSON; null stays null.
    var sealed: JSONValue {
        switch self {
        case .null, .secret, .unstorable: self
        default: storageFault.map(JSONValue.unstorable) ?? .secret(Secret(json()))
        }
    }

    /// Why no store could give the value back as it is; nil if a store can.
    var storageFault: String? { storageFault(depth: 0) }

    private func storageFault(depth: Int) -> String? {
        switch self {
        case .double(let value): value.isFinite ? nil : "a number that is not finite"
        case .secret: depth == 0 ? nil : "a secret inside a list or object"
        case .array(let values): fault(in: values, depth: depth)
        case .object(let members): fault(in: Array(members.values), depth: depth)
        case .unstorable(let reason): reason
        case .null, .bool, .int, .string: nil
        }
    }

    private func fault(in values: [JSONValue], depth: Int) -> String? {
        guard depth < 100 else { return "more than 100 lists and objects inside one another" }
        // Not lazily: that would look twice at each level, and so 2^depth times at the deepest.
        for value in values {
            if let fault = value.storageFault(depth: depth + 1) { return fault }
        }
        return nil
    }

    /// Whether both are the same to the last bit: unlike `==`, tells texts apart that only look the same, and -0 from 0.
    package func isIdentical(to other: JSONValue?) -> Bool {
        switch (self, other) {
        case (.double(let one), .double(let two)?): one.bitPattern == two.bitPattern
        case (.string(let one), .string(let two)?): one.utf8.elementsEqual(two.utf8)
        case (.array(let one), .array(let two)?):
            one.count == two.count && zip(one, two).allSatisfy { $0.isIdentical(to: $1) }
        case (.object(let one), .object(let two)?):
            one.count == two.count
                && one.allSatisfy { key, value in
                    guard let place = two.index(forKey: key) else { return false }
                    return two[place].key.utf8.elementsEqual(key.utf8) && value.isIdentical(to: two[place].value)
                }
        default: self == other
        }
    }
}

extension Optional where Wrapped == JSONValue {
    package func isIdentical(to other: JSONValue?) -> Bool { self?.isIdentical(to: other) ?? (other == nil) }
}
