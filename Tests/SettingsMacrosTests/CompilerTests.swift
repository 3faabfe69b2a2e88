import Testing

@Suite("The compiler")
struct CompilerTests {
    static let unsupported = [
        "struct Point { var x = 1 }; @ObservableSettings final class M { var point = Point() }",
        "enum Mode: String { case on }; @ObservableSettings final class M { var mode: Mode = .on }",
        "enum Mode: String { case on }; @ObservableSettings final class M { var modes: [String: Mode?] = [:] }",
        "import Foundation; @ObservableSettings final class M { var locale = Locale.current }",
    ]

    @Test("tells of a type that cannot be a setting, once, and what to do", arguments: unsupported)
    func unsupportedType(source: String) async throws {
        let errors = try await compilerErrors(in: "import Settings; " + source)
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
        #expect(try await compilerErrors(in: "import Settings; " + source, flags: ["-warnings-as-errors"]) == [])
    }

    static let refused = [
        ("a derived property is no setting", "m.reset(\\.isOn)"),
        ("limits of another type", "let _ = SettingsKey(\"a\", default: \"x\", in: 1...2)"),
    ]

    @Test("refuses what cannot be meant", arguments: refused)
    func refuses(what: String, code: String) async throws {
        let model = "@ObservableSettings final class M { var a = 1; var isOn: Bool { a > 1 } }"
        #expect(try await !compilerErrors(in: "import Settings; \(model); func f(_ m: M) { \(code) }").isEmpty)
    }
}
