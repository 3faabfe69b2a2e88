import Bridge
import Foundation
import Logging
import MQTT
import Synchronization

/// A look at what is retained on the broker, under a client id that is nobody else's.
struct BrokerVisit {
    private let client: MQTTClient
    private let broker: BrokerURL

    /// Prepares one; `purpose` becomes a part of the client id.
    init(_ workshop: Workshop, to broker: BrokerURL, as purpose: String) throws {
        var options = try workshop.bridgeOptions(broker: broker).broker
        // Under the bridge's own id it would take the bridge's place.
        options.clientID = "printer2mqtt-\(purpose)-\(UInt32.random(in: 0...UInt32.max))"
        client = MQTTClient(configuration: options, logger: Logger(label: purpose) { _ in SwiftLogNoOpLogHandler() })
        self.broker = broker
    }

    /// What is retained on some topics; those without anything are absent.
    ///
    /// - Parameters:
    ///   - topics: The topics.
    ///   - filters: What to subscribe to for them; the topics themselves unless given.
    ///   - timeout: How long to wait for the broker, and then for what is retained.
    /// - Returns: The payloads by topic.
    /// - Throws: ``CommandFailure`` when the broker does not answer, or does not let us in.
    func retained(
        _ topics: Set<String>,
        by filters: [String]? = nil,
        within timeout: Duration
    ) async throws -> [String: String] {
        let sight = Sight(topics)
        do {
            try await withThrowingTaskGroup { group in
                group.addTask { try await client.run() }
                group.addTask {
                    for await event in client.events() { sight.note(event) }
                    try await Task.sleep(for: timeout)
                }
                group.addTask {
                    let messages = try await client.subscribe(
                        (filters ?? Array(topics)).map { try .init(MQTTTopicFilter($0)) }
                    )
                    sight.open()
                    for try await message in messages where sight.takes(message) { return }
                }
                group.addTask { try await Task.sleep(for: timeout) }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch let error as MQTTError {
            throw CommandFailure(.unavailable, "the broker \(broker): \(error.message)")
        }
        guard let payloads = sight.payloads else {
            let reason = sight.obstacle ?? "it does not answer"
            throw CommandFailure(
                .unavailable,
                "the broker \(broker) cannot be reached within \(timeout.components.seconds) s: \(reason)"
            )
        }
        return payloads
    }
}

/// What was seen of the topics that are wanted.
private final class Sight: Sendable {
    private let wanted: Set<String>
    private let seen = Mutex<[String: String]?>(nil)
    private let failure = Mutex<String?>(nil)

    init(_ wanted: Set<String>) { self.wanted = wanted }

    /// The payloads by topic; nil before the broker let us in.
    var payloads: [String: String]? { seen.withLock { $0 } }

    /// Why the last attempt to connect failed.
    var obstacle: String? { failure.withLock { $0 } }

    func note(_ event: MQTTConnectionEvent) {
        if case .connectFailed(let reason, _) = event { failure.withLock { $0 = reason.message } }
    }

    func open() { seen.withLock { $0 = [:] } }

    /// Takes a message in; whether nothing is missing any more.
    func takes(_ message: MQTTMessage) -> Bool {
        guard wanted.contains(message.topic.name) else { return false }
        return seen.withLock { seen in
            seen?[message.topic.name] = String(decoding: message.payload, as: UTF8.self)
            return seen?.count == wanted.count
        }
    }
}

extension StateDirectory {
    /// Where the private broker was when the bridge last started one.
    var privateBroker: BrokerURL? {
        let folder = URL(fileURLWithPath: brokerFolder, isDirectory: true)
        return EmbeddedBroker.address(inStateDirectory: folder).map { .tcp(host: $0.host, port: $0.port) }
    }
}
