import Platform
public import StoredSettings

/// A kind of store, as the conformance suite needs it.
///
/// ```swift
/// extension StoreUnderTest {
///     static let mine = StoreUnderTest("MyStore") {
///         let path = newTemporaryPath()
///         return try Instance(MyStore(path)) { try MyStore(path) }
///     }
/// }
/// ```
public struct StoreUnderTest: Sendable, CustomStringConvertible {
    /// A new store, and a way to open it once more.
    public struct Instance: Sendable {
        /// The store, which holds nothing yet.
        public let store: any SettingsStore
        /// Opens what it stores once more, as another process would.
        public let openAgain: @Sendable () throws -> any SettingsStore

        /// Describes an open store; `openAgain` is nil if nothing else can open it.
        ///
        /// The closure may keep what the store needs, such as a temporary directory.
        public init(_ store: any SettingsStore, openAgain: (@Sendable () throws -> any SettingsStore)? = nil) {
            self.store = store
            self.openAgain = openAgain ?? { store }
        }
    }

    /// The name in failures and reports.
    public let name: String
    /// Whether it stores secrets; a store that does not has to refuse them.
    public let storesSecrets: Bool
    /// Makes a new store that holds nothing.
    public let open: @Sendable () throws -> Instance

    /// Describes a kind of store; `open` makes a new one that holds nothing.
    public init(_ name: String, storesSecrets: Bool = true, open: @escaping @Sendable () throws -> Instance) {
        self.name = name
        self.storesSecrets = storesSecrets
        self.open = open
    }

    /// The store of the library that lasts as long as the process.
    package static let inMemory = StoreUnderTest("InMemorySettingsStore") { Instance(InMemorySettingsStore()) }

    /// The name.
    public var description: String { name }
}

/// A new store of some kind, and the calls of which most requirements consist.
struct StoreTrial: Sendable {
    struct Refused: Error {}

    let kind: StoreUnderTest
    let instance: StoreUnderTest.Instance

    var store: any SettingsStore { instance.store }

    func openAgain() throws -> any SettingsStore { try instance.openAgain() }

    @discardableResult
    func put(
        _ scope: String,
        _ changes: [String: JSONValue?],
        through store: (any SettingsStore)? = nil
    ) async throws -> SettingsRecord {
        try await (store ?? self.store).transact { try $0.put(scope, changes) }
    }

    func require(_ scope: String, holds values: [String: JSONValue]?, when: String) throws {
        let found = try store.record(scope)?.values
        try SettingsTesting.require("what is stored for \(scope) \(when)", found, equals: values)
    }
}

extension SettingsTransaction {
    @discardableResult
    mutating func put(_ scope: String, _ changes: [String: JSONValue?]) throws -> SettingsRecord {
        try update(scope, changes, by: "test", at: .ofTrial)
    }

    @discardableResult
    mutating func rename(_ scope: String, to name: String) throws -> SettingsRecord {
        try rename(scope, to: name, by: "test", at: .ofTrial)
    }
}

extension Date {
    /// A moment in whole milliseconds that is no whole second.
    static let ofTrial = Date(timeIntervalSince1970: 1_700_000_000.5)
}
