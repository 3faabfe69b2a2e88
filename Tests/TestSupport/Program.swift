package import Foundation

/// The real program, with a configuration file and a state folder of its own.
package final class Program: Sendable {
    package let directory: TemporaryDirectory

    /// A program with these lines as its configuration file.
    package init(_ configuration: String = "") throws {
        directory = try TemporaryDirectory()
        try write(configuration)
    }

    /// A program with a broker of 127.0.0.1, and more lines.
    package convenience init(broker port: Int, _ more: String = "") throws {
        try self.init("mqtt:\n  url: mqtt://127.0.0.1:\(port)\n\(more)")
    }

    /// Replaces the lines of the configuration file.
    package func write(_ configuration: String) throws {
        try configuration.write(to: file, atomically: true, encoding: .utf8)
    }

    package var file: URL { directory.file("printer2mqtt.yaml") }
    /// Where it keeps what lasts.
    package var state: URL { directory.file("state/printer2mqtt") }
    /// Where its sockets and locks are.
    package var runtime: URL { directory.file("printer2mqtt") }

    /// The variables that tell it so.
    package var environment: [String: String] {
        [
            "XDG_STATE_HOME": directory.file("state").path, "XDG_RUNTIME_DIR": directory.url.path,
            "PRINTER2MQTT_CONFIG": file.path,
        ]
    }

    /// Starts the bridge, or another command.
    package func start(
        _ arguments: [String] = ["run"],
        environment more: [String: String] = [:],
        input: String? = nil
    ) throws -> ChildProcess {
        let child = try ChildProcess(
            Self.path,
            arguments,
            environment: environment.merging(more) { $1 },
            log: directory.file("log-\(UUID().uuidString)"),
            input: input,
            keeping: self
        )
        // Killed: its broker, or its fleet's etcd, may be gone before it.
        EndingTrait.atEnd { await child.stop(SIGKILL) }
        return child
    }

    /// Runs a command to its end.
    package func run(
        _ arguments: String...,
        environment: [String: String] = [:],
        input: String? = nil
    ) async throws -> (status: Int32, output: String) {
        try await run(arguments, environment: environment, input: input)
    }

    package func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String? = nil
    ) async throws -> (status: Int32, output: String) {
        let child = try start(arguments, environment: environment, input: input)
        return (await child.exitStatus(), child.output)
    }

    /// Adds a printer, by default one with an access code.
    package func add(_ id: String, _ settings: [String], code: String? = "12345678") async throws {
        let environment = code.map { ["PRINTER2MQTT_ACCESS_CODE": $0] } ?? [:]
        let added = try await run(["printer", "add", id] + settings, environment: environment)
        guard added.status == 0 else { throw TestFailure(added.output) }
    }

    /// Everything that any run of it said.
    package var everythingSaid: String {
        let files = try? FileManager.default.contentsOfDirectory(at: directory.url, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.lastPathComponent.hasPrefix("log-") }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
            .joined(separator: "\n")
    }

    /// Beside the test bundle, where the build puts both.
    package static let path: String = {
        let bundles = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
        let candidates = bundles.map { $0.deletingLastPathComponent().appendingPathComponent("printer2mqtt").path }
        return candidates.first(where: FileManager.default.isExecutableFile) ?? "printer2mqtt"
    }()
}
