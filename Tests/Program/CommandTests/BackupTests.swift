import Foundation
import TestSupport
import Testing

@Suite("A backup", .timeLimit(.minutes(2)))
struct BackupTests {
    private let program: Program
    private let file: String
    private let passphrase: String

    init() async throws {
        program = try Program()
        file = program.directory.file("printers.backup").path
        passphrase = program.directory.file("passphrase").path
        try "correct horse\n".write(toFile: passphrase, atomically: true, encoding: .utf8)
        let code = ["PRINTER2MQTT_ACCESS_CODE": "canary-1"]
        #expect(try await program.run("printer", "add", "x1", "printer_ip=192.0.2.7", environment: code).status == 0)
    }

    private func backUp() async throws -> (status: Int32, output: String) {
        try await program.run("backup", file, "--passphrase-file", passphrase)
    }

    @Test func `A backup brings printers, access codes and revisions to another machine`() async throws {
        let before = try await program.run("printer", "show", "x1", "--reveal").output
        #expect(try await backUp() == (0, "Wrote the settings in \(program.state.path) to \(file).\n"))
        let other = try Program()
        let (status, output) = try await other.run("restore", file, "--passphrase-file", passphrase)
        #expect(status == 0 && output == "Restored 1 printer to \(other.state.path).\n", "\(output)")
        #expect(try await other.run("printer", "show", "x1", "--reveal").output == before)
        #expect(before.contains("canary-1"))
    }

    @Test func `A backup gives the printers another epoch, so that programs read them again`() async throws {
        func epoch() async throws -> Substring {
            let shown = try await program.run("printer", "show", "x1", "--json").output
            return try #require(shown.firstMatch(of: /"epoch": *"([0-9a-f]+)"/)).output.1
        }
        let before = try await epoch()
        #expect(try await backUp().status == 0)
        #expect(try await program.run("restore", file, "--passphrase-file", passphrase).status == 0)
        #expect(try await epoch() != before)
    }

    @Test func `A backup is made while a bridge runs, and restored only when it has stopped`() async throws {
        let bridge = try program.start(["run"])
        try await eventually("the bridge runs") { bridge.output.contains("printer add") }
        #expect(try await backUp().status == 0)
        let refused = try await program.run("restore", file, "--passphrase-file", passphrase)
        #expect(refused.status == 69 && refused.output.contains("a bridge runs on "))
        await bridge.stop()
        #expect(try await program.run("restore", file, "--passphrase-file", passphrase).status == 0)
    }

