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

    @OptionGroup var config: ConfigOption

    func run() async throws {
        let app = try AppContext(configPath: config.path)
        try app.requireState()
        if let bridge = await RunningBridge(in: app) {
            guard bridge.isOnline else {
                throw CommandFailure(.unhealthy, "the bridge is offline: it runs, and has no connection to the broker")
            }
            return print("online")
        }
        guard ProcessLock.isHeld(app.state.lockFile) else {
            let reason = "none runs on \(app.state.path); to start it, \(app.installation.bridge("start"))"
            throw CommandFailure(.unhealthy, "the bridge is offline: \(reason)")
        }
        throw CommandFailure(.unavailable, "the bridge runs, and does not answer within 5 s: see its log")
    }
}
