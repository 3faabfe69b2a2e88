import Bridge
import Foundation
import MQTT
import Printers
import StoredSettings

/// Reads the overview of printers: settings from the store, states of streams from the running bridge, or from its topics.
struct OverviewReader {
    private static let timeout = Duration.seconds(5)
    /// Changes that follow each other closely are shown together.
    private static let pause = Duration.milliseconds(250)
    /// Between two questions to the running bridge.
    private static let poll = Duration.seconds(1)
    /// Between two attempts to reach the broker.
    private static let retry = Duration.seconds(5)

    let app: AppContext

    private var topics: Topics { app.configuration.topics }

    func read() async throws -> PrinterOverview {
        var overview: PrinterOverview?
        try await follow(once: true) { overview = $0 }
        if let overview { return overview }
        return try await fromStore("the broker closed the connection.")
    }

    /// Passes the overview to `show`, at once and after each change, until the task is cancelled.
    func watch(_ show: (PrinterOverview) -> Void) async throws {
        while true {
            try await follow(once: false, show)
            try await Task.sleep(for: Self.retry)
        }
    }

    private func follow(once: Bool, _ show: (PrinterOverview) -> Void) async throws {
        // In a fleet, other bridges have other printers.
        while app.configuration[\.fleetEndpoints].isEmpty, let bridge = await RunningBridge(in: app.state) {
            show(try await overview(bridge.topics))
            if once { return }
            try await Task.sleep(for: Self.poll)
        }
        let isRunning = ProcessLock.isHeld(app.state.lockFile)
        guard let broker = app.configuration.brokerURL ?? app.state.privateBroker(whileRunning: isRunning)
        else { return show(try await fromStore("no bridge runs, and no broker is configured.")) }
        let connection = try ShortConnection(app, to: broker, for: "list", within: Self.timeout)
        do {
            try await connection.use { try await follow($0, once: once, show) }
        } catch let failure as CommandFailure where failure.code == .unavailable {
            show(try await fromStore(failure.description))
        }
    }

    private func follow(_ client: MQTTClient, once: Bool, _ show: (PrinterOverview) -> Void) async throws {
        let retained = RetainedTopics(topics: topics, timeout: Self.timeout)
        let filters = [topics.bridgeAvailability, topics.streamFilter]
        let (snapshot, subscription) = try await retained.read(filters, with: client)
        defer { subscription.cancel() }
        var payloads = snapshot.payloads
        show(try await overview(payloads))
        guard !once else { return }
        for try await message in subscription where message.topic.name.isStreamSafe && !topics.isMarker(message) {
            payloads[message.topic.name] = message.text
            try await Task.sleep(for: Self.pause)
            show(try await overview(payloads))
        }
    }

    private func overview(_ payloads: [String: String]) async throws -> PrinterOverview {
        guard payloads[topics.bridgeAvailability] == "online" else {
            return try await fromStore("the bridge is not online.")
        }
        let printers = try await printers()
        let published = printers.compactMap { printer in
            payloads[topics.stream(printer.id)].map { (printer.id, $0) }
        }
        return PrinterOverview(printers, from: .bridge, published: Dictionary(published) { $1 })
    }

    private func fromStore(_ reason: String) async throws -> PrinterOverview {
        PrinterOverview(try await printers(), from: .store(reason))
    }

    private func printers() async throws -> [Printer] { try await app.openRegistry().registry.all }
}
