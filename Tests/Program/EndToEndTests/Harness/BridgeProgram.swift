import Foundation
import TestSupport

/// The real program on a folder of its own, as a user runs it.
final class BridgeProgram: Sendable {
    let directory: TemporaryDirectory
    let environment: [String: String]

    /// A program with these lines as its configuration file.
    init(configuration: String) throws {
        directory = try TemporaryDirectory()
        let runtime = directory.file("runtime")
        try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: false)
        environment = ["XDG_STATE_HOME": directory.url.path, "XDG_RUNTIME_DIR": runtime.path]
        try configuration.write(to: file, atomically: true, encoding: .utf8)
    }

    convenience init(broker port: Int, _ more: String = "") throws {
        try self.init(
            configuration: """
                mqtt:
                  url: mqtt://127.0.0.1:\(port)
                  client_id: bridge-\(port)
                log:
                  level: debug
                \(more)
                """
        )
    }

    /// Its configuration.
    var file: URL { directory.file("printer2mqtt.yaml") }

    /// Where it keeps what lasts.
    var state: URL { directory.file("printer2mqtt") }

    /// What a minute without probes does: a test that probes one camera often cannot wait for that.
    func forgetRecentProbes() throws {
        let runtime = directory.file("runtime/printer2mqtt")
        for name in try FileManager.default.contentsOfDirectory(atPath: runtime.path) where name.hasSuffix(".door") {
            let file = runtime.appending(path: name)
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let others = lines.filter { !$0.hasPrefix(#"["camera "#) }.map { $0 + "\n" }
            try others.joined().write(to: file, atomically: true, encoding: .utf8)
        }
    }

    /// Starts `printer2mqtt run`.
    func run(_ arguments: [String] = [], environment: [String: String] = [:]) throws -> ChildProcess {
        try start(["run"] + arguments, environment: environment)
    }

    /// Runs any other command to its end.
    func command(
        _ arguments: String...,
        environment more: [String: String] = [:],
        input: String? = nil
    ) async throws -> (status: Int32, output: String) {
        let child = try start(arguments, environment: more, input: input)
        return (await child.exitStatus(), child.output)
    }

    private func start(
        _ arguments: [String],
        environment more: [String: String] = [:],
        input: String? = nil
    ) throws -> ChildProcess {
        try ChildProcess(
            Self.path,
            arguments + ["--config", file.path],
            environment: environment.merging(more) { $1 },
            log: directory.file("log-\(UUID().uuidString)"),
            input: input,
            keeping: self
        )
    }

    /// Starts any other command.
    func runToEnd(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ChildProcess {
        try start(arguments, environment: environment)
    }

    /// Everything that any run of it said.
    var everythingSaid: String {
        let files =
            (try? FileManager.default.contentsOfDirectory(at: directory.url, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.lastPathComponent.hasPrefix("log-") }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
            .joined(separator: "\n")
    }

    /// Beside the test bundle, where the build puts both.
    static let path: String = {
        var folder = Bundle(for: BridgeProgram.self).bundleURL.deletingLastPathComponent()
        if !FileManager.default.fileExists(atPath: folder.appendingPathComponent("printer2mqtt").path) {
            folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        }
        return folder.appendingPathComponent("printer2mqtt").path
    }()
}
