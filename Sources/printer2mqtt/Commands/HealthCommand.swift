import ArgumentParser
import Bridge
import Foundation
import Logging
import MQTT

/// `health`: whether the bridge is there, as everybody else sees it.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Ask the broker whether the bridge is online; for the health check of a container.",
        discussion: """
            Connects to the broker of the configuration with the same account, under a client id of its own, and reads \
            <base>/bridge/availability. Exit code 1 says that the bridge is offline, 69 that the broker does not answer.
            """
    )

    @Option(help: ArgumentHelp("Seconds to wait for the broker.", valueName: "seconds")) var timeout = 5
    @OptionGroup var config: ConfigOption

    func validate() throws {
        guard (1...300).contains(timeout) else { throw ValidationError("--timeout must be from 1 to 300.") }
    }

    func run() async throws {
        let workshop = try Workshop(configPath: config.path)
        guard let broker = workshop.configuration.brokerURL ?? privateBroker(of: workshop.state) else {
            throw CommandFailure(.unhealthy, "the bridge is offline: its private broker was never started")
        }
        var options = try workshop.bridgeOptions(broker: broker).broker
        // Under the bridge's own id it would take the bridge's place.
        options.clientID = "printer2mqtt-health-\(UInt32.random(in: 0...UInt32.max))"
        let quiet = Logger(label: "health") { _ in SwiftLogNoOpLogHandler() }
        let client = MQTTClient(configuration: options, logger: quiet)
        let topic = workshop.configuration.topics.bridgeAvailability
        let answer = try await answer(of: client, on: topic, at: broker)
        guard answer == "online" else { throw CommandFailure(.unhealthy, "the bridge is offline") }
        print("online")
    }

    private func privateBroker(of state: StateDirectory) -> BrokerURL? {
        let folder = URL(fileURLWithPath: state.brokerFolder, isDirectory: true)
        return EmbeddedBroker.address(inStateDirectory: folder).map { .tcp(host: $0.host, port: $0.port) }
    }

    /// What is retained on a topic; throws when that can't be had in time.
    private func answer(of client: MQTTClient, on topic: String, at broker: BrokerURL) async throws -> String {
        let seconds = timeout
        return try await withThrowingTaskGroup(of: String.self) { group in
            group.addTask {
                try await client.run()
                return ""
            }
            group.addTask {
                let messages = try await client.subscribe([.init(topic, qos: .atLeastOnce)])
                for try await message in messages { return String(decoding: message.payload, as: UTF8.self) }
                return ""
            }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                return ""
            }
            defer { group.cancelAll() }
            do {
                if let answer = try await group.next(), !answer.isEmpty { return answer }
            } catch let error as MQTTError {
                throw CommandFailure(.unavailable, "the broker \(broker): \(error.message)")
            }
            throw CommandFailure(.unavailable, "the broker \(broker) says nothing of the bridge within \(seconds) s")
        }
    }
}
