import Foundation
import OpenSSL
import Settings

/// The key that encrypts the secrets in the store: given, or made on the first start.
enum StoreKey {
    /// The key `given` as `store.key`, 64 hexadecimal digits; when that is empty, the one in `file`.
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

    /// What is wrong with a key that is given; nil when nothing is, and when none is given.
    static func fault(in text: String) -> String? { text.isEmpty || parse(text) != nil ? nil : rule }

    private static let rule = "must be 64 hexadecimal digits"

    private static func parse(_ text: String) -> SealingKey? {
        let digits = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        // The standard library would take a sign for a digit.
        let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }.map(UInt8.init)
        guard digits.count == SealingKey.byteCount * 2, values.count == digits.count else { return nil }
        return try? SealingKey(bytes: stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] })
    }
}
