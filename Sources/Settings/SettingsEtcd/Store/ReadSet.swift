import StoredSettings

/// What transactions have read, so that the commit can compare it.
///
/// It lives inside one call, on one thread.
final class ReadSet {
    /// More scopes than this are compared as one range, which any other writer's commit makes fail.
    static let scopeLimit = 100

    private(set) var scopes: Set<String> = []
    private var hasListed = false

    /// Whether all records have to be as they are known here.
    var isWhole: Bool { hasListed || scopes.count > Self.scopeLimit }

    func note(_ scope: String) { scopes.insert(scope.canonical) }
    func noteList() { hasListed = true }
}

/// Reads from what is mirrored, and notes it.
struct TrackingReader: SettingsReader {
    let reader: DocumentReader
    let reads: ReadSet

    var epoch: String { reader.epoch }

    func scopes(prefix: String) -> [String] {
        reads.noteList()
        return reader.scopes(prefix: prefix)
    }

    func record(_ scope: String) throws -> SettingsRecord? {
        reads.note(scope)
        return try reader.record(scope)
    }

    func removedRevision(_ scope: String) -> Int {
        reads.note(scope)
        return reader.removedRevision(scope)
    }
}
