import Testing

@Suite("The compiler")
struct CompilerTests {
    /// Expects one error for each of these lines and columns, and no other; each has one of these words.
    private func expectErrors(in source: String, at places: [String], _ words: String...) async throws {
        let errors = try await compilerErrors(in: source)
        #expect(errors.map { String($0.prefix { $0 != " " }) } == places.map { "Source.swift:\($0):" }, "\(errors)")
        #expect(errors.allSatisfy { error in words.contains { error.contains($0) } }, "\(errors)")
    }

    /// Declarations whose types only the compiler knows, and the columns where these stand.
    static let unsupported = [
        ("var a = Point()", 13), ("var b: Point = .init()", 12), ("var c: [Point?] = []", 12),
        ("var d: [String: [Point]] = [:]", 12), ("var e: Set<Point> = []", 12), ("var f: Object? = nil", 12),
        ("var h: [String: Mode?] = [:]", 12), ("var j = (1, 2)", 13), ("var k = { 1 }", 13),
        ("var m: [Mode: Int] = [:]", 12), ("var n = Box(value: 1)", 13),
        ("private var o = [Mode.on: \"\"]", 21), ("@Secret var p: Result<Int, any Error> = .success(1)", 20),
        ("var q: NSURL? = nil", 12), ("var r = NSNumber(1)", 13), ("var s: Character = \"a\"", 12),
        ("var t: any Sendable = 1", 12), ("var u: NSMutableString = \"\"", 12), ("var v: (Int, Int) = (1, 2)", 12),
        ("var w: (() -> Void)?", 12), ("var x: Int.Type = Int.self", 12), ("var y: [Any] = []", 12),
    ]

    @Test func `The compiler reports each unsupported setting type once, at the type, with advice`() async throws {
        let declarations = Self.unsupported.map { "    " + $0.0 }.joined(separator: "\n")
        let source = """
            @ObservableSettings final class Model {
            \(declarations)
                var right = 1
            }
            import Foundation
            import StoredSettings
            struct Point: Hashable { var x = 1 }
            struct Box<Value> { var value: Value }
            enum Mode: String { case on }
            final class Object: Sendable {}
            """
        let places = Self.unsupported.enumerated().map { "\($0 + 2):\($1.1)" }
        try await expectErrors(in: source, at: places, "that are 'Codable'", "that is 'Codable'", "only 'Codable'")
    }

    /// Variables that are ignored and whose types threads cannot share, and the columns where these stand.
    static let unshareable = [
        ("var a = Box()", 13), ("var b: Box?", 12), ("var c: [Box] = []", 12), ("private var d: () -> Void = {}", 20),
    ]

    @Test func `The compiler tells of an ignored variable that threads cannot share, once, at the type`() async throws {
        let declarations = Self.unshareable.map { "@SettingsIgnored\n    " + $0.0 }.joined(separator: "\n")
        let source = """
            @ObservableSettings final class Model {
            \(declarations)
                var right = 1
            }
            import StoredSettings
            final class Box { var x = 1 }
            """
        let places = Self.unshareable.enumerated().map { "\(2 * $0 + 3):\($1.1)" }
        try await expectErrors(in: source, at: places, "does not conform to the 'Sendable' protocol")
    }

    @Test(arguments: [("static let keys = 1", 71), ("var storage: Int { 1 }", 64), ("struct SettingKeys {}", 67)])
    func `The compiler tells of a member that has the name of a generated one, at the member`(
        member: String,
        column: Int
    ) async throws {
        let errors = try await compilerErrors(
            in: "import StoredSettings; @ObservableSettings final class M { \(member) }"
        )
        let place = "Source.swift:1:\(column): "
        #expect(errors.contains { $0.hasPrefix(place) && $0.contains("generates a member") }, "\(errors)")
    }

    /// Forms that need another one, where the error stands, and what it says to write.
    static let advised = [
        ("lazy var a = 2", "", 1, "put '@MainActor' on it"), ("weak var a: Box?", "", 1, "put '@MainActor' on it"),
        ("@Trimmed var a: String", "", 1, "put '@MainActor' on it"),
        ("@Setting(in: 0.0...1.0) var a = 60", "", 14, "'in: 0...10' for an 'Int'"),
        ("@Setting(in: limits) private var a = 60", "", 14, "'in: 0...10' for an 'Int'"),
        ("@Setting(in: 0..<10) var a = 6", "", 14, "'in: 0...10' for an 'Int'"),
        ("@Setting(in: 0...) var a: Int? = 6", "", 14, "'in: 0...10' for an 'Int'"),
        ("@ObservationIgnored var a = 1", "", 1, "use '@SettingsIgnored'"),
        ("@SettingsIgnored var a = 1 { didSet {} }", "", 28, "do what they do where 'a' is assigned"),
        ("var a = 1", "_ = m.binding(\\.a)", 7, "make the class 'final'"),
    ]

    /// The compiler's message for an initialiser that sets no storage.
    private static let withoutStorage = "begin with 'storage = SettingsStorage(scope: \"Example.A\""
    /// The compiler's message for a store whose name means something else in the class.
    private static let unreachable = "static let store = …"

