import Dispatch
import Platform

/// Runs the tasks that write what was assigned, and lets a program that ends wait for them.
///
/// A kill is not waited for: what must be durable is committed.
enum PendingPumps {
    /// How long the end of the program waits.
    private static let timeout = DispatchTimeInterval.seconds(2)

    /// The tasks that run; the first use registers the wait.
    private static let group: DispatchGroup = {
        atexit { _ = PendingPumps.group.wait(timeout: .now() + PendingPumps.timeout) }
        return DispatchGroup()
    }()

    /// Runs a task that the end of the program waits for.
    static func start(_ body: @escaping @Sendable () async -> Void) {
        let group = group
        group.enter()
        Task {
            await body()
            group.leave()
        }
    }
}
