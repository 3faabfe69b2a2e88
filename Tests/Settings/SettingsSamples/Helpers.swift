import Foundation
import Observation
import OpenSSL
import SettingsSecrets
package import StoredSettings

extension SettingsStore {
    /// Changes values as another program would.
    @discardableResult
    package func put(_ scope: String, _ changes: [String: JSONValue?]) async throws -> SettingsRecord {
        try await transact { try $0.update(scope, changes, by: "other", at: .now) }
    }
}

/// A sealer whose key has this number, and is otherwise zero.
package func sealer(_ number: UInt8 = 1) throws -> any SecretSealer {
    try StoreSealer(key: SealingKey(bytes: [UInt8](repeating: 0, count: SealingKey.byteCount - 1) + [number]))
}

/// The code of the error that `body` throws; nil if it throws none.
package func errorCode(_ body: () async throws -> some Any) async -> SettingsError.Code? {
    do {
        _ = try await body()
        return nil
    } catch { return (error as? SettingsError)?.code }
}

/// Whether observers of what `read` reads have been told of a change since.
package func observe<Value>(_ read: () -> Value) -> LockedValue<Bool> {
    let isTold = LockedValue(false)
    withObservationTracking {
        _ = read()
    } onChange: {
        isTold.value = true
    }
    return isTold
}
