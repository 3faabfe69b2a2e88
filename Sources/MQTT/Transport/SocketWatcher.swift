/// Tells on an event loop when a socket can be read or written; used on the loop only.
///
/// It has to be cancelled before the socket is closed.
final class SocketWatcher {
    private let loop: EpollLoop
    private let id: UInt64
    private var events: UInt32

    /// Writing is watched from the start, which tells of the connection, and reading.
    init(
        watching socket: Int32,
        on loop: EpollLoop,
        readable: @escaping @Sendable () -> Void,
        writable: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        events = Epoll.readable | Epoll.writable
        id = loop.add(
            EpollLoop.Watch(descriptor: socket) { events in
                if events & Epoll.writable != 0 { writable() }
                // A hang-up or an error is found by reading.
                if events & ~Epoll.writable != 0 { readable() }
            },
            for: events
        )
    }

    deinit { cancel() }

    /// Changes what is waited for.
    func watch(reading: Bool = true, writing: Bool) {
        let wanted = (reading ? Epoll.readable : 0) | (writing ? Epoll.writable : 0)
        guard wanted != events else { return }
        events = wanted
        loop.set(wanted, of: id)
    }

    /// No event comes after this.
    func cancel() { loop.removeWatch(id) }
}
