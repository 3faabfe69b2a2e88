import ArgumentParser
import Settings

/// `doctor`: checks everything, says what to do about what is wrong.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check everything, and say what to do about what is wrong.",
        discussion: """
            Looks at the configuration, the state folder, the store and its key, the broker, the bridge, and each printer. \
            Printers are asked of the bridge while it runs; otherwise each is probed once. No setting is changed. Exit code 1 \
            says that something is wrong.
            """
    )

    @Flag(help: "As one JSON list.") var json = false
    @OptionGroup var config: ConfigOption

    func run() async throws {
        let doctor = Doctor(configPath: config.path)
        let findings = try await Interruption.cancelling { try await doctor.examine() }
        print(json ? document(of: findings) : table(of: findings))
        if findings.contains(where: { $0.verdict == .wrong }) { throw CommandFailure(.unhealthy, "") }
    }

    private func table(of findings: [Finding]) -> String {
        TextTable(findings.map { [$0.verdict.rawValue, $0.subject, $0.text] }).description
    }

    private func document(of findings: [Finding]) -> String {
        StoredValue.array(
            findings.map {
                [
                    "verdict": .string($0.verdict.rawValue.lowercased()), "subject": .string($0.subject),
                    "text": .string($0.text),
                ]
            }
        ).json()
    }
}
