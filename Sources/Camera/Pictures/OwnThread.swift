import Platform

/// Runs work that blocks its thread, which must not be one of Swift's pool.
///
/// Throws what the work throws, or a `SystemFailure` if there is no thread for it.
package func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        do throws(SystemFailure) {
            try startThread { continuation.resume(with: Result(catching: work)) }
        } catch {
            continuation.resume(throwing: error)
        }
    }
}
