import NIOCore

/// A deadline on an event loop that is moved more often than it comes: to move it on costs no new task.
final class MovableDeadline {
    private let loop: NIOIsolatedEventLoop
    private let passed: () -> Void
    private var due: NIODeadline?
    private var alarm: (at: NIODeadline, task: Scheduled<Void>)?

    /// - Parameters:
    ///   - loop: Where it is used, and where it comes.
    ///   - passed: Called each time it has come; it is off then.
    init(on loop: any EventLoop, passed: @escaping () -> Void) {
        self.loop = loop.assumeIsolated()
        self.passed = passed
    }

    func set(in time: TimeAmount) {
        let due = NIODeadline.now() + time
        self.due = due
        if let alarm, alarm.at <= due { return }
        schedule(at: due)
    }

    func clear() {
        alarm?.task.cancel()
        (due, alarm) = (nil, nil)
    }

    private func schedule(at time: NIODeadline) {
        alarm?.task.cancel()
        alarm = (time, loop.scheduleTask(deadline: time) { self.ring() })
    }

    private func ring() {
        alarm = nil
        guard let due else { return }
        if due > .now() { return schedule(at: due) }
        self.due = nil
        passed()
    }
}
