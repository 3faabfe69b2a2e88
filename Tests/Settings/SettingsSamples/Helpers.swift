import Foundation
import Observation
package import StoredSettings

extension SettingsStore {
    /// Changes values as another program would.
    @discardableResult
    package func put(_ scope: String, _ changes: [String: JSONValue?]) async throws -> SettingsRecord {
        try await transact { try $0.update(scope, changes, by: "other", at: .now) }
    }
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
