import Foundation

/// A port on 127.0.0.1 whose queue of connections is full: the system drops every further attempt.
package final class DeafListener: Sendable {
    package let port: Int
    /// The connections of our own that fill the queue.
    package var count: Int { fillers.count }
    private let listener: Int32
    private let fillers: [Int32]

    /// Listens on a port, a free one unless it is given, and fills its queue.
    package init(port: Int = 0) throws {
        let (listener, port) = try listenOnLoopback(port: port, backlog: 0)
        (self.listener, self.port) = (listener, port)
        fillers = (0..<4).map { _ in connectToLoopback(port, waits: false) }
    }

    deinit { for descriptor in fillers + [listener] { close(descriptor) } }
}
