import Foundation

/// Tells on an event loop when a socket can be read or written; used on the loop only.
///
/// It has to be cancelled before the socket is closed.
final class SocketWatcher {
    private static let reading = Int16(POLLIN)
    private static let writing = Int16(POLLOUT)

    private let loop: PollLoop
    private let id: UInt64
    private var events: Int16

    /// Writing is watched from the start, which tells of the connection, and reading.
    init(
        watching socket: Int32,
        on loop: PollLoop,
        readable: @escaping @Sendable () -> Void,
        writable: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        events = Self.reading | Self.writing
        id = loop.add(
            PollLoop.Watch(descriptor: socket, events: events) { events in
                // A hang-up or an error is found by reading.
                events & ~Self.writing == 0 ? writable() : readable()
            }
        )
    }

    deinit { cancel() }

    /// Changes what is waited for.
    func watch(reading: Bool = true, writing: Bool) {
        let wanted = (reading ? Self.reading : 0) | (writing ? Self.writing : 0)
        guard wanted != events else { return }
        events = wanted
        loop.set(wanted, of: id)
    }

    /// No event comes after this.
    func cancel() { loop.removeWatch(id) }
}
