import Dispatch
import Platform

/// Runs the tasks that write what was assigned; a program that ends waits for them, at most 2 s.
enum PendingPumps {
    private static let group: DispatchGroup = {
        atexit { _ = PendingPumps.group.wait(timeout: .now() + .seconds(2)) }
        return DispatchGroup()
    }()

    static func start(_ body: @escaping @Sendable () async -> Void) {
        let group = group
        group.enter()
        Task {
            await body()
            group.leave()
        }
    }
}
