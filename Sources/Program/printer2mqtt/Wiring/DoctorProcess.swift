import Concurrency
import StoredSettings
import Subprocess
import SystemPackage

/// Runs `doctor` in a process of its own, for the page: its checks look at the bridge from outside, at locks for example.
struct DoctorProcess: Sendable {
    /// The most bytes of findings: some hundred bytes for each printer.
    private static let limit = 16 << 20
    private static let timeout = Duration.seconds(120)

    /// The configuration file that the bridge was told; nil for the default.
    let configPath: String?

    /// The findings as JSON.
    func examine() async throws -> [UInt8] {
        var options = PlatformOptions()
        options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: .seconds(5))]
        let arguments = ["doctor", "--json"] + (configPath.map { ["--config", $0] } ?? [])
        let late = CommandFailure(.unavailable, "the doctor took more than two minutes: run printer2mqtt doctor")
        return try await withTimeLimit(Self.timeout, or: late) { [options] in
            try await Subprocess.run(
                .path("/proc/self/exe"),
                arguments: Arguments(arguments),
                platformOptions: options,
                output: .bytes(limit: Self.limit)
            ).standardOutput
        }
    }
}
