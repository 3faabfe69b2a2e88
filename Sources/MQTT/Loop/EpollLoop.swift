import CMosquitto
import DequeModule
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
        var work: Deque<Work> = []
        var lastWork: Deque<@Sendable () -> Void> = []
        var watches: [UInt64: Watch] = [:]
        var timers = TimerQueue<@Sendable () -> Void>()
        /// When the alarm rings.
        var alarmed: ContinuousClock.Instant?
        var lastID: UInt64 = UInt64(FixedID.allCases.count)
        /// Whether the thread is, or is about to be, asleep without knowing of new work.
        var isAsleep = false
        var isStopped = false
    }

    /// What is watched for the loop itself.
    private enum FixedID: UInt64, CaseIterable { case bell, alarm }

    private enum Step {
        case work(Work)
        case lastWork(@Sendable () -> Void)
        /// Look at the sockets, and come back.
        case poll
        /// Wait for the sockets.
        case sleep
        case end
    }

    /// How much work goes before the sockets.
    private static let mostWork = 1_000

    private let state = Mutex(State())
    private let epoll = Epoll()
    private let thread = Atomic<UInt>(0)
    /// Ends the sleep when written to.
    private let bell: Int32
    private let alarm = Alarm()

    init(label: String) {
        bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        precondition(bell >= 0, "no file descriptor is left for an event loop")
        epoll.add(bell, Epoll.readable, id: FixedID.bell.rawValue)
        epoll.add(alarm.descriptor, Epoll.readable, id: FixedID.alarm.rawValue)
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

    func add(_ timer: Timer) -> UInt64 {
        state.withLock { state in
            defer { setAlarm(&state) }
            return state.timers.add(timer)
        }
    }

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
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while turn(&events) {}
    }

    /// Does work, sleeps, and does what woke it; false at the end.
    private func turn(_ events: inout [epoll_event]) -> Bool {
        var sleep: Int32 = 0
        work: for count in 1... {
            switch next(isLate: count > Self.mostWork) {
            case .work(.isolated(let job)): job.runSynchronously(on: asUnownedSerialExecutor())
            case .work(.preferring(let job, let loop)): job.runSynchronously(on: loop.asUnownedTaskExecutor())
            case .work(.closure(let body)), .lastWork(let body): body()
            case .sleep:
                sleep = -1
                break work
            case .poll: break work
            case .end: return false
            }
        }
        let count = epoll.wait(sleep, &events)
        for index in 0..<count {
            let event = events[index]
            switch FixedID(rawValue: event.data.u64) {
            case .bell:
                var rung: UInt64 = 0
                eventfd_read(bell, &rung)
            case .alarm: fireTimers()
            case nil:
                let watch = state.withLock { state in
                    state.isAsleep = false
                    // An earlier handler may have removed it.
                    return state.watches[event.data.u64]
                }
                watch?.handler(event.events)
            }
        }
        return true
    }

    /// What is to be done now.
    private func next(isLate: Bool) -> Step {
        state.withLock { state in
            if !isLate, let work = state.work.popFirst() { return .work(work) }
            if let work = state.lastWork.popFirst() { return .lastWork(work) }
            guard state.work.isEmpty else { return .poll }
            state.isAsleep = !state.isStopped
            return state.isStopped ? .end : .sleep
        }
    }

    private func fireTimers() {
        alarm.clear()
        let now = ContinuousClock.now
        var isSharing = false
        while let action = state.withLock({ $0.timers.popDue(now, sharing: isSharing) }) {
            isSharing = true
            action()
        }
        state.withLock { state in
            state.alarmed = nil
            setAlarm(&state)
        }
    }

    /// Lets the alarm ring for the next timer.
    private func setAlarm(_ state: inout State) {
        guard let next = state.timers.next, state.alarmed.map({ next < $0 }) != false else { return }
        state.alarmed = next
        alarm.set(next)
    }
}