    @Test func `A backup is unreadable without its passphrase and accessible only to its owner`() async throws {
        #expect(try await backUp().status == 0)
        let bytes = try Data(contentsOf: URL(filePath: file))
        for text in ["canary", "192.0.2.7", "SQLite"] { #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)") }
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let state = try FileManager.default.contentsOfDirectory(atPath: program.state.path)
        #expect(!state.contains { $0.hasPrefix("backup") }, "\(state)")
    }

    @Test func `A backup takes the place of settings, which are kept beside it`() async throws {
        #expect(try await backUp().status == 0)
        _ = try await program.run("printer", "rename", "x1", "later")
        let (status, output) = try await program.run("restore", file, "--passphrase-file", passphrase)
        #expect(status == 0 && output.contains("The settings from before are in "), "\(output)")
        #expect(try await program.run("printer", "list").output.contains("x1"))
        let kept = try #require(output.firstMatch(of: /before are in (.+)\.\n/)).output.1
        let earlier = try Program("store:\n  path: \(kept)\n")
        #expect(try await earlier.run("printer", "show", "later", "--reveal").output.contains("canary-1"))
    }

    enum Damage: CaseIterable {
        case otherPassphrase, changed, cut, otherFile, empty, laterFormat

        var reason: String {
            switch self {
            case .otherPassphrase, .changed, .cut: "the passphrase is wrong, or the backup is damaged"
            case .otherFile, .empty: "this is no backup of printer2mqtt"
            case .laterFormat: "a later version of printer2mqtt made this backup"
            }
        }

        func apply(to data: Data) -> Data {
            switch self {
            case .otherPassphrase: data
            case .changed: data.dropLast() + [(data.last ?? 0) ^ 1]
            case .cut: data.prefix(30)
            case .otherFile: Data("SQLite format 3".utf8)
            case .empty: Data()
            case .laterFormat: Data("printer2mqtt backup 2\n".utf8) + data.dropFirst(22)
            }
        }
    }

    @Test(arguments: Damage.allCases)
    func `A backup that does not open changes nothing`(damage: Damage) async throws {
        #expect(try await backUp().status == 0)
        try damage.apply(to: try Data(contentsOf: URL(filePath: file))).write(to: URL(filePath: file))
        if damage == .otherPassphrase {
            try "correct house\n".write(toFile: passphrase, atomically: true, encoding: .utf8)
        }
        let before = try FileManager.default.contentsOfDirectory(atPath: program.state.path).sorted()
        let (status, output) = try await program.run("restore", file, "--passphrase-file", passphrase)
        #expect(status == 78 && output.contains(damage.reason), "\(output)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.state.path).sorted() == before)
    }

    @Test func `A backup is restored where store.key gives the same key, however it is written`() async throws {
        #expect(try await backUp().status == 0)
        let key = try String(contentsOf: program.state.appending(path: "key"), encoding: .utf8)
        let same = try Program("store:\n  key: ' \(key.trimmingCharacters(in: .newlines).uppercased()) '\n")
        let restored = try await same.run("restore", file, "--passphrase-file", passphrase)
        #expect(restored.status == 0, "\(restored.output)")
        #expect(try await same.run("printer", "show", "x1", "--reveal").output.contains("canary-1"))
        let other = try Program("store:\n  key: \(String(repeating: "ca", count: 32))\n")
        let refused = try await other.run("restore", file, "--passphrase-file", passphrase)
        #expect(refused.status == 78 && refused.output.contains("is not the key of this backup"), "\(refused.output)")
    }

    @Test func `A backup asks for the passphrase twice, and does not show it`() async throws {
        let question = #"backup \(it is not shown\): "#
        let command = ["backup", file]
        let differing = [(question, "canary-2 horse"), ("The same again: ", "canary-2 house")]
        let refused = try await TypedSession(program, command, differing)
        #expect(refused.status == 64 && refused.screen.contains("the passphrases differ"), "\(refused.screen)")
        let same = [(question, "canary-2 horse"), ("The same again: ", "canary-2 horse")]
        let made = try await TypedSession(program, command, same)
        #expect(made.status == 0 && !made.screen.contains("canary"), "\(made.screen)")
        let restored = try await TypedSession(program, ["restore", file], [(question, "canary-2 horse")])
        #expect(restored.status == 0 && restored.screen.contains("Restored 1 printer"), "\(restored.screen)")
    }

    @Test(arguments: [
        (["backup", "%f", "--passphrase-file", "%p"], "short\n", "at least 8 characters"),
        (["backup", "%p", "--passphrase-file", "%p"], "correct horse\n", "exists already: name another file"),
        (["backup", "/proc/x", "--passphrase-file", "%p"], "correct horse\n", "/proc/x cannot be written"),
        (["backup", "%f"], "", "give the passphrase with --passphrase-file FILE"),
        (["restore", "%f", "--passphrase-file", "%p"], "correct horse\n", "cannot be read"),
        (["restore", "-"], "", "with the backup on standard input, give --passphrase-file FILE"),
    ])
    func `A backup is refused in one sentence that says what to change`(
        arguments: [String],
        typed: String,
        reason: String
    ) async throws {
        try typed.write(toFile: passphrase, atomically: true, encoding: .utf8)
        let child = try program.start(
            arguments.map { $0.replacing("%f", with: file).replacing("%p", with: passphrase) }
        )
        #expect(await child.exitStatus() == 64)
        #expect(child.output.contains(reason), "\(child.output)")
    }
}
