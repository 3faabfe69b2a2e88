import Foundation
import Settings

/// The secrets that transactions want to store, sealed for their places.
struct SealedSecrets {
    private let secrets: SecretBox
    private var sealed: [String: [String: Data]] = [:]
    /// The name of the key; nil while nothing was sealed, in the store and here.
    private(set) var keyIdentifier: String?

    /// Begins for a store that names its key; nil while nothing was sealed.
    init(_ secrets: SecretBox, known: String?) {
        self.secrets = secrets
        keyIdentifier = known
    }

    /// The one for a place.
    subscript(scope: String, key: String) -> Data? { sealed[scope]?[key] }

    /// Seals all secrets of a transaction, or adds none of them.
    mutating func add(_ writes: [String: SettingsWrite]) throws {
        var copy = self
        for (scope, write) in writes {
            guard case .put(_, let changed) = write else { continue }
            for case (let key, .secret(let secret)?) in changed {
                let new = try secrets.seal(
                    secret,
                    scope: scope.canonical,
                    key: key.canonical,
                    known: copy.keyIdentifier
                )
                copy.sealed[scope, default: [:]][key] = Data(new.bytes)
                copy.keyIdentifier = new.keyIdentifier
            }
        }
        self = copy
    }
}
