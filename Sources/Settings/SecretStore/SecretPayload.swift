#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The text as which a store keeps a payload: a text as it is, everything else as JSON.
enum SecretPayload<Value: Codable & Sendable & Hashable> {
    static func encode(_ value: Value, name: String) throws -> Secret<String> {
        if let text = value as? String { return Secret(text) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Secret(String(decoding: try encoder.encode(value), as: UTF8.self))
        } catch {
            // Not what the encoder says: it may hold the value.
            throw SettingsError(.unsupportedValue, "the secret \(name) cannot be written as JSON")
        }
    }

    static func decode(_ secret: Secret<String>, name: String) throws -> Value {
        let text = secret.reveal()
        if let text = text as? Value { return text }
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw SettingsError(.wrongType, "what is stored as the secret \(name) is no \(Value.self)")
        }
    }
}
