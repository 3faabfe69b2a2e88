import ArgumentParser
import Bridge

/// `health`: whether the bridge is there.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Whether the bridge is online; for the health check of a container.",
        discussion: """
            Asks the bridge that runs on this state folder. Without one, it connects to the broker of the configuration with \
            the same account, under a client id of its own, and reads <base>/bridge/availability. Exit code 1 says that the \
            bridge is offline, 69 that the broker does not answer.
            """
    )

    @Option(help: ArgumentHelp("Seconds to wait for the broker.", valueName: "seconds")) var timeout = 5
    @OptionGroup var config: ConfigOption

    func validate() throws {
        guard (1...300).contains(timeout) else { throw ValidationError("--timeout must be from 1 to 300.") }
    }

    func run() async throws {
        let app = try AppContext(configPath: config.path)
        let topic = app.configuration.topics.bridgeAvailability
        if let bridge = await RunningBridge(in: app.state, within: .seconds(timeout)) {
            guard bridge.isOnline(app.configuration.topics) else {
                throw CommandFailure(.unhealthy, "the bridge is offline: it runs, and has no connection to the broker")
            }
            return print("online")
        }
        if app.configuration.brokerURL == nil { try app.requireState() }
        guard let broker = app.configuration.brokerURL ?? app.state.privateBroker else {
            throw CommandFailure(.unhealthy, "the bridge is offline: its private broker does not run")
        }
        let connection = try ShortConnection(app, to: broker, for: "health", within: .seconds(timeout))
        switch try await connection.use({ try await connection.retained(topic, with: $0) }) {
        case "online": print("online")
        case nil:
            throw CommandFailure(.unavailable, "the broker \(broker) says nothing of the bridge within \(timeout) s")
        case _: throw CommandFailure(.unhealthy, "the bridge is offline")
        }
    }
}
