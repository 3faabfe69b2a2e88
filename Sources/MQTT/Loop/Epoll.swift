import CMosquitto
import Foundation

/// The kernel's list of watched descriptors, epoll(7): a sleep costs the same however many there are.
///
/// Events carry the watcher's number and not the descriptor: one that comes late for a descriptor that is closed, and
/// perhaps open again as another, finds no watcher.
final class Epoll: Sendable {
    static let readable = EPOLLIN.rawValue
    static let writable = EPOLLOUT.rawValue

    private let descriptor: Int32

    init() {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        precondition(descriptor >= 0, "no file descriptor is left for an event loop")
    }

    deinit { close(descriptor) }

    func add(_ watched: Int32, _ events: UInt32, id: UInt64) { control(EPOLL_CTL_ADD, watched, events, id) }

    /// Waits for other events from now on; for none, not even for a hang-up, when they are zero.
    func change(_ watched: Int32, _ events: UInt32, id: UInt64) {
        guard events != 0 else { return remove(watched) }
        guard !control(EPOLL_CTL_MOD, watched, events, id) else { return }
        control(EPOLL_CTL_ADD, watched, events, id)
    }

    func remove(_ watched: Int32) { control(EPOLL_CTL_DEL, watched, 0, 0) }

    /// Sleeps until something is ready, at most so many milliseconds; -1 is 'for ever'.
    ///
    /// - Returns: How many events there are in `events`.
    func wait(_ milliseconds: Int32, _ events: inout [epoll_event]) -> Int {
        max(0, Int(epoll_wait(descriptor, &events, Int32(events.count), milliseconds)))
    }

    @discardableResult
    private func control(_ operation: Int32, _ watched: Int32, _ events: UInt32, _ id: UInt64) -> Bool {
        var event = epoll_event()
        event.events = events
        event.data.u64 = id
        return epoll_ctl(descriptor, operation, watched, &event) == 0
    }
}
