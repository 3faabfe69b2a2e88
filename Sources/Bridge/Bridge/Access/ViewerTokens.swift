package import Foundation
import OpenSSL
import Printers
package import StoredSettings
import Synchronization

/// What lets one program view the cameras over HTTP, and nothing else.
@ObservableSettings(prefix: "", naming: .snakeCase)
final class ViewerToken {
    /// Which program has it.
    @Setting(constraints: SettingConstraints(length: 1...64, trimsBlanks: true, check: PrintableText.fault(in:)))
    var name = ""
    /// The token itself.
    @Secret @Setting(constraints: SettingConstraints(length: 32...64)) var token = ""
}

/// The tokens of programs that view the cameras; each lasts until it is revoked.
package final class ViewerTokens: Sendable {
    package struct Entry: Sendable, Hashable {
        package let id: String
        package let name: String
        package let createdAt: Date
        /// When it was used last in this run.
        package var usedAt: Date?
        fileprivate let token: Secret<String>
    }

    private static let scopePrefix = "viewer/"

    private let store: any SettingsStore
    private let followed: FollowedScopes
    private let entries = Mutex<[String: Entry]>([:])

    package init(_ store: any SettingsStore) throws {
        self.store = store
        followed = try store.follow(Self.scopePrefix)
    }

    package var all: [Entry] { current { $0.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } } }

    /// Makes a token, which is shown only now; throws ``StoredSettings/ValidationErrors`` if the name is not valid.
    package func make(name: String, by author: String = "page") async throws -> String {
        guard !name.isEmpty else { throw ValidationErrors("name", .tooShort, "must not be empty") }
        let token = try SecureRandom.hex(16)
        let values = try ViewerToken.schema.validate(patch: ["name": .string(name), "token": .secret(Secret(token))])
            .get()
        let scope = Self.scopePrefix + (try SecureRandom.hex(4))
        _ = try await store.transact { try $0.update(scope, values, by: author, at: Date()) }
        return token
    }

    /// Makes a token useless; false if there is none of this id.
    package func revoke(_ id: String) async throws -> Bool {
        guard isValid(id) else { return false }
        try await store.transact { try $0.remove(Self.scopePrefix + id) }
        return true
    }

    /// Notes that a token was used, and returns its id; nil if the token is unknown.
    package func use(_ token: String) -> String? { use { $0 == Secret(token) } }

    /// The same for a login that was made with a token, without sending the token.
    package func use(_ isToken: (Secret<String>) -> Bool) -> String? {
        current { entries in
            // Compare all tokens, each in constant time, so that the duration reveals nothing.
            let found = entries.values.filter { isToken($0.token) }.first?.id
            if let found { entries[found]?.usedAt = Date() }
            return found
        }
    }

    package func isValid(_ id: String) -> Bool { current { $0[id] != nil } }

    private func current<Result: Sendable>(_ body: (inout [String: Entry]) -> Result) -> Result {
        entries.withLock { entries in
            for (scope, change) in followed.take() {
                let id = String(scope.dropFirst(Self.scopePrefix.count))
                entries[id] = change.record.flatMap { record in
                    guard case .secret(let token)? = record.values[ViewerToken.keys.token.name] else { return nil }
                    let name = record.values[ViewerToken.keys.name.name]?.stringValue ?? ""
                    let usedAt = entries[id]?.usedAt
                    return Entry(id: id, name: name, createdAt: record.updatedAt, usedAt: usedAt, token: token)
                }
            }
            return body(&entries)
        }
    }
}
