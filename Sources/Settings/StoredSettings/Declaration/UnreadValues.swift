/// The new values of one write to the store, by stored name; nil removes the stored value.
typealias Batch = [String: JSONValue?]

/// Stored values that their settings could not read, such as those that a later version of the program wrote, and those
/// that could not be read before something was assigned.
///
/// An assignment, or a value from a remote store, keeps such a value under a name beside that of its setting:
/// `items.unread`, then `items.unread.2`. A reset removes it.
struct UnreadValues: Sendable {
    let values: [String: JSONValue]
    let schema: SettingsSchema

    /// The batch, with additional values to write so that no stored value is lost.
    func adding(to batch: Batch, over read: () throws -> [String: JSONValue]) rethrows -> Batch {
        guard !values.isEmpty || batch.values.contains(where: { $0 == nil }) else { return batch }
        let stored = try read()
        var whole = batch
        for (name, value) in batch {
            if value == nil {
                for kept in stored.keys where isKept(kept, of: name) { whole.updateValue(nil, forKey: kept) }
            } else if let unread = values[name], unread.storageFault == nil, !unread.isIdentical(to: value) {
                whole[freeName(for: unread, of: name, in: stored)] = unread
            }
        }
        return whole
    }

    /// The first name that is free, or has the same value already.
    private func freeName(for unread: JSONValue, of name: String, in stored: [String: JSONValue]) -> String {
        var (candidate, number) = (name + Self.suffix, 1)
        while schema.place(of: candidate) != nil || !(stored[candidate] ?? unread).isIdentical(to: unread) {
            number += 1
            candidate = "\(name)\(Self.suffix).\(number)"
        }
        return candidate
    }

    private func isKept(_ candidate: String, of name: String) -> Bool {
        guard candidate.hasPrefix(name + Self.suffix), schema.place(of: candidate) == nil else { return false }
        let rest = candidate.dropFirst(name.count + Self.suffix.count)
        return rest.isEmpty || rest.first == "." && rest.dropFirst().allSatisfy(\.isWholeNumber)
    }

    private static let suffix = ".unread"
}
