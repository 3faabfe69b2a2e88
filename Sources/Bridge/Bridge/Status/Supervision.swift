import Concurrency
import StoredSettings

/// Tells a supervisor, such as systemd, that the bridge is ready, how it does, and that it still works.
package struct Supervision: Sendable {
    /// Called once: the first topics are published, or the broker is known to be unreachable.
    ///
    /// A bridge without broker is ready, too: it accepts local changes, and goes on trying.
    package var ready: @Sendable () -> Void
    /// Called with one sentence for people when the connection to the broker changes.
    package var report: @Sendable (_ status: String) -> Void
    /// Called while the bridge works, and not if one of its parts hangs.
    package var alive: @Sendable () -> Void
    /// How often ``alive`` is due; nil for never.
    package var interval: Duration?
    package var stopping: @Sendable () -> Void

    package init(
        interval: Duration? = nil,
        ready: @escaping @Sendable () -> Void,
        report: @escaping @Sendable (_ status: String) -> Void = { _ in },
        alive: @escaping @Sendable () -> Void = {},
        stopping: @escaping @Sendable () -> Void = {}
    ) {
        (self.interval, self.ready, self.report) = (interval, ready, report)
        (self.alive, self.stopping) = (alive, stopping)
    }

    /// Works until it is cancelled; `pulse` returns after all parts of the bridge that must not hang have run.
    func run(
        starts: Wakeup,
        states: some AsyncSequence<String, Never> & Sendable,
        pulse: @escaping @Sendable () async -> Void
    ) async {
        await withTaskGroup { group in
            group.addTask { if await starts.next() { ready() } }
            group.addTask { for await state in states { report(state) } }
            if let interval {
                group.addTask {
                    while !Task.isCancelled {
                        await pulse()
                        alive()
                        try? await Task.sleep(for: interval)
                    }
                }
            }
        }
    }
}
