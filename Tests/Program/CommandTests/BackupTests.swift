import Foundation
import TestSupport
import Testing

@Suite("A backup", .endsAll, .timeLimit(.minutes(5)))
struct BackupTests {
    private let program: Program
    private let file: String
    private let passphrase: String

    init() async throws {
        program = try Program()
        file = program.directory.file("printers.backup").path
        passphrase = program.directory.file("passphrase").path
        try "correct horse\n".write(toFile: passphrase, atomically: true, encoding: .utf8)
        try await program.add("x1", ["printer_ip=192.0.2.7"], code: "canary-1")
    }

    private func backUp() async throws {
        let said = try await program.check(["backup", file, "--passphrase-file", passphrase])
        #expect(said == "Wrote the settings in \(program.state.path) to \(file).\n")
    }

    @discardableResult
    private func restore(to other: Program? = nil, status: Int32 = 0, says text: String = "") async throws -> String {
        let command = ["restore", file, "--passphrase-file", passphrase]
        return try await (other ?? program).check(command, status: status, says: text)
    }

    @Test func `A backup brings printers, access codes and revisions to another machine`() async throws {
        let before = try await program.run("printer", "show", "x1", "--reveal").output
        try await backUp()
        let other = try Program()
        #expect(try await restore(to: other) == "Restored 1 printer to \(other.state.path).\n")
        #expect(try await other.run("printer", "show", "x1", "--reveal").output == before)
        #expect(before.contains("canary-1"))
    }

    @Test func `A backup gives the printers another epoch, so that programs read them again`() async throws {
        func epoch() async throws -> Substring {
            let shown = try await program.run("printer", "show", "x1", "--json").output
            return try #require(shown.firstMatch(of: /"epoch": *"([0-9a-f]+)"/)).output.1
        }
        let before = try await epoch()
        try await backUp()
        try await restore()
        #expect(try await epoch() != before)
    }

    @Test func `A backup is made while a bridge runs, and restored only when it has stopped`() async throws {
        let bridge = try program.start(["run"])
        try await eventually("the bridge runs") { bridge.output.contains("printer add") }
        try await backUp()
        try await restore(status: 69, says: "a bridge runs on ")
        await bridge.stop()
        try await restore()
    }

    @Test func `A backup is unreadable without its passphrase and accessible only to its owner`() async throws {
        try await backUp()
        let bytes = try Data(contentsOf: URL(filePath: file))
        for text in ["canary", "192.0.2.7", "SQLite"] { #expect(bytes.range(of: Data(text.utf8)) == nil, "\(text)") }
        #expect(try permissions(of: file) == 0o600)
        let state = try FileManager.default.contentsOfDirectory(atPath: program.state.path)
        #expect(!state.contains { $0.hasPrefix("backup") }, "\(state)")
    }

    @Test func `A backup takes the place of settings, which are kept beside it`() async throws {
        try await backUp()
        _ = try await program.run("printer", "rename", "x1", "later")
        let output = try await restore(says: "The settings from before are in ")
        try await program.check(["printer", "list"], says: "x1")
        let kept = try #require(output.firstMatch(of: /before are in (.+)\.\n/)).output.1
        let earlier = try Program("store:\n  path: \(kept)\n")
        try await earlier.check(["printer", "show", "later", "--reveal"], says: "canary-1")
    }

    private static let damaged = "the passphrase is wrong, or the backup is damaged"
    private static let foreign = "this is no backup of printer2mqtt"

    /// What becomes of a backup, the passphrase that is given, and the reason.
    private static let damages: [(damage: @Sendable (Data) -> Data, passphrase: String, reason: String)] = [
        ({ $0 }, "correct house\n", damaged),
        ({ $0.dropLast() + [($0.last ?? 0) ^ 1] }, "correct horse\n", damaged),
        ({ $0.prefix(30) }, "correct horse\n", damaged),
        ({ _ in Data("SQLite format 3".utf8) }, "correct horse\n", foreign),
        ({ _ in Data() }, "correct horse\n", foreign),
        (
            { Data("printer2mqtt backup 2\n".utf8) + $0.dropFirst(22) }, "correct horse\n",
            "a later version of printer2mqtt made this backup"
        ),
    ]

    @Test(arguments: damages)
    private func `A backup that does not open changes nothing`(
        damage: @Sendable (Data) -> Data,
        given: String,
        reason: String
    ) async throws {
        try await backUp()
        try damage(try Data(contentsOf: URL(filePath: file))).write(to: URL(filePath: file))
        try given.write(toFile: passphrase, atomically: true, encoding: .utf8)
        let before = try FileManager.default.contentsOfDirectory(atPath: program.state.path).sorted()
        try await restore(status: 78, says: reason)
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.state.path).sorted() == before)
    }

    @Test func `A backup is restored where store.key gives the same key, however it is written`() async throws {
        try await backUp()
        let key = try String(contentsOf: program.state.appending(path: "key"), encoding: .utf8)
        let same = try Program("store:\n  key: ' \(key.trimmingCharacters(in: .newlines).uppercased()) '\n")
        try await restore(to: same)
        try await same.check(["printer", "show", "x1", "--reveal"], says: "canary-1")
        let other = try Program("store:\n  key: \(String(repeating: "ca", count: 32))\n")
        try await restore(to: other, status: 78, says: "is not the key of this backup")
    }

    @Test func `A backup replaces an empty file, which a failed one may leave, and no other`() async throws {
        try Data().write(to: URL(filePath: file))
        try await backUp()
        #expect(try permissions(of: file) == 0o600)
        let again = ["backup", file, "--passphrase-file", passphrase]
        try await program.check(again, status: 64, says: "exists already: name another file")
        try await restore()
    }

    @Test(arguments: [
        ("backup", "etcdctl snapshot save"), ("restore", "etcdctl snapshot restore"), ("clear", "printer remove ID"),
    ])
    func `A fleet's settings are in etcd, and each command that needs a store names what works there`(
        command: String,
        advice: String
    ) async throws {
        let key = String(repeating: "5a", count: 32)
        let endpoints = "fleet: {endpoints: 'http://127.0.0.1:1'}"
        let member = try Program(broker: 1, "store: {key: '\(key)'}\n\(endpoints)\n")
        try await member.check([command] + (command == "clear" ? [] : [file]), status: 78, says: advice)
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
        let command = arguments.map { $0.replacing("%f", with: file).replacing("%p", with: passphrase) }
        try await program.check(command, status: 64, says: reason)
    }
}
