internal import NIOCore
internal import Synchronization

final class PrinterState: Sendable {
    /// Read anew for each request, so that changes count at once.
    private let current: Mutex<SimulatedPrinterConfiguration>
    private let connections = Mutex(Connections())

    private struct Connections {
        var open: [ObjectIdentifier: any Channel] = [:]
        /// Of the open ones, those that the camera answers.
        var served: Set<ObjectIdentifier> = []
        var isStopped = false
        /// The most that were open at one time.
        var most = 0
    }

    init(_ settings: SimulatedPrinterConfiguration) { current = Mutex(settings) }

    /// Since the printer was switched on.
    var seconds: Double { Double((NIODeadline.now() - settings.begin).nanoseconds) / 1e9 }

    /// What a picture shows that is sent now.
    func stamp(_ frame: Int) -> PictureStamp {
        let seconds = seconds
        let layer = settings.print.moment(at: seconds).layer
        return PictureStamp(frame: frame, layer: layer, milliseconds: Int(seconds * 1000))
    }

    var settings: SimulatedPrinterConfiguration { current.withLock { $0 } }

    func update(_ change: (inout SimulatedPrinterConfiguration) -> Void) {
        current.withLock { change(&$0) }
    }

    var openConnections: [any Channel] { connections.withLock { Array($0.open.values) } }

    var mostConnections: Int { connections.withLock(\.most) }

    /// Keeps `channel` until it closes, which is at once after ``refuseConnections()``; returns whether it has a place.
    func add(_ channel: any Channel) -> Bool {
        let (id, limit) = (ObjectIdentifier(channel), settings.connections)
        let (hasPlace, isStopped) = connections.withLock { connections in
            connections.open[id] = channel
            connections.most = max(connections.most, connections.open.count)
            let hasPlace = connections.served.count < limit
            if hasPlace { connections.served.insert(id) }
            return (hasPlace, connections.isStopped)
        }
        channel.closeFuture.whenComplete { [self] _ in
            connections.withLock { connections in
                connections.open[id] = nil
                connections.served.remove(id)
            }
        }
        if isStopped { channel.close(promise: nil) }
        return hasPlace
    }

    /// Closes later connections at once: one may have been accepted just before the listener was closed.
    func refuseConnections() { connections.withLock { $0.isStopped = true } }
}
