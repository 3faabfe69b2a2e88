import Foundation
import TestSupport

/// A port on 127.0.0.1 whose queue of connections is full: the system drops whoever else knocks.
final class DeafListener {
    let port: Int
    /// The connections of our own that fill the queue.
    var count: Int { fillers.count }
    private let listener: Int32
    private var fillers: [Int32] = []

    init() throws {
        let type = Int32(SOCK_STREAM.rawValue)
        let listener = socket(AF_INET, type, 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard bound else { throw TestFailure("bind: errno \(errno)") }
        port = Int(UInt16(bigEndian: address.sin_port))
        for _ in 0..<4 {
            let filler = socket(AF_INET, type | Int32(SOCK_NONBLOCK.rawValue), 0)
            withUnsafePointer(to: &address) { pointer in
                _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(filler, $0, length) }
            }
            fillers.append(filler)
        }
    }

    deinit { for descriptor in fillers + [listener] { close(descriptor) } }
}
