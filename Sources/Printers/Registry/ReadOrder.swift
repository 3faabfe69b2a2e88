/// Decides which of several overlapping reads are outdated.
///
/// A read is outdated for a scope if the registry has taken over a record of that scope since the read began.
struct ReadOrder: Sendable {
    private var time = 0
    private var underWay = 0
    /// When each was settled; kept for as long as a read is under way.
    private var settled: [String: Int] = [:]

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

    /// The scopes for which a read that began at `turn` is outdated.
    func overtaken(_ scopes: Set<String>, since turn: Int) -> Set<String> {
        settled.isEmpty ? [] : scopes.filter { settled[$0, default: 0] > turn }
    }

    /// Records that the current records of these scopes were taken over.
    mutating func settle(_ scopes: Set<String>) {
        guard underWay > 0 else { return }
        time += 1
        for scope in scopes { settled[scope] = time }
    }
}
