import Foundation
import OpenSSL
import Settings

/// The key that encrypts the secrets in the store: given, or made on the first start.
enum StoreKey {
    /// The key given as 64 hexadecimal digits, or else the one in the file.
    static func load(given: String, file: String) throws -> SealingKey {
        if !given.isEmpty {
            guard let key = parse(given) else { throw CommandFailure(.configuration, "store.key \(rule)") }
            return key
        }
        if try PrivateFile.read(file) == nil {
            try PrivateFile.create(file, try SecureRandom.hex(SealingKey.byteCount) + "\n")
        }
        guard let text = try PrivateFile.read(file), let key = parse(text) else {
            throw CommandFailure(
                .configuration,
                "the key in \(file) \(rule); put the right file back, and nothing is lost"
            )
        }
        return key
    }

    private static let rule = "must be 64 hexadecimal digits"

    private static func parse(_ text: String) -> SealingKey? {
        let digits = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        guard digits.count == SealingKey.byteCount * 2 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return try? SealingKey(bytes: bytes)
    }
}
