/// One thread on which any number of clients do their work.
///
/// All clients share ``shared`` unless told otherwise. Nothing on it blocks.
///
/// It is a task executor, too: where every microsecond counts, code that reads messages and publishes may run on the
/// thread of its client, and saves the way from one thread to the other and back. It must not block there.
///
/// ```swift
/// try await withTaskExecutorPreference(client.eventLoop) {
///     for try await message in subscription { try await client.publish(answer(to: message)) }
/// }
/// ```
public final class MQTTEventLoop: TaskExecutor, Sendable {
    /// The loop of every client that is not given another.
    public static let shared = MQTTEventLoop(label: "mqtt")

    let core: EpollLoop
    /// What brokers send is read into the one, what libmosquitto writes meanwhile into the other.
    let (outside, inside) = (ReadBuffer(), ReadBuffer())

    /// Makes a loop of its own; `label` is for debuggers.
    public init(label: String) {
        core = EpollLoop(label: label)
    }

    deinit { core.stop() }

    /// Runs a job of a task that prefers this thread; for the Swift runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        core.submit(.preferring(UnownedJob(job), self))
    }

    /// Stops the program if the caller is not on this thread.
    public func checkIsolated() { core.checkIsolated() }
}
