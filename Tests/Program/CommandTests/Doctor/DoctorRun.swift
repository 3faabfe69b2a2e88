import Foundation
import TestSupport

@testable import printer2mqtt

/// What one run of `doctor --json` said.
struct DoctorRun {
    struct Finding: Decodable {
        var verdict: String
        var situation: String?
        var subject: String
        var message: String
        var fix: String?
    }

    let status: Int32
    let output: String
    let findings: [Finding]

    /// The situations of one verdict.
    func situations(_ verdict: String) -> Set<String> {
        Set(findings.filter { $0.verdict == verdict }.map { $0.situation ?? "" })
    }
}

/// A situation that was set up for real, and in which `doctor` runs.
struct DoctorScene {
    var program: Program
    var environment: [String: String] = [:]
    private let arguments: [String]
    /// A shell script that ends with the program: `exec "$0" "$@"`.
    var script: String?
    /// What has to last as long as the scene: brokers, bridges.
    var kept: [any Sendable] = []

    /// A scene with these lines as its configuration file.
    init(_ configuration: String = "", arguments: [String] = []) throws {
        program = try Program(configuration)
        self.arguments = arguments
    }

    /// The same scene with the program run by a script.
    func running(_ script: String) -> DoctorScene {
        var scene = self
        scene.script = script
        return scene
    }

    /// Runs `doctor`.
    func examine() async throws -> DoctorRun {
        let all = program.environment.merging(["STATE": program.state.path]) { $1 }.merging(environment) { $1 }
        let command = ["doctor", "--json"] + arguments
        let child = try ChildProcess(
            script == nil ? Program.path : "bash",
            script.map { ["-c", $0, Program.path] + command } ?? command,
            environment: all,
            log: program.directory.file("doctor.log")
        )
        let status = await child.exitStatus(timeout: .seconds(120))
        let output = child.output
        let line = output.split(separator: "\n").last { $0.hasPrefix("[") } ?? ""
        guard let findings = try? JSONDecoder().decode([DoctorRun.Finding].self, from: Data(line.utf8)) else {
            throw TestFailure("doctor ended with \(status) and said:\n\(output)")
        }
        return DoctorRun(status: status, output: output, findings: findings)
    }
}
