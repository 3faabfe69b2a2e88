import OpenSSL
import Settings

/// Seals the store's secrets with AES-256-GCM, and tells the log's redaction of each that passes.
struct StoreSealer: SecretSealer {
    let keyIdentifier: String

    private let cipher: AES256GCM
    private let redaction: Redaction

    init(key: SealingKey, redaction: Redaction) throws {
        cipher = AES256GCM(key: key)
        self.redaction = redaction
        keyIdentifier = String(try MessageAuthentication(key: key, purpose: "key identifier").hex(of: []).prefix(16))
    }

    func seal(_ plain: [UInt8], authenticating context: [UInt8]) throws -> [UInt8] {
        redaction.learn(String(decoding: plain, as: UTF8.self))
        return try cipher.seal(plain, authenticating: context)
    }

    func open(_ sealed: [UInt8], authenticating context: [UInt8]) throws -> [UInt8] {
        let plain = try cipher.open(sealed, authenticating: context)
        redaction.learn(String(decoding: plain, as: UTF8.self))
        return plain
    }
}
