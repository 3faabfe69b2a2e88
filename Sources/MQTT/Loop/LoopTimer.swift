/// A timer of an event loop, for as long as it is held.
final class LoopTimer {
    private let loop: EpollLoop
    private let id: UInt64

    /// Fires once after `delay`, or again and again when `repeats`; some earliness is allowed, so that timers share
    /// their wake-ups.
    init(
        on loop: EpollLoop,
        after delay: Duration,
        repeats: Bool = false,
        leeway: Duration = .zero,
        handler: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        id = loop.add(
            EpollLoop.Timer(
                deadline: .now + delay,
                leeway: leeway,
                interval: repeats ? delay : nil,
                action: handler
            )
        )
    }

    deinit { loop.removeTimer(id) }
}
