import NIOCore

/// What a ``ProbeStateMachine`` wants done.
enum ProbeAction: Sendable, Hashable {
    case resolve(host: String, port: Int)
    /// Connects, giving up the attempt before.
    case connect(SocketAddress)
    case startTLS
    case send(String)
    case sendFrame([UInt8])
    case setTimer(ProbeTimer, Duration)
    case clearTimer(ProbeTimer)
    /// Closes in order; answered with ``ProbeStateMachine/Event/closed``, also when there is nothing to close.
    case close
    /// Gives a part of the stream to the watcher.
    case pass(StreamPart)
    case finish(ProbeReport)
}

/// One clock each, set anew by each ``ProbeAction/setTimer(_:_:)``.
enum ProbeTimer: Sendable, CaseIterable {
    case stage
    /// Of a stream that goes on.
    case keepAlive
    case overall
}
