import Dispatch
import Platform
import Synchronization

/// Runs the tasks that write what was assigned; a program that ends waits for them, at most 2 s.
enum PendingPumps {
    private static let group: DispatchGroup = {
        atexit {
            for body in paused.withLock({ Array($0.values) }) { body() }
            _ = PendingPumps.group.wait(timeout: .now() + .seconds(2))
        }
        return DispatchGroup()
    }()
    /// What follows after a pause.
    private static let paused = Mutex<[UUID: @Sendable () -> Void]>([:])

    /// Calls `body` after a pause; a program that ends earlier calls it then.
    static func start(after pause: Duration, _ body: @escaping @Sendable () -> Void) {
        let id = UUID()
        paused.withLock { $0[id] = body }
        Task {
            try? await Task.sleep(for: pause)
            paused.withLock { $0.removeValue(forKey: id) }?()
        }
    }

    static func start(_ body: @escaping @Sendable () async -> Void) {
        let group = group
        group.enter()
        Task {
            await body()
            group.leave()
        }
    }
}
