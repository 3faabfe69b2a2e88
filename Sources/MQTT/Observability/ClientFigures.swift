import Metrics

/// The counters and timers of one client.
struct ClientFigures: Sendable {
    let connects: Counter
    let failedConnects: Counter
    let disconnects: Counter
    let connectTime: Timer
    let acknowledged: Counter
    let refused: Counter
    let failed: Counter
    let publishTime: Timer
    let received: Counter
    let dropped: Counter
    let bytesSent: Counter
    let bytesReceived: Counter

    init(_ metrics: MQTTMetrics) {
        func counter(_ name: String, _ dimensions: (String, String)...) -> Counter {
            Counter(label: "mqtt_\(name)_total", dimensions: metrics.dimensions + dimensions, factory: metrics.factory)
        }
        func timer(_ name: String) -> Timer {
            Timer(label: "mqtt_\(name)", dimensions: metrics.dimensions, factory: metrics.factory)
        }
        connects = counter("connects", ("outcome", "accepted"))
        failedConnects = counter("connects", ("outcome", "failed"))
        disconnects = counter("disconnects")
        connectTime = timer("connect_duration")
        acknowledged = counter("publishes", ("outcome", "acknowledged"))
        refused = counter("publishes", ("outcome", "refused"))
        failed = counter("publishes", ("outcome", "failed"))
        publishTime = timer("publish_duration")
        received = counter("messages_received")
        dropped = counter("messages_dropped")
        bytesSent = counter("bytes_sent")
        bytesReceived = counter("bytes_received")
    }

    /// A publish ended well after so long.
    func published(in duration: Duration) {
        acknowledged.increment()
        publishTime.record(duration: duration)
    }

    /// A publish came to nothing.
    func published(_ error: any Error) {
        (error as? MQTTError)?.code == .refused ? refused.increment() : failed.increment()
    }

    /// An attempt to connect has ended after so long.
    func connected(in duration: Duration, isAccepted: Bool) {
        guard isAccepted else { return failedConnects.increment() }
        connects.increment()
        connectTime.record(duration: duration)
    }
}
