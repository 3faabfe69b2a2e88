import Dispatch
import Foundation

/// Tells when a socket can be read or written, on a loop's queue.
///
/// It watches a duplicate of the descriptor: libmosquitto closes its own whenever it likes, and a number that is
/// closed and given to another socket while Dispatch watches it would mix the two up. Used on the queue only.
final class SocketWatcher {
    private static let peek = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
    private let descriptor: Int32
    private let reading: any DispatchSourceRead
    private let writing: any DispatchSourceWrite
    private var isWriting = false
    private var isCancelled = false

    /// Nil if there is no descriptor left.
    ///
    /// Reading is watched from the start, writing when asked for.
    init?(
        watching socket: Int32,
        on queue: DispatchQueue,
        readable: @escaping @Sendable () -> Void,
        writable: @escaping @Sendable () -> Void
    ) {
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        // The library leaves its descriptor open for children, who would keep the connection up after us.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        writing = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        reading.setEventHandler(handler: readable)
        writing.setEventHandler(handler: writable)
        // Both must have let go before the number may be used again.
        let group = DispatchGroup()
        group.enter()
        group.enter()
        reading.setCancelHandler { group.leave() }
        writing.setCancelHandler { group.leave() }
        group.notify(queue: queue) { close(descriptor) }
        reading.resume()
    }

    deinit { cancel() }

    func watchWriting(_ wanted: Bool) {
        guard wanted != isWriting, !isCancelled else { return }
        isWriting = wanted
        if wanted { writing.resume() } else { writing.suspend() }
    }

    /// No event comes after this.
    ///
    /// The peer sees the end at once, although the descriptor closes a little later.
    func cancel() {
        guard !isCancelled else { return }
        if !isWriting { writing.resume() }
        isCancelled = true
        // The duplicate must not keep the connection open once the library has closed it.
        shutdown(descriptor, Int32(SHUT_WR))
        reading.cancel()
        writing.cancel()
    }

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
