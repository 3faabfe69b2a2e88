import ArgumentParser

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything, and say how to repair what is wrong.",
        discussion: """
            Checks the clock, the configuration, the state folder, the key, the store, the broker and what its ACL allows, \
            the bridge, and each printer. The state of a printer comes from the running bridge; otherwise the printer is \
            probed once. No setting is changed.

            Exit code 1 means that something has to be repaired. docs/troubleshooting.md explains each finding.
            """
    )

    @Flag(help: "As one JSON list.") var json = false
    @OptionGroup var config: ConfigOption

    func run() async throws {
        let doctor = Doctor(configPath: config.path)
        let findings = try await Interruption.cancelling { try await doctor.examine() }
        let report = DoctorReport(findings: findings, on: .ofCommand(config: config.path))
        print(json ? report.json : report.text)
        if !report.isHealthy { throw CommandFailure(.unhealthy) }
    }
}
