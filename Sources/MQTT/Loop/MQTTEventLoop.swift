/// A serial executor on which any number of clients do their work.
///
/// All clients share ``shared`` unless told otherwise: one thread serves them all. Nothing on it blocks.
public final class MQTTEventLoop: SerialExecutor, Sendable {
    /// The loop of every client that is not given another.
    public static let shared = MQTTEventLoop(label: "mqtt")

    let poll: PollLoop

    /// Makes a loop of its own; `label` is for debuggers.
    public init(label: String) {
        poll = PollLoop(label: label)
    }

    deinit { poll.stop() }

    /// Runs a job of a client; for the Swift runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        poll.submit { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Stops the program if the caller is not on the loop; for the Swift runtime.
    public func checkIsolated() {
        precondition(poll.isCurrent, "not on the event loop")
    }
}
