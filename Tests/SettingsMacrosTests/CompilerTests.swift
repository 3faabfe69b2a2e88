import Foundation
import TestSupport
import Testing

/// What a user's compiler says: the real one, with the module and the plugin that were built with these tests.
@Suite("The compiler")
struct CompilerTests {
    /// The errors about a source, with the place in it where each comes from.
    private func errors(in source: String, flags: [String] = []) async throws -> [String] {
        let folder = try TemporaryDirectory()
        let file = folder.url.appending(path: "Source.swift")
        try Data(source.utf8).write(to: file)
        let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let plugin = products.appending(path: "SettingsMacros-tool").path
        let compiler = try ChildProcess(
            "swiftc",
            ["-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-module-name", "Example"] + flags
                + ["-I", products.appending(path: "Modules").path, "-load-plugin-executable", "\(plugin)#SettingsMacros"]
                + [file.path],
            log: folder.url.appending(path: "diagnostics")
        )
        _ = await compiler.exitStatus()
        return compiler.output.split(separator: "\n").map(String.init).filter { $0.contains("error:") }
    }

    static let unsupported = [
        "struct Point { var x = 1 }; @ObservableSettings final class M { var point = Point() }",
        "enum Mode: String { case on }; @ObservableSettings final class M { var mode: Mode = .on }",
        "enum Mode: String { case on }; @ObservableSettings final class M { var modes: [String: Mode?] = [:] }",
        "import Foundation; @ObservableSettings final class M { var locale = Locale.current }",
    ]

    @Test("tells of a type that cannot be a setting, once, and what to do", arguments: unsupported)
    func unsupportedType(source: String) async throws {
        let errors = try await errors(in: "import Settings; " + source)
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.contains("a setting needs a type that is 'SettingConvertible'") == true, "\(errors)")
    }

    static let accepted = [
        "@ObservableSettings final class M {}",
        "@ObservableSettings public final class M { public var a = 1; var b: [String: [Int?]] = [:] }",
        "@MainActor @ObservableSettings final class M { var a = 1; @SettingsIgnored var b: String? }",
        "@ObservableSettings final class M { var a = 1 }; func f(_ m: M) async { await Task { m.a = 2 }.value }",
        "@ObservableSettings final class M { var a = 1 }; func f(_ m: M) { m.reset(\\.a); _ = m.binding(\\.a) }",
        "@ObservableSettings class M { var a = 1; let id: Int; init(_ b: SettingsBacking) { id = 1; backing = b } }",
    ]

    @Test("has nothing to say of what is right, also as a warning", arguments: accepted)
    func right(source: String) async throws {
        #expect(try await errors(in: "import Settings; " + source, flags: ["-warnings-as-errors"]) == [])
    }

    static let refused = [
        ("a derived property is no setting", "m.reset(\\.isOn)"),
        ("limits of another type", "let _ = SettingsKey(\"a\", default: \"x\", in: 1...2)"),
    ]

    @Test("refuses what cannot be meant", arguments: refused)
    func refuses(what: String, code: String) async throws {
        let model = "@ObservableSettings final class M { var a = 1; var isOn: Bool { a > 1 } }"
        #expect(try await !errors(in: "import Settings; \(model); func f(_ m: M) { \(code) }").isEmpty)
    }
}
