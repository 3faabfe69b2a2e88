import Settings

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A new store of some kind, and the few calls that most requirements are made of.
struct StoreTrial: Sendable {
    /// What a body throws that wants nothing to be stored.
    struct Refused: Error {}

    let kind: StoreUnderTest
    let instance: StoreUnderTest.Instance

    /// A moment in whole milliseconds that is no whole second.
    static let date = Date(timeIntervalSince1970: 1_700_000_000.5)

    var store: any SettingsStore { instance.store }

    func openAgain() throws -> any SettingsStore { try instance.openAgain() }

    @discardableResult
    func put(
        _ scope: String,
        _ changes: [String: SettingValue?],
        through store: (any SettingsStore)? = nil
    ) async throws -> SettingsRecord {
        try await (store ?? self.store).transact {
            try $0.update(scope, changes, by: "test", at: Self.date)
        }
    }

    /// Throws unless the values of a scope are these.
    func require(_ scope: String, holds values: [String: SettingValue]?, when: String) throws {
        try SettingsTesting.require(
            "what is stored for \(scope) \(when)",
            try store.record(scope)?.values,
            equals: values
        )
    }
}
