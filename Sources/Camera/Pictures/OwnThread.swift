import Foundation

/// Runs work that blocks its thread, which must not be one of Swift's pool.
package func onOwnThread<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
    }
    .get()
}
