extension StoredValue {
    /// Whether both are the same to the last bit: unlike `==`, tells texts apart that only look the same, and -0 from 0.
    func isIdentical(to other: StoredValue?) -> Bool {
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

extension Optional where Wrapped == StoredValue {
    /// Whether both are the same to the last bit, or nothing.
    func isIdentical(to other: StoredValue?) -> Bool { self?.isIdentical(to: other) ?? (other == nil) }
}
