import Logging
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Brings the log to `B/bridge/log`: info and above, as many as a person can read.
public final class LogTap: Sendable {
    /// Entries a second that pass on average, and at once.
    static let rate = 10.0
    static let burst = 50.0

    private struct State {
        var entries: [LogEntry] = []
        var tokens = LogTap.burst
        var refilled: Double?
        var dropped = 0
    }

    /// Yields when there may be something to take.
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    /// Makes one for a bridge's life.
    public init() { (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Takes an entry, unless there were too many.
    public func add(_ entry: LogEntry) {
        guard entry.level >= .info else { return }
        let seconds = entry.time.timeIntervalSinceReferenceDate
        state.withLock { state in
            let passed = max(0, seconds - (state.refilled ?? seconds))
            state.refilled = seconds
            state.tokens = min(Self.burst, state.tokens + passed * Self.rate)
            guard state.tokens >= 1 else {
                state.dropped += 1
                return
            }
            state.tokens -= 1
            state.entries.append(entry)
        }
        wake.yield()
    }

    func take() -> (entries: [LogEntry], dropped: Int) {
        state.withLock { state in
            defer { (state.entries, state.dropped) = ([], 0) }
            return (state.entries, state.dropped)
        }
    }
}
