import MQTT
import PrinterSamples

/// Another client of a broker, that hears every message.
final class BrokerWitness: Sendable {
    struct Heard: Sendable, Hashable {
        var topic: String
        var payload: String
    }

    /// For publishing as somebody else.
    let client: MQTTClient
    private let heard = Recorder<Heard>()
    private let tasks: [Task<Void, any Error>]

    init(port: Int) throws {
        let client = try MQTTClient(configuration: .local(port, "witness"), logger: .quiet)
        self.client = client
        tasks = [
            Task { try await client.run() },
            Task { [heard] in
                let everything = MQTTSubscriptionOptions("#", retainAsPublished: true)
                for try await message in try await client.subscribe([everything], buffer: .newest(100_000)) {
                    heard.add([Heard(topic: message.topic.name, payload: message.text)])
                }
            },
        ]
    }

    deinit { for task in tasks { task.cancel() } }

    /// Everything heard so far, in order.
    var all: [Heard] { heard.all }

    /// What was last said on each topic, as long as it was not cleared.
    var present: [String: String] {
        Dictionary(all.map { ($0.topic, $0.payload) }) { $1 }.filter { !$0.value.isEmpty }
    }
}

extension MQTTConfiguration {
    static func local(_ port: Int, _ clientID: String) -> MQTTConfiguration {
        MQTTConfiguration(endpoint: .tcp(host: "127.0.0.1", port: port), clientID: clientID)
    }
}
