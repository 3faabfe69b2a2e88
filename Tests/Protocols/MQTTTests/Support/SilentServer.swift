import Foundation
import Synchronization
import TestSupport

/// A TCP server that does what brokers should not: it answers each connection with `reply`, as told, and no more.
final class SilentServer: Sendable {
    enum Manner: Sendable {
        /// Keeps the connection open, whatever comes.
        case silent
        /// Sends these bytes after something was received, and keeps the connection open.
        case says([UInt8])
        /// Sends the next of these after each time something was received, and keeps the connection open.
        case answers([[UInt8]])
        /// Sends this once something was received, and closes: in good order, or with a reset.
        case leaves([UInt8], reset: Bool)
        /// Closes once something was received.
        case closes
        /// Resets at once.
        case resets
    }

    let port: Int
    /// How many connections were made so far.
    var connections: Int { state.withLock { $0.count } }

    private let listener: Int32
    private let state = Mutex((count: 0, open: [Int32]()))

    init(_ manner: Manner) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isReady = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && getsockname(listener, $0, &length) == 0 && listen(listener, 16) == 0
            }
        }
        guard isReady else { throw TestFailure("cannot listen: errno \(errno)") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in serve(manner) }
    }

    /// Ends the listener and every connection.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { state in
            for descriptor in state.open { close(descriptor) }
            state.open = []
        }
    }

    private func serve(_ manner: Manner) {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            state.withLock { $0.count += 1 }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            switch manner {
            case .silent:
                state.withLock { $0.open.append(descriptor) }
            case .says(let bytes):
                _ = recv(descriptor, &buffer, buffer.count, 0)
                _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                state.withLock { $0.open.append(descriptor) }
            case .answers(let packets):
                state.withLock { $0.open.append(descriptor) }
                for packet in packets {
                    guard recv(descriptor, &buffer, buffer.count, 0) > 0 else { break }
                    _ = send(descriptor, packet, packet.count, Int32(MSG_NOSIGNAL))
                }
            case .leaves(let packets, let reset):
                _ = recv(descriptor, &buffer, buffer.count, 0)
                _ = send(descriptor, packets, packets.count, Int32(MSG_NOSIGNAL))
                if reset { hurry(descriptor) }
                close(descriptor)
            case .closes:
                _ = recv(descriptor, &buffer, buffer.count, 0)
                close(descriptor)
            case .resets:
                hurry(descriptor)
                close(descriptor)
            }
        }
        close(listener)
    }

    /// Makes the close a reset.
    private func hurry(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }
}
