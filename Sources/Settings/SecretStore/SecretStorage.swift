/// A secret in a store, as a property of anything: a structure, a class, or a global variable.
///
/// ```swift
/// struct Account {
///     @SecretStorage(key: "login") var login: Login?
/// }
/// account.login = Login(user: "me", password: "…")
/// try await account.$login.save()
/// ```
/// Reading asks the store each time, and gives nil when there is none. Assigning takes effect at once and is stored soon
/// after; nil removes it. What went wrong is ``Projection/error``, and is thrown by ``Projection/load()`` and
/// ``Projection/save()``. It belongs in structures, actors, and classes that are confined to one: Swift lets no class with a
/// property wrapper be `Sendable`, where `let login = SecretStorage<Login>(key: "login")` does. Nothing that prints, dumps, mirrors or encodes the property shows the value.
@propertyWrapper
public struct SecretStorage<Value: Codable & Sendable & Hashable>: Sendable {
    private let cell: SecretCell<Value>

    /// Declares a secret.
    ///
    /// - Parameters:
    ///   - key: The name in the store. A text is stored as it is, any other value as JSON.
    ///   - store: Where it lasts; nil for the ``DefaultSecretStore``.
    public init(key: String, store: (any SecretStore)? = nil) { cell = SecretCell(key, store) }

    /// The secret; nil when there is none, and also when it cannot be read.
    public var wrappedValue: Value? {
        get { try? cell.load() }
        nonmutating set { cell.assign(newValue) }
    }

    /// What can be done with it beside reading and assigning.
    public var projectedValue: Projection { Projection(cell: cell) }
}

extension SecretStorage {
    /// A secret, with its errors, and with ways to wait until it is stored.
    public struct Projection: Sendable {
        let cell: SecretCell<Value>

        /// The last error of reading or storing; nil once that went well.
        public var error: (any Error)? { cell.error }

        /// The secret; nil when there is none, and also when it cannot be read.
        public func get() -> Value? { try? cell.load() }

        /// Assigns; nil removes.
        public func set(_ value: Value?) { cell.assign(value) }

        /// The secret; nil when there is none.
        ///
        /// - Throws: ``SettingsError`` when it cannot be read, or is of another type.
        public func load() throws -> Value? { try cell.load() }

        /// Returns when what was assigned is durable; tries once more what failed before.
        ///
        /// - Throws: ``SettingsError``. What was assigned is kept in memory, and may be saved again.
        public func save() async throws { try await cell.save() }

        /// Assigns, and returns when it is durable.
        ///
        /// - Throws: ``SettingsError``. What was assigned is kept in memory, and may be saved again.
        public func save(_ value: Value?) async throws {
            cell.assign(value)
            try await cell.save()
        }

        /// A binding to the secret.
        public var binding: SettingBinding<Value?> {
            SettingBinding(read: { [cell] in try? cell.load() }, change: { [cell] in cell.update($0) })
        }
    }
}
