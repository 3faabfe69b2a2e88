import Settings

/// Remembers the ids of requests for a while, so that one that the network brings twice is done once.
///
/// A request without an id means what it says each time.
struct RequestHistory: Sendable {
    /// How long, in seconds: longer than any redelivery, shorter than a person's next try.
    static let memory = 60.0
    private static let limit = 1_000

    private struct Key: Hashable {
        let verb: String
        let id: StoredValue
    }

    private var seen: [Key: Double] = [:]

    /// Whether a request is new, which it is not from here on; times are seconds on any monotonic clock.
    mutating func isNew(_ verb: String, id: StoredValue, at seconds: Double) -> Bool {
        guard id != .null else { return true }
        let key = Key(verb: verb, id: id)
        if let before = seen[key], seconds - before < Self.memory { return false }
        if seen.count >= Self.limit { seen = seen.filter { seconds - $0.value < Self.memory } }
        // Full of young ones, nothing is remembered rather than everything.
        if seen.count < Self.limit { seen[key] = seconds }
        return true
    }
}
