import NIOCore

/// A deadline on an event loop that moves often: moving it to a later time needs no new task.
final class MovableDeadline {
    private let loop: NIOIsolatedEventLoop
    private let passed: () -> Void
    private var due: NIODeadline?
    private var timer: (at: NIODeadline, task: Scheduled<Void>)?

    /// Calls `passed` on `loop` when the deadline has passed.
    init(on loop: any EventLoop, passed: @escaping () -> Void) {
        self.loop = loop.assumeIsolated()
        self.passed = passed
    }

    func set(in time: TimeAmount) {
        let due = NIODeadline.now() + time
        self.due = due
        if let timer, timer.at <= due { return }
        schedule(at: due)
    }

    func clear() {
        timer?.task.cancel()
        (due, timer) = (nil, nil)
    }

    private func schedule(at time: NIODeadline) {
        timer?.task.cancel()
        timer = (time, loop.scheduleTask(deadline: time) { self.fire() })
    }

    private func fire() {
        timer = nil
        guard let due else { return }
        if due > .now() { return schedule(at: due) }
        self.due = nil
        passed()
    }
}
