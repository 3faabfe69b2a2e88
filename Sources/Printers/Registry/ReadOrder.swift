/// Decides which of several overlapping reads are outdated.
///
/// A read is outdated for a key if the registry has taken over a value of that key since the read began.
struct ReadOrder<Key: Hashable & Sendable>: Sendable {
    private var time = 0
    private var underWay = 0
    /// When each was settled; kept for as long as a read is under way.
    private var settled: [Key: Int] = [:]

    /// A read begins; ``end()`` ends it, whatever came of it.
    ///
    /// - Returns: When that was.
    mutating func begin() -> Int {
        underWay += 1
        return time
    }

    mutating func end() {
        underWay -= 1
        if underWay == 0 { settled = [:] }
    }

    /// The keys for which a read that began at `turn` is outdated.
    func overtaken(_ keys: Set<Key>, since turn: Int) -> Set<Key> {
        settled.isEmpty ? [] : keys.filter { settled[$0, default: 0] > turn }
    }

    /// Records that the current values of these keys were taken over.
    mutating func settle(_ keys: Set<Key>) {
        guard underWay > 0 else { return }
        time += 1
        for key in keys { settled[key] = time }
    }
}
