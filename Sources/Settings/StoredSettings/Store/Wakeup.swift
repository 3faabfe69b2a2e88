/// Wakes one task that waits: after some time, or earlier by a signal; one before the wait is not lost.
package struct Wakeup: Sendable {
    /// The signals; those that come before the first is read are one.
    package let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    package init() { (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package func signal() { continuation.yield() }

    /// Waits for a signal, or for some seconds, or until its task is cancelled.
    package func wait(seconds: Double?) async {
        let timer = seconds.map { seconds in
            Task { [continuation] in
                try await Task.sleep(for: .seconds(seconds))
                continuation.yield()
            }
        }
        for await _ in signals { break }
        timer?.cancel()
    }
}