    private static let longScope = String(repeating: "s", count: 511)
    /// Declarations with a mistake, the column of their error, and its words.
    static let explained = [
        ("@ObservableSettings final class A { var a = Shared() }", 45, "'Sendable', and this one is only 'Codable'"),
        ("@ObservableSettings final class A { var a: Set<Mode> = [] }", 44, "'Codable' or 'SettingRepresentable'"),
        ("@ObservableSettings final class A { var a = Plain() }", 45, "add both to the declaration of this type"),
        ("@ObservableSettings(scope: 5) final class A { var a = 1 }", 28, "'Int' to expected argument type 'String'"),
        (
            "@ObservableSettings(scope: name) final class A { var a = 1 }", 28,
            "write the scope here as a string literal"
        ),
        ("@ObservableSettings(scope: \"\") final class A { var a = 1 }", 28, "from 1 to 512 bytes"),
        ("@ObservableSettings(scope: \"\(longScope)\") final class A { var a = 1 }", 563, "has more than 512 bytes"),
        ("struct A { @StoredSetting(\"a\", scope: 5) var a = 1 }", 39, "'Int' to expected argument type 'String'"),
        ("struct A { @StoredSetting(\"a\") var a = Shared() }", 13, "'Shared' does not conform to the 'Sendable'"),
        ("struct A { @StoredSetting(\"a\") var a = Plain() }", 13, "add 'Codable' to the declaration of this type"),
        ("struct A { @StoredSetting(\"a\") var a: Int }", 13, "a setting needs a default: write '= …'"),
        ("@ObservableSettings final class A { var a = 1; init() {} }", 48, withoutStorage),
        ("@ObservableSettings final class A { var a = 1; init() { a = 2 } }", 48, withoutStorage),
        ("@ObservableSettings final class A { var a = 1; init(other: Int) { self.a = other } }", 48, withoutStorage),
        ("let b = A().committed.b; @ObservableSettings final class A { var b: Int { 1 } }", 9, "private(set)"),
        ("@ObservableSettings(store: shared) final class A { var a = 1; let shared = 1 }", 28, unreachable),
        ("@ObservableSettings(store: shared) final class A { var a = 1; var shared = 1 }", 28, unreachable),
        ("@ObservableSettings(store: shared) final class A { var a = 1; func shared() {} }", 28, unreachable),
        ("@ObservableSettings(store: Shop.store) final class A { var a = 1; enum Shop {} }", 28, unreachable),
        ("@ObservableSettings(store: keys) final class A { var a = 1 }", 28, unreachable),
        ("@ObservableSettings(store: try open()) final class A { var a = 1 }", 28, "use 'try!'"),
    ]

    @Test(arguments: explained)
    func `The compiler names what is missing, once, at the place`(declaration: String, column: Int, words: String)
        async throws
    {
        let source = """
            \(declaration)
            import StoredSettings
            final class Reference: Codable { var x = 1 }
            struct Shared: Codable { var reference = Reference() }
            struct Plain { var x = 1 }
            enum Mode: String { case on }
            let name = "a"
            let shared = InMemorySettingsStore()
            let keys = shared
            enum Shop { static let store = shared }
            func open() throws -> InMemorySettingsStore { shared }
            """
        try await expectErrors(in: source, at: ["1:\(column)"], words)
    }

    @Test(arguments: advised)
    func `The compiler says at the place, once, what to write instead`(
        member: String,
        use: String,
        column: Int,
        advice: String
    ) async throws {
        let source = """
            @ObservableSettings \(use.isEmpty ? "final " : "")class Model {
            \(use.isEmpty ? "" : "var b = 1")
            \(member)
            init() { storage = SettingsStorage(schema: Self.schema) }
            }
            func use(_ m: Model) {
            \(use)
            }
            import Observation
            import StoredSettings
            final class Box: Sendable {}
            @propertyWrapper struct Trimmed: Sendable { var wrappedValue = "" }
            let limits: ClosedRange<Double> = 0...1
            """
        try await expectErrors(in: source, at: ["\(use.isEmpty ? 3 : 7):\(column)"], advice)
    }

    @Test func `In a module of the main actor, the compiler says which types have to be nonisolated`() async throws {
        let source = """
            @ObservableSettings final class Model {
                var a: Point?
                var b = Mode.on
                var c = Free()
            }
            import StoredSettings
            struct Point: Codable { var x = 1 }
            enum Mode: String { case on }
            nonisolated struct Free: Codable { var x = 1 }
            """
        let errors = try await compilerErrors(in: source, flags: ["-default-isolation", "MainActor"])
        #expect(errors.count == 1 && errors[0].hasPrefix("Source.swift:2:12:"), "\(errors)")
        #expect(errors.first?.contains("or 'nonisolated' in a module") == true)
    }

    static let refused = [
        ("a derived property is no setting", "m.reset(\\.isOn)"),
        ("constraints of another type", "let _ = SettingsKey(\"a\", default: \"x\", in: 1...2)"),
    ]

    @Test(arguments: refused)
    func `The compiler refuses what cannot be meant`(what: String, code: String) async throws {
        let model = "@ObservableSettings final class M { var a = 1; var isOn: Bool { a > 1 } }"
        #expect(try await !compilerErrors(in: "import StoredSettings; \(model); func f(_ m: M) { \(code) }").isEmpty)
    }
}
