/// What a store's file holds, as a value.
package struct StoreDocument: Equatable, Sendable {
    /// What is stored for one scope; its secrets are sealed.
    package struct Scope: Equatable, Sendable {
        package var revision = 0
        /// In milliseconds since 1970.
        package var updatedAt = 0
        package var updatedBy = ""
        var applied: [String] = []
        package var values: [String: StoredValue] = [:]
        var sealed: [String: [UInt8]] = [:]
        /// Members that a later version or somebody else wrote.
        var unknown: [String: StoredValue] = [:]
    }

    /// The version of the form of the file that this program writes.
    static let format = 1

    /// Identifies the store.
    package var epoch: String
    /// The number of the last commit.
    package var change = 0
    /// The name of the key that sealed the secrets; nil while nothing was sealed.
    package var key: String?
    package var scopes: [String: Scope] = [:]
    /// The last revisions of scopes that were removed.
    package var removed: [String: Int] = [:]
    /// Members that a later version or somebody else wrote.
    package var unknown: [String: StoredValue] = [:]

    /// A store that holds nothing.
    package init(epoch: String) { self.epoch = epoch }

    /// How the name of a scope is spelt here, where it may have another form of Unicode: secrets are sealed for that spelling.
    func spelling(of scope: String) -> String { scopes.index(forKey: scope).map { scopes[$0].key } ?? scope }

    /// The scopes that are not the same in both; also one that was made and removed in between.
    package func differences(from other: StoreDocument) -> Set<String> {
        let names = Set(scopes.keys).union(other.scopes.keys).union(removed.keys)
        return names.filter { scopes[$0] != other.scopes[$0] || removed[$0] != other.removed[$0] }
    }
}
