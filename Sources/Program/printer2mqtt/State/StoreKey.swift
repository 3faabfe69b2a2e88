import Foundation
import OpenSSL

/// The key that encrypts the secrets in the store: given, or made on the first start.
enum StoreKey {
    /// The key `given` as `store.key`, 64 hexadecimal digits; when that is empty, the one in `file`.
    ///
    /// A new key is made only where `database` does not exist: the secrets in it could never be read again.
    static func load(given: String, file: String, sealing database: String? = nil) throws -> SealingKey {
        if !given.isEmpty {
            guard let key = SealingKey(hexadecimal: given) else {
                throw CommandFailure(.configuration, "store.key \(rule)")
            }
            return key
        }
        if try PrivateFile.read(file) == nil {
            if let database, FileManager.default.fileExists(atPath: database) {
                throw CommandFailure(Finding(.keyLost, ["file": file, "database": database]))
            }
            try PrivateFile.create(file, try SecureRandom.hex(SealingKey.byteCount) + "\n")
        }
        guard let text = try PrivateFile.read(file), let key = SealingKey(hexadecimal: text) else {
            throw CommandFailure(Finding(.keyDamaged, ["file": file]))
        }
        return key
    }

    /// What is wrong with a key that is given; nil when nothing is, and when none is given.
    static func fault(in text: String) -> String? { text.isEmpty || SealingKey(hexadecimal: text) != nil ? nil : rule }

    private static let rule = "must be 64 hexadecimal digits"
}
