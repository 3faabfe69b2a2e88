import Foundation
import Testing

@Suite("A fix-it", .enabled(if: FixIts.library != nil, "the toolchain has no library that reads diagnostics"))
struct FixItTests {
    /// Properties with a fault, and what becomes of each.
    static let properties = [
        ("@Setting let a = 1", "@Setting var a = 1"),
        ("@Setting\n    static var a = 1  // comment", "@Setting\n    var a = 1  // comment"),
        ("@Secret lazy var a = 1", "@Secret var a = 1"),
        ("var a: Int  // comment", "var a: Int = 1  // comment"),
        ("var a = nil", "var a: Int = 1"),
        ("var a = 1 {\n        didSet {}\n    }", "var a = 1"),
        ("@Secret var a: Int { z }", "var a: Int { z }"),
        ("/// Not stored.\n    @SettingsIgnored @Synced var a = 1", "/// Not stored.\n    @SettingsIgnored var a = 1"),
        ("@SettingsIgnored let a = 1", "let a = 1"),
        ("@Setting(key: \"k\\(1)\") var a = 1", "@Setting(key: \"M.a\") var a = 1"),
        ("@Setting(key: \"\") var a = 1", "@Setting(key: \"M.a\") var a = 1"),
        ("@Setting(key: \"a\\n\") var a = 1", "@Setting(key: \"M.a\") var a = 1"),
        ("@Setting(key: \"M.z\") var a = 1", "@Setting(key: \"M.a\") var a = 1"),
        (
            "@Setting(key: \"M.y\") var a = 1\n    var y = 1",
            "@Setting(key: \"M.y\") var a = 1\n    @Setting(key: \"M.y2\") var y = 1"
        ),
        ("var a: Int!", "var a: Int?"),
    ]

    /// Other declarations.
    static let declarations = [
        ("@ObservableSettings public struct M { var a = 1 }", "public final class M"),
        ("@ObservableSettings final actor M { var a = 1 }", "@ObservableSettings final class M"),
        ("static let p = \"\"; @ObservableSettings(prefix: p) final class M {}", "@ObservableSettings(prefix: \"M.\")"),
        ("static let n = KeyNaming.snakeCase; @ObservableSettings(naming: n) final class M {}", "(naming: .asWritten)"),
        ("@Observable @ObservableSettings final class M {}", "{\n@ObservableSettings final class"),
        ("enum E { @ObservableSettings private final class M { var a = 1 } }", "fileprivate final class"),
        ("struct M {\n    @Setting var a = 1\n    @Synced var b = 2\n}", "    var a = 1\n    var b = 2\n"),
    ]

    @Test("says how it has to be, and all together make a program that compiles")
    func applied() async throws {
        let classes = Self.properties.map { faulty, fixed in
            ("@ObservableSettings final class M {\n    var z = 1\n    \(faulty)\n}", "    var z = 1\n    \(fixed)\n}")
        }
        let cases = Self.declarations + classes
        let sources = cases.enumerated().map { number, texts in
            "enum Case\(number) {\n\(texts.0.replacing("\"M.", with: "\"Case\(number).M."))\n}\n"
        }
        let result = try await FixIts.apply(to: "import Observation\nimport StoredSettings\n" + sources.joined())
        let blocks = result.components(separatedBy: "enum Case").dropFirst()
        try #require(blocks.count == cases.count)
        for (number, (block, (faulty, fixed))) in zip(blocks, cases).enumerated() {
            // Keys begin with the names of the types that the class is in.
            let here = fixed.replacing("\"M.", with: "\"Case\(number).M.")
            #expect(block.contains(here), "\(faulty)")
        }
        #expect(try await compilerErrors(in: result, flags: ["-parse-as-library"]) == [], "\(result)")
    }
}
