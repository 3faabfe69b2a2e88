import ArgumentParser

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Whether the bridge is online; for the health check of a container.",
        discussion: """
            Asks the bridge that runs on this state folder. Exit code 1 says that there is none, or that it has no connection \
            to the broker, 69 that it does not answer.
            """
    )

    @Option(help: ArgumentHelp("Seconds to wait for the bridge.", valueName: "seconds")) var timeout = 5
    @OptionGroup var config: ConfigOption

    func validate() throws {
        guard (1...300).contains(timeout) else { throw ValidationError("--timeout must be from 1 to 300.") }
    }

    func run() async throws {
        let app = try AppContext(configPath: config.path)
        try app.requireState()
        if let bridge = await RunningBridge(in: app, within: .seconds(timeout)) {
            guard bridge.isOnline(app.configuration.topics) else {
                throw CommandFailure(.unhealthy, "the bridge is offline: it runs, and has no connection to the broker")
            }
            return print("online")
        }
        guard ProcessLock.isHeld(app.state.lockFile) else {
            throw CommandFailure(.unhealthy, "the bridge is offline: none runs on \(app.state.path)")
        }
        throw CommandFailure(.unavailable, "the bridge runs, and does not answer within \(timeout) s: see its log")
    }
}
