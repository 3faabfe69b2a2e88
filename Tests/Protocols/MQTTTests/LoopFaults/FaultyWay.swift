import Dispatch
import Foundation
import Synchronization
import TestSupport

/// A TCP proxy in front of a broker, with the faults of networks; each connection has two threads.
final class FaultyWay: Sendable {
    enum Fault: Sendable {
        case none
        /// Ends the connection, in order or by a reset, once so many bytes have come from the broker.
        case cut(after: Int, reset: Bool)
        /// Ends each connection once so many bytes have come from the broker, each after another number.
        case cutAnywhere(Range<Int>)
        /// Forwards nothing more in either direction, and neither reads nor closes: the peer has vanished.
        case vanish
    }

    let port: Int
    /// How many connections were cut so far.
    var cuts: Int { state.withLock { $0.cuts } }

    private let target: Int
    private let listener: Int32
    private let state: Mutex<State>

    private struct State {
        var fault: Fault
        var cuts = 0
        var open: Set<Int32> = []
        var isStopped = false
    }

    init(to target: Int, _ fault: Fault = .none) throws {
        self.target = target
        (listener, port) = try listenOnLoopback(backlog: 64)
        state = Mutex(State(fault: fault))
        Thread.detachNewThread { [self] in serve() }
    }

    /// What happens from now on, to standing connections as well.
    var fault: Fault {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// Ends the listener and every connection.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { state in
            state.isStopped = true
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func serve() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else { break }
            let broker = connectToLoopback(target)
            let pair = [client, broker]
            state.withLock { state in
                state.open.formUnion(pair)
                if state.isStopped { for descriptor in pair { shutdown(descriptor, Int32(SHUT_RDWR)) } }
            }
            Thread.detachNewThread { [self] in
                let upward = DispatchGroup()
                upward.enter()
                Thread.detachNewThread { [self] in
                    forward(from: client, to: broker, comesFromBroker: false)
                    upward.leave()
                }
                forward(from: broker, to: client, comesFromBroker: true)
                upward.wait()
                end(pair)
            }
        }
        close(listener)
    }

    /// Only once no thread uses the descriptors any more.
    private func end(_ pair: [Int32]) {
        state.withLock { $0.open.subtract(pair) }
        for descriptor in pair { close(descriptor) }
    }

    private func forward(from source: Int32, to sink: Int32, comesFromBroker: Bool) {
        defer { for descriptor in [source, sink] { shutdown(descriptor, Int32(SHUT_RDWR)) } }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var passed = 0
        let chance = Double.random(in: 0..<1)
        while true {
            if comesFromBroker, case .cut(0, let reset) = fault { return cut(sink, reset) }
            let count = recv(source, &buffer, buffer.count, 0)
            // A broker that gives up meanwhile is not heard either.
            guard waitsForReturn(), count > 0 else { return }
            if comesFromBroker {
                let (limit, reset) =
                    switch fault {
                    case .cut(let limit, let reset): (limit, reset)
                    case .cutAnywhere(let range): (range.lowerBound + Int(Double(range.count) * chance), false)
                    case .none, .vanish: (Int.max, false)
                    }
                if passed + count >= limit {
                    _ = sendAll(sink, buffer[..<max(0, limit - passed)])
                    return cut(sink, reset)
                }
                passed += count
            }
            guard sendAll(sink, buffer[..<count]) else { return }
        }
    }

    private func sendAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Holds what came, be it the end, for as long as the peer is not there; false at the end.
    private func waitsForReturn() -> Bool {
        while true {
            let (isStopped, isAway) = state.withLock { state in
                if case .vanish = state.fault { (state.isStopped, true) } else { (state.isStopped, false) }
            }
            if isStopped { return false }
            if !isAway { return true }
            usleep(5_000)
        }
    }

    private func cut(_ descriptor: Int32, _ reset: Bool) {
        state.withLock { $0.cuts += 1 }
        guard reset else { return }
        // Dissolving the association resets the connection at once, whoever still holds the descriptor.
        var nowhere = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        _ = connect(descriptor, &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
    }
}
