import Logging
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Brings the log to `B/bridge/log`: info and above, as many as a person can read.
public final class LogTap: Sendable {
    private struct State {
        var entries: [LogEntry] = []
        var limit = LogTap.rate
        var dropped = 0
    }

    static let rate = RateLimit(burst: 50, perSecond: 10)

    /// Yields when there may be something to take.
    let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    /// Makes one for a bridge's life.
    public init() { (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Takes an entry, unless there were too many.
    public func add(_ entry: LogEntry) {
        guard entry.level >= .info else { return }
        state.withLock { state in
            if state.limit.allows(at: entry.time.timeIntervalSinceReferenceDate) {
                state.entries.append(entry)
            } else {
                state.dropped += 1
            }
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
