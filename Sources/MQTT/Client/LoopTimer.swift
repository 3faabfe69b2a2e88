import Dispatch

/// A timer on a loop's queue; used there only.
final class LoopTimer {
    private let source: any DispatchSourceTimer

    /// Fires once after `delay`, or again and again when `repeats`; some lateness is allowed, so that timers share
    /// their wake-ups.
    init(
        on queue: DispatchQueue,
        after delay: Duration,
        repeats: Bool = false,
        leeway: Duration = .milliseconds(1),
        handler: @escaping @Sendable () -> Void
    ) {
        source = DispatchSource.makeTimerSource(queue: queue)
        let interval = DispatchTimeInterval.nanoseconds(Int(clamping: Int64(max(0, delay.inSeconds) * 1e9)))
        let slack = DispatchTimeInterval.nanoseconds(Int(clamping: Int64(leeway.inSeconds * 1e9)))
        source.schedule(deadline: .now() + interval, repeating: repeats ? interval : .never, leeway: slack)
        source.setEventHandler(handler: handler)
        source.resume()
    }

    deinit { source.cancel() }
}
