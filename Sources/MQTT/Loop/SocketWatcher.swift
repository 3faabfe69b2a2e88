import Foundation

/// Tells on an event loop when a socket of libmosquitto can be read or written; used on the loop only.
///
/// It has to be cancelled before the library closes the socket.
final class SocketWatcher {
    private static let peek = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
    private static let reading = Int16(POLLIN)
    private static let writing = Int16(POLLOUT)

    private let descriptor: Int32
    private let loop: PollLoop
    private let id: UInt64
    private var isWriting = false

    /// Reading is watched from the start, writing when asked for.
    init(
        watching socket: Int32,
        on loop: PollLoop,
        readable: @escaping @Sendable () -> Void,
        writable: @escaping @Sendable () -> Void
    ) {
        // The library leaves its descriptor open for children, who would keep the connection up after us.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        descriptor = socket
        self.loop = loop
        id = loop.add(
            PollLoop.Watch(descriptor: socket, events: Self.reading) { events in
                // A hang-up or an error is found by reading.
                events & ~Self.writing == 0 ? writable() : readable()
            }
        )
    }

    deinit { cancel() }

    func watchWriting(_ wanted: Bool) {
        guard wanted != isWriting else { return }
        isWriting = wanted
        loop.set(wanted ? Self.reading | Self.writing : Self.reading, of: id)
    }

    /// No event comes after this.
    func cancel() { loop.removeWatch(id) }

    /// The error that waits in the socket, zero if none; reading it clears it.
    func takeError() -> Int32 {
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno
    }

    /// Whether the peer has closed and nothing is left to read.
    func isAtEnd() -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Self.peek) == 0
    }
}
