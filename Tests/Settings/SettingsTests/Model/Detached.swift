import Dispatch
import Foundation

/// Runs something on a thread that knows nothing of the task, and waits for it.
enum Detached {
    static func run(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            done.signal()
        }
        done.wait()
    }
}
