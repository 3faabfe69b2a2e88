import Foundation
import TestSupport

/// The real program, with a state folder and a configuration file of its own.
struct Program {
    let directory: TemporaryDirectory

    /// Makes both; `configuration` is the lines of the file.
    init(_ configuration: String = "") throws {
        directory = try TemporaryDirectory()
        try write(configuration)
    }

    /// Replaces the lines of the file.
    func write(_ configuration: String) throws {
        try configuration.write(to: file, atomically: true, encoding: .utf8)
    }

    /// The configuration file.
    var file: URL { directory.file("printer2mqtt.yaml") }
    /// Where it keeps what lasts.
    var state: URL { directory.file("state/printer2mqtt") }

    /// Starts a command.
    func start(_ arguments: [String], environment: [String: String] = [:], input: String? = nil) throws -> ChildProcess
    {
        var all = [
            "XDG_STATE_HOME": directory.file("state").path, "XDG_RUNTIME_DIR": directory.url.path,
            "PRINTER2MQTT_CONFIG": file.path,
        ]
        all.merge(environment) { $1 }
        return try ChildProcess(
            Self.path,
            arguments,
            environment: all,
            log: directory.file("log-\(UUID().uuidString)"),
            input: input
        )
    }

    /// Runs a command to its end.
    func run(
        _ arguments: String...,
        environment: [String: String] = [:],
        input: String? = nil
    ) async throws -> (status: Int32, output: String) {
        let child = try start(arguments, environment: environment, input: input)
        return (await child.exitStatus(), child.output)
    }

    /// Beside the test bundle, where the build puts both.
    static let path: String = {
        let bundle = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
        let candidates = bundle.map { $0.deletingLastPathComponent().appendingPathComponent("printer2mqtt").path }
        return candidates.first(where: FileManager.default.isExecutableFile) ?? "printer2mqtt"
    }()
}
