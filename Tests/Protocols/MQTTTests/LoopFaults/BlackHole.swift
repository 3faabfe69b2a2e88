import Foundation
import TestSupport

/// A port of 127.0.0.1 that answers nothing at all, as a host that is switched off: a listener drops SYN when its queue
/// is full.
final class BlackHole: Sendable {
    let port: Int
    private let descriptors: [Int32]

    init() throws {
        let (listener, port) = try listenOnLoopback(port: freePort(), backlog: 0)
        self.port = port
        descriptors = [listener] + (0..<4).map { _ in connectToLoopback(port, waits: false) }
    }

    /// Gives the port back.
    deinit { for descriptor in descriptors { close(descriptor) } }
}
