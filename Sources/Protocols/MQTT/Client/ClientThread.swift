import DequeModule
import Foundation
import Platform
import Synchronization

/// The thread of one client: it runs the jobs of the client's connection and sleeps in poll(2) on the broker's socket.
///
/// It is the executor of ``Connection``, so libmosquitto is called from this thread only. A pipe ends the sleep when
/// another thread hands over work.
final class ClientThread: SerialExecutor, Sendable {
    struct Wait: Sendable {
        /// The socket; nil waits for work and time only.
        var descriptor: Int32?
        /// The events of poll(2), beside an error and a hang-up, which are always reported.
        var events: Int16 = 0
        /// When to wake at the latest; nil for never.
        var deadline: ContinuousClock.Instant?
    }

    private enum Work: Sendable {
        case isolated(UnownedJob)
        /// A job of a task that prefers this thread. Run as an actor's job, it would change threads at each `await`.
        case preferring(UnownedJob, PreferredExecutor)
        case closure(@Sendable () -> Void)
    }

    private struct State {
        var work: Deque<Work> = []
        var isAsleep = false
        var isStopped = false
        /// Whether the thread runs nothing more.
        var hasEnded = false
    }

    /// The most jobs between two waits for the socket.
    private static let jobLimit = 1_000

    private let state = Mutex(State())
    private let identity = Atomic<UInt>(0)
    private let wakeReader: Int32
    private let wakeWriter: Int32

    init() throws(SystemFailure) {
        var pipes: [Int32] = [-1, -1]
        guard pipe(&pipes) == 0 else { throw SystemFailure() }
        for descriptor in pipes {
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        (wakeReader, wakeWriter) = (pipes[0], pipes[1])
    }

    deinit {
        for descriptor in [wakeReader, wakeWriter] { close(descriptor) }
    }

    /// Starts the thread: it calls `idle`, which returns what to wait for, when all work is done, and `woken` after the
    /// sleep, with the events that poll(2) reported for the socket.
    func start(
        idle: @escaping @Sendable () -> Wait,
        woken: @escaping @Sendable (_ events: Int16) -> Void
    ) throws(SystemFailure) {
        try startThread { [self] in run(idle, woken) }
    }

    /// Ends the thread once the submitted work is done.
    func stop() { change { $0.isStopped = true } }

    var isCurrent: Bool { identity.load(ordering: .relaxed) == currentThread() }

    /// Runs `body` after the work that was submitted before.
    ///
    /// Once the thread has ended, `body` is released instead: it may retain the connection, which retains the thread.
    func submit(_ body: @escaping @Sendable () -> Void) {
        change { if !$0.hasEnded { $0.work.append(.closure(body)) } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        change { $0.work.append(.isolated(job)) }
    }

    func checkIsolated() { precondition(isCurrent, "not on the thread of the MQTT client") }

    fileprivate func enqueue(_ job: UnownedJob, preferring executor: PreferredExecutor) {
        change { $0.work.append(.preferring(job, executor)) }
    }

    private func change(_ body: (inout State) -> Void) {
        let isAsleep = state.withLock { state in
            body(&state)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        // A full pipe wakes the thread as well.
        if isAsleep { _ = write(wakeWriter, [0], 1) }
    }

    private func run(_ idle: () -> Wait, _ woken: (_ events: Int16) -> Void) {
        // Other threads of the program wait for signals.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        Thread.current.name = "mqtt"
        identity.store(currentThread(), ordering: .relaxed)
        while !runWork() { woken(sleep(idle())) }
    }

    /// Runs the work that waits; true when the thread has to end.
    private func runWork() -> Bool {
        for _ in 0..<Self.jobLimit {
            let (work, isStopped) = state.withLock { state in
                let work = state.work.popFirst()
                state.hasEnded = state.isStopped && work == nil
                return (work, state.isStopped)
            }
            switch work {
            case .isolated(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .preferring(let job, let executor): job.runSynchronously(on: executor.asUnownedTaskExecutor())
            case .closure(let body): body()
            case nil: return isStopped
            }
        }
        return false
    }

    /// Sleeps until the socket is ready, the time has come, or there is work.
    private func sleep(_ wait: Wait) -> Int16 {
        let hasWork = state.withLock { state in
            state.isAsleep = state.work.isEmpty && !state.isStopped
            return !state.isAsleep
        }
        var descriptors = [
            pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wait.descriptor ?? -1, events: wait.events, revents: 0),
        ]
        let count = poll(&descriptors, 2, hasWork ? 0 : Self.milliseconds(until: wait.deadline))
        state.withLock { $0.isAsleep = false }
        guard count > 0 else { return 0 }
        if descriptors[0].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(wakeReader, &bytes, bytes.count) == bytes.count {}
        }
        return descriptors[1].revents
    }

    /// For poll(2), rounded up so that the deadline has passed when the sleep ends; -1 waits for ever.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let (seconds, attoseconds) = max(.zero, deadline - .now).components
        return Int32(clamping: seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

/// Lets tasks that are not isolated to a client's connection run on the client's thread.
final class PreferredExecutor: TaskExecutor, Sendable {
    private let thread: ClientThread

    init(_ thread: ClientThread) { self.thread = thread }

    func enqueue(_ job: consuming ExecutorJob) { thread.enqueue(UnownedJob(job), preferring: self) }
}
