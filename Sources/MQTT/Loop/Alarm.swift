import CMosquitto
import Foundation

/// A descriptor that can be read once a moment has come, timerfd_create(2).
final class Alarm: Sendable {
    let descriptor: Int32

    init() {
        // The clock of ContinuousClock.
        descriptor = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        precondition(descriptor >= 0, "no file descriptor is left for an event loop")
    }

    deinit { close(descriptor) }

    /// Rings at this moment, and at no other that was set before.
    func set(_ moment: ContinuousClock.Instant) {
        let (seconds, attoseconds) = max(moment - .now, .nanoseconds(1)).components
        var time = itimerspec()
        time.it_value.tv_sec = Int(seconds)
        time.it_value.tv_nsec = Int(attoseconds / 1_000_000_000)
        timerfd_settime(descriptor, 0, &time, nil)
    }

    /// Makes it unreadable until it rings again.
    func clear() {
        var rings: UInt64 = 0
        _ = read(descriptor, &rings, MemoryLayout<UInt64>.size)
    }
}
