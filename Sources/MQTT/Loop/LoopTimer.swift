/// A timer of an event loop, for as long as it is held.
final class LoopTimer {
    private let loop: PollLoop
    private let id: UInt64

    /// Fires once after `delay`, or again and again when `repeats`; some earliness is allowed, so that timers share
    /// their wake-ups.
    init(
        on loop: PollLoop,
        after delay: Duration,
        repeats: Bool = false,
        leeway: Duration = .zero,
        handler: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        id = loop.add(
            PollLoop.Timer(
                deadline: .now + delay,
                leeway: leeway,
                interval: repeats ? delay : nil,
                handler: handler
            )
        )
    }

    deinit { loop.removeTimer(id) }
}
