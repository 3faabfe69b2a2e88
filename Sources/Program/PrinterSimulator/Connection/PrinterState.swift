internal import NIOCore
internal import Synchronization

final class PrinterState: Sendable {
    let viewers = Mutex(0)
    /// Read anew for each request, so that changes count at once.
    private let current: Mutex<SimulatedPrinterConfiguration>
    private let connections = Mutex(Connections())

    private struct Connections {
        var open: [ObjectIdentifier: any Channel] = [:]
        var isStopped = false
        /// The most that were open at one time.
        var most = 0
    }

    init(_ settings: SimulatedPrinterConfiguration) { current = Mutex(settings) }

    var settings: SimulatedPrinterConfiguration { current.withLock { $0 } }

    func update(_ change: (inout SimulatedPrinterConfiguration) -> Void) {
        current.withLock { change(&$0) }
    }

    var openConnections: [any Channel] { connections.withLock { Array($0.open.values) } }

    var mostConnections: Int { connections.withLock(\.most) }

    /// Keeps `channel` until it closes; closes it at once beyond the limit, and after ``refuseConnections()``.
    func add(_ channel: any Channel) {
        let (id, limit) = (ObjectIdentifier(channel), settings.connections)
        let isWelcome = connections.withLock { connections in
            connections.open[id] = channel
            connections.most = max(connections.most, connections.open.count)
            return !connections.isStopped && connections.open.count <= limit
        }
        channel.closeFuture.whenComplete { [self] _ in
            connections.withLock { _ = $0.open.removeValue(forKey: id) }
        }
        if !isWelcome { channel.close(promise: nil) }
    }

    /// From now on; a connection may have been accepted just before the listener was closed.
    func refuseConnections() { connections.withLock { $0.isStopped = true } }
}
