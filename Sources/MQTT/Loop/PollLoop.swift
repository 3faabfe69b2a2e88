import Foundation
import Synchronization

/// A thread that sleeps in poll(2) until a descriptor is ready, a timer is due or somebody hands it work.
///
/// Not on Dispatch's sources: on Linux they can crash the process when a peer hangs up while a source is cancelled
/// (swift-corelibs-libdispatch#949). What is watched is told to the kernel anew before each sleep, so that nothing can be
/// watched that is closed already, and descriptors may have any number.
final class PollLoop: Sendable {
    typealias Work = @Sendable () -> Void

    struct Watch: Sendable {
        var descriptor: Int32
        var events: Int16
        var handler: @Sendable (_ events: Int16) -> Void
    }

    struct Timer: Sendable {
        var deadline: ContinuousClock.Instant
        /// How much earlier it may fire, together with others.
        var leeway: Duration
        /// Nil: once.
        var interval: Duration?
        var handler: Work
    }

    private struct State {
        var work: [Work] = []
        var watches: [UInt64: Watch] = [:]
        var timers: [UInt64: Timer] = [:]
        var lastID: UInt64 = 0
        var thread: pthread_t?
        var isWoken = false
        var isStopped = false
    }

    private let state = Mutex(State())
    /// A pair of sockets: a byte written into one ends the sleep on the other.
    private let (bell, cord): (Int32, Int32)

    init(label: String) {
        var pair: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        precondition(socketpair(AF_UNIX, kind, 0, &pair) == 0, "no file descriptor is left for an event loop")
        (bell, cord) = (pair[0], pair[1])
        let thread = Thread { [self] in run() }
        thread.name = label
        thread.start()
    }

    deinit {
        close(bell)
        close(cord)
    }

    /// Whether the caller is on the loop's thread.
    var isCurrent: Bool {
        state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
    }

    /// Runs `work` after what was handed over before.
    func submit(_ work: @escaping Work) {
        change { $0.work.append(work) }
    }

    func add(_ watch: Watch) -> UInt64 {
        change { state in
            state.lastID += 1
            state.watches[state.lastID] = watch
            return state.lastID
        }
    }

    /// Changes what is waited for.
    func set(_ events: Int16, of id: UInt64) { change { $0.watches[id]?.events = events } }

    func removeWatch(_ id: UInt64) { change { $0.watches[id] = nil } }

    func add(_ timer: Timer) -> UInt64 {
        change { state in
            state.lastID += 1
            state.timers[state.lastID] = timer
            return state.lastID
        }
    }

    func removeTimer(_ id: UInt64) { change { $0.timers[id] = nil } }

    /// Ends the thread after the work that waits.
    func stop() { change { $0.isStopped = true } }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, rings) = state.withLock { state in
            let result = body(&state)
            let isElsewhere = state.thread.map { pthread_equal($0, pthread_self()) == 0 } ?? true
            defer { state.isWoken = state.isWoken || isElsewhere }
            return (result, isElsewhere && !state.isWoken)
        }
        if rings {
            var byte: UInt8 = 1
            write(cord, &byte, 1)
        }
        return result
    }

    private func run() {
        // Signals are for the threads that wait for them.
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
        state.withLock { $0.thread = pthread_self() }
        while turn() {}
    }

    /// Does work, sleeps, and does what woke it; false at the end.
    private func turn() -> Bool {
        let work = state.withLock { state in
            defer { state.work = [] }
            return state.work
        }
        for item in work { item() }

        var (ids, descriptors, sleep, isOver) = state.withLock { state in
            var ids: [UInt64] = [0]
            var descriptors = [pollfd(fd: bell, events: Int16(POLLIN), revents: 0)]
            for (id, watch) in state.watches {
                ids.append(id)
                descriptors.append(pollfd(fd: watch.descriptor, events: watch.events, revents: 0))
            }
            let next = state.work.isEmpty ? state.timers.values.map(\.deadline).min() : .now
            return (ids, descriptors, Self.milliseconds(until: next), state.isStopped && state.work.isEmpty)
        }
        if isOver { return false }
        guard poll(&descriptors, nfds_t(descriptors.count), sleep) >= 0 else { return true }

        if descriptors[0].revents != 0 { answerBell() }
        for (id, descriptor) in zip(ids, descriptors).dropFirst() where descriptor.revents != 0 {
            // An earlier handler may have removed it.
            state.withLock { $0.watches[id] }?.handler(descriptor.revents)
        }
        fireTimers()
        return true
    }

    private func answerBell() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while recv(bell, &bytes, bytes.count, 0) > 0 {}
        // Only now: a byte of somebody who came meanwhile would be lost, and his work is looked for before the next sleep.
        state.withLock { $0.isWoken = false }
    }

    private func fireTimers() {
        let now = ContinuousClock.now
        let due = state.withLock { state in
            state.timers.filter { $0.value.deadline - $0.value.leeway <= now }.sorted {
                $0.value.deadline < $1.value.deadline
            }
        }
        // The leeway makes sense only when something is due anyhow.
        guard due.contains(where: { $0.value.deadline <= now }) else { return }
        for (id, timer) in due {
            let isStill = state.withLock { state in
                guard state.timers[id] != nil else { return false }
                if let interval = timer.interval {
                    state.timers[id]?.deadline = now + interval
                } else {
                    state.timers[id] = nil
                }
                return true
            }
            if isStill { timer.handler() }
        }
    }

    /// Rounded up, so that a timer is due when the sleep is over; -1 is 'for ever'.
    private static func milliseconds(until instant: ContinuousClock.Instant?) -> Int32 {
        guard let instant else { return -1 }
        let left = (instant - .now).inSeconds * 1_000
        return left <= 0 ? 0 : Int32(clamping: Int64(min(left.rounded(.up), 1e9)))
    }
}
