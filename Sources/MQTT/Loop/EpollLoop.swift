import CMosquitto
import Foundation
import Synchronization

/// A thread that sleeps in epoll_wait(2) until a descriptor is ready, a timer is due or somebody hands it work.
///
/// Not on Dispatch's sources: on Linux they can crash the process when a peer hangs up while a source is cancelled
/// (swift-corelibs-libdispatch#949). Descriptors may have any number.
final class EpollLoop: SerialExecutor, Sendable {
    /// Work of its own kind for what is frequent, so that it needs no memory.
    enum Work: Sendable {
        /// Of an actor that lives here.
        case isolated(UnownedJob)
        /// Of a task that prefers this thread and belongs to no actor: run as one of an actor, it would be handed over
        /// anew at every `await`.
        case preferring(UnownedJob, MQTTEventLoop)
        case closure(@Sendable () -> Void)
    }

    struct Watch: Sendable {
        var descriptor: Int32
        var handler: @Sendable (_ events: UInt32) -> Void
    }

    typealias Timer = TimerQueue<@Sendable () -> Void>.Timer

    private struct State {
        var work: [Work] = []
        var lastWork: [@Sendable () -> Void] = []
        var watches: [UInt64: Watch] = [:]
        var timers = TimerQueue<@Sendable () -> Void>()
        var lastID: UInt64 = 0
        /// Whether the thread is, or is about to be, asleep without knowing of new work.
        var isAsleep = false
        var isStopped = false
    }

    /// How often work that work has made goes before the sockets.
    private static let rounds = 16

    private let state = Mutex(State())
    private let epoll = Epoll()
    private let thread = Atomic<UInt>(0)
    /// Ends the sleep when written to.
    private let bell: Int32
    private static let bellID: UInt64 = 0

    init(label: String) {
        bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        precondition(bell >= 0, "no file descriptor is left for an event loop")
        epoll.add(bell, Epoll.readable, id: Self.bellID)
        let thread = Thread { [self] in run() }
        thread.name = label
        thread.start()
    }

    deinit { close(bell) }

    /// Whether the caller is on the loop's thread.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Does `work` after what was handed over before.
    func submit(_ work: Work) {
        change { $0.work.append(work) }
    }

    func submit(_ work: @escaping @Sendable () -> Void) { submit(.closure(work)) }

    func enqueue(_ job: consuming ExecutorJob) { submit(.isolated(UnownedJob(job))) }

    func checkIsolated() { precondition(isCurrent, "not on the event loop") }

    /// Does `work` once nothing else is left to do, or when the sockets would have to wait for too long; before the next
    /// sleep in any case.
    func submitLast(_ work: @escaping @Sendable () -> Void) {
        change { $0.lastWork.append(work) }
    }

    /// Watches a descriptor, which must be open until the watch is removed.
    func add(_ watch: Watch, for events: UInt32) -> UInt64 {
        let id = state.withLock { state in
            state.lastID += 1
            state.watches[state.lastID] = watch
            return state.lastID
        }
        epoll.add(watch.descriptor, events, id: id)
        return id
    }

    /// Changes what is waited for.
    func set(_ events: UInt32, of id: UInt64) {
        guard let descriptor = state.withLock({ $0.watches[id]?.descriptor }) else { return }
        epoll.change(descriptor, events, id: id)
    }

    func removeWatch(_ id: UInt64) {
        guard let watch = state.withLock({ $0.watches.removeValue(forKey: id) }) else { return }
        epoll.remove(watch.descriptor)
    }

    func add(_ timer: Timer) -> UInt64 { change { $0.timers.add(timer) } }

    func removeTimer(_ id: UInt64) { state.withLock { $0.timers.remove(id) } }

    /// Ends the thread after the work that waits.
    func stop() { change { $0.isStopped = true } }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, rings) = state.withLock { state in
            let result = body(&state)
            defer { state.isAsleep = false }
            return (result, state.isAsleep)
        }
        if rings { eventfd_write(bell, 1) }
        return result
    }

    private func run() {
        // Signals are for the threads that wait for them.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        var spare: [Work] = []
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while turn(&spare, &events) {}
    }

    /// Does work, sleeps, and does what woke it; false at the end.
    private func turn(_ spare: inout [Work], _ events: inout [epoll_event]) -> Bool {
        for _ in 0..<Self.rounds where !doWork(&spare) { break }
        doLastWork()
        let (sleep, isOver) = state.withLock { state in
            let isBusy = !state.work.isEmpty || !state.lastWork.isEmpty
            if isBusy { return (Int32(0), false) }
            state.isAsleep = true
            return (Self.milliseconds(until: state.timers.next), state.isStopped)
        }
        if isOver { return false }
        let count = epoll.wait(sleep, &events)
        state.withLock { $0.isAsleep = false }
        for event in events[..<count] {
            if event.data.u64 == Self.bellID {
                var rung: UInt64 = 0
                eventfd_read(bell, &rung)
            } else {
                // An earlier handler may have removed it.
                state.withLock { $0.watches[event.data.u64] }?.handler(event.events)
            }
        }
        fireTimers()
        return true
    }

    /// Does what was handed over until now; false if there was nothing.
    private func doWork(_ work: inout [Work]) -> Bool {
        state.withLock { swap(&$0.work, &work) }
        for item in work {
            switch item {
            case .isolated(let job): job.runSynchronously(on: asUnownedSerialExecutor())
            case .preferring(let job, let loop): job.runSynchronously(on: loop.asUnownedTaskExecutor())
            case .closure(let body): body()
            }
        }
        defer { work.removeAll(keepingCapacity: true) }
        return !work.isEmpty
    }

    private func doLastWork() {
        let last = state.withLock { state in
            guard !state.lastWork.isEmpty else { return [] as [@Sendable () -> Void] }
            defer { state.lastWork = [] }
            return state.lastWork
        }
        for item in last { item() }
    }

    private func fireTimers() {
        let now = ContinuousClock.now
        var isSharing = false
        while let action = state.withLock({ $0.timers.popDue(now, sharing: isSharing) }) {
            isSharing = true
            action()
        }
    }

    /// Rounded up, so that a timer is due when the sleep is over; -1 is 'for ever'.
    private static func milliseconds(until instant: ContinuousClock.Instant?) -> Int32 {
        guard let instant else { return -1 }
        let left = (instant - .now).inSeconds * 1_000
        return left <= 0 ? 0 : Int32(clamping: Int64(min(left.rounded(.up), 1e9)))
    }
}
