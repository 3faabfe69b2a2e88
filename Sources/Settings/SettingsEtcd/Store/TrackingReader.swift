import StoredSettings

/// Reads from the mirror, and records the scopes that were read: the commit compares their revisions.
///
/// It lives inside one call, on one thread.
final class TrackingReader: SettingsReader {
    /// More scopes than this are compared as one range, which any other writer's commit makes fail.
    static let scopeLimit = 100

    private let reader: DocumentReader
    private(set) var scopes: Set<String> = []
    private var hasListed = false

    init(_ reader: DocumentReader) { self.reader = reader }

    /// Whether all records have to be as they are mirrored.
    var hasReadAll: Bool { hasListed || scopes.count > Self.scopeLimit }

    var epoch: String { reader.epoch }

    func scopes(prefix: String) -> [String] {
        hasListed = true
        return reader.scopes(prefix: prefix)
    }

    func record(_ scope: String) throws -> SettingsRecord? {
        scopes.insert(scope.canonical)
        return try reader.record(scope)
    }

    func removedRevision(_ scope: String) -> Int {
        scopes.insert(scope.canonical)
        return reader.removedRevision(scope)
    }
}
