public import Settings

/// A kind of store, as the conformance suite wants to have it.
///
/// ```swift
/// extension StoreUnderTest {
///     static let mine = StoreUnderTest("MyStore") {
///         let path = newTemporaryPath()
///         return try Instance(MyStore(path)) { try MyStore(path) }
///     }
/// }
/// ```
public struct StoreUnderTest: Sendable {
    /// A new store, and a way to it through another door.
    public struct Instance: Sendable {
        /// The store, which holds nothing yet.
        public let store: any SettingsStore
        /// Opens what it stores once more, as another process would; a store that nobody else can open gives itself.
        public let openAgain: @Sendable () throws -> any SettingsStore

        /// Describes an open store.
        ///
        /// - Parameters:
        ///   - store: An empty store.
        ///   - openAgain: Opens it once more. It may hold on to what the store needs, such as a temporary directory.
        public init(_ store: any SettingsStore, openAgain: @escaping @Sendable () throws -> any SettingsStore) {
            self.store = store
            self.openAgain = openAgain
        }

        /// Describes a store that has one door only.
        public init(_ store: any SettingsStore) {
            self.init(store) { store }
        }
    }

    /// What it is called in failures and reports.
    public let name: String
    /// Whether it stores secrets; one that does not has to refuse them.
    public let storesSecrets: Bool
    private let make: @Sendable () throws -> Instance

    /// Describes a kind of store.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - storesSecrets: Whether it takes secrets.
    ///   - make: Makes a new store that holds nothing.
    public init(_ name: String, storesSecrets: Bool = true, make: @escaping @Sendable () throws -> Instance) {
        self.name = name
        self.storesSecrets = storesSecrets
        self.make = make
    }

    /// Makes a new store that holds nothing.
    public func open() throws -> Instance { try make() }

    /// The store of the library that lasts as long as the process.
    public static let inMemory = StoreUnderTest("InMemorySettingsStore") { Instance(InMemorySettingsStore()) }
}

extension StoreUnderTest: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
