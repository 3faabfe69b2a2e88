import Foundation
import Synchronization
import TestSupport

/// A broker that follows a script: each connection runs it on a thread of its own, and ends with it.
final class ScriptedBroker: Sendable {
    typealias Script = @Sendable (_ peer: Peer, _ connection: Int) throws -> Void

    /// One connection, seen from the broker.
    struct Peer: Sendable {
        fileprivate let descriptor: Int32

        /// Sends bytes as they are; throws when the client has gone.
        func send(_ bytes: [UInt8]) throws {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw TestFailure("the client has gone") }
                rest = rest.dropFirst(count)
            }
        }

        /// The next packet of the client, header included; throws when there is none within ten seconds.
        @discardableResult
        func receive() throws -> [UInt8] {
            var packet = try bytes(1)
            var length = 0
            var shift = 0
            repeat {
                packet += try bytes(1)
                length |= Int(packet[packet.count - 1] & 0x7f) << shift
                shift += 7
            } while packet[packet.count - 1] & 0x80 != 0
            return try packet + bytes(length)
        }

        /// The next packet of this type, such as 3 for PUBLISH; others are skipped.
        @discardableResult
        func receive(type: UInt8) throws -> [UInt8] {
            while true {
                let packet = try receive()
                if packet[0] >> 4 == type { return packet }
            }
        }

        /// Takes CONNECT and answers it.
        func accept(properties: [UInt8] = [], isResumed: Bool = false) throws {
            try receive(type: 1)
            try send(Packet.connack(properties: properties, isResumed: isResumed))
        }

        /// Takes CONNECT and SUBSCRIBE and answers them.
        func acceptSubscription(_ code: UInt8 = 0) throws {
            try accept()
            try send(Packet.suback(Packet.identifier(of: try receive(type: 8)), [code]))
        }

        /// Reads until the client has gone.
        func drain() throws {
            while true { try receive() }
        }

        /// Takes one byte, whatever it is.
        func takeByte() throws { _ = try bytes(1) }

        /// Makes the close a reset.
        func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        }

        private func bytes(_ count: Int) throws -> [UInt8] {
            var buffer = [UInt8](repeating: 0, count: count)
            var have = 0
            while have < count {
                let more = buffer.withUnsafeMutableBytes {
                    recv(descriptor, $0.baseAddress?.advanced(by: have), min(count - have, 65_536), 0)
                }
                guard more > 0 else { throw TestFailure("the client has gone, or is silent") }
                have += more
            }
            return buffer
        }
    }

    let port: Int
    /// How many connections were made so far.
    var connections: Int { state.withLock { $0.count } }

    private let listener: Int32
    private let state = Mutex((count: 0, open: Set<Int32>(), isStopped: false))

    init(_ script: @escaping Script) throws {
        (listener, port) = try listenOnLoopback(backlog: 64)
        Thread.detachNewThread { [self] in serve(script) }
        EndingTrait.atEnd { [self] in stop() }
    }

    /// Ends the listener and every connection.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { state in
            state.isStopped = true
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func serve(_ script: @escaping Script) {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            var timeout = timeval(tv_sec: 10, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
            let number = state.withLock { state in
                state.count += 1
                state.open.insert(descriptor)
                if state.isStopped { shutdown(descriptor, Int32(SHUT_RDWR)) }
                return state.count
            }
            Thread.detachNewThread { [self] in
                try? script(Peer(descriptor: descriptor), number)
                state.withLock { state in
                    state.open.remove(descriptor)
                    close(descriptor)
                }
            }
        }
        close(listener)
    }
}
