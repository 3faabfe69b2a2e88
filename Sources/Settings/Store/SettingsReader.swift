/// What a transaction sees of its store; written by those who write a store.
public protocol SettingsReader {
    /// Identifies the store: a random text made with it, new after a reset.
    var epoch: String { get }

    /// The names of all scopes that begin with `prefix`, sorted.
    func scopes(prefix: String) throws -> [String]

    /// What is stored for a scope; nil if there is nothing.
    func record(_ scope: String) throws -> SettingsRecord?

    /// The last revision of a scope that was removed; 0 if it never was.
    func removedRevision(_ scope: String) throws -> Int
}
