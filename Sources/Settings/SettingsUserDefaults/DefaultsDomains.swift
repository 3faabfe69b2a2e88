import Foundation
import StoredSettings

/// The text of a store in a domain of `UserDefaults`, and its last good copy in another.
///
/// On Linux a domain is a file that is emptied before it is written: a kill in between loses all settings. The copy is written
/// after it, so that one of the two is always complete.
struct DefaultsDomains: Sendable {
    /// The key of the document; no setting has this name.
    static let key = "StoredSettings.document"

    let suite: String?

    var lastSuite: String { (suite ?? ProcessInfo.processInfo.processName) + ".last" }

    var name: String { "the domain \(suite ?? "of the program") of UserDefaults" }

    func text() throws -> String? { try domain(suite).string(forKey: Self.key) }

    func refresh() throws { _ = try domain(suite).synchronize() }

    /// The document; if it is damaged or missing, the last good copy; nil if there is neither.
    func load() throws -> StoreDocument? {
        do { if let document = try document(suite) { return document } } catch {
            if let copy = try? document(lastSuite) { return copy }
            throw error
        }
        return try document(lastSuite)
    }

    private func document(_ suite: String?) throws -> StoreDocument? {
        guard let text = try domain(suite).string(forKey: Self.key) else { return nil }
        return try StoreDocument(json: text.utf8, path: name)
    }

    /// Writes the document and then its copy; returns the text.
    func save(_ document: StoreDocument) throws -> String {
        let text = document.json()
        for suite in [suite, lastSuite] {
            let domain = try domain(suite)
            domain.set(text, forKey: Self.key)
            guard domain.synchronize() else { throw SettingsError(.inputOutput, "\(name) could not be written") }
        }
        return text
    }

    func objects() throws -> [String: Any] {
        let name = suite ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        var objects = try domain(suite).persistentDomain(forName: name) ?? [:]
        objects[Self.key] = nil
        return objects
    }

    func set(_ objects: [String: Any?]) throws {
        let domain = try domain(suite)
        for (key, object) in objects {
            // On Linux, `set(nil)` stops the program.
            if let object { domain.set(object, forKey: key) } else { domain.removeObject(forKey: key) }
        }
    }

    private func domain(_ suite: String?) throws -> UserDefaults {
        guard let suite else { return .standard }
        guard let domain = UserDefaults(suiteName: suite) else {
            throw SettingsError(.unavailable, "there can be no domain \(suite) of UserDefaults: give it another name")
        }
        return domain
    }
}
