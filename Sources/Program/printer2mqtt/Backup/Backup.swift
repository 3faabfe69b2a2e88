import Foundation
import OpenSSL

/// A store and its key, in one file that only a passphrase opens.
///
/// The file begins with ``header`` and a salt of 16 bytes. The key and the database follow, sealed with AES-256-GCM under a
/// key that scrypt derives from the passphrase. The header and the salt are authenticated.
struct Backup {
    var key: SealingKey
    var database: [UInt8]

    private static let header = Array("printer2mqtt backup 1\n".utf8)
    private static let saltCount = 16

    func sealed(with passphrase: String) throws -> [UInt8] {
        let start = Self.header + (try SecureRandom.bytes(Self.saltCount))
        let content = key.withUnsafeBytes { $0 + database }
        return start + (try Self.key(of: passphrase, start).seal(content, authenticating: start))
    }

    private static func key(of passphrase: String, _ start: [UInt8]) throws -> SealingKey {
        // The same text, however a keyboard composes it.
        let text = passphrase.precomposedStringWithCanonicalMapping
        return try SealingKey(passphrase: text, salt: Array(start.suffix(saltCount)))
    }
}

extension Backup {
    init(_ file: [UInt8], passphrase: String) throws {
        let line = file.prefix { $0 != UInt8(ascii: "\n") }
        guard line.starts(with: Array("printer2mqtt backup ".utf8)) else {
            let advice = "give the file that 'printer2mqtt backup' wrote"
            throw CommandFailure(.configuration, "this is no backup of printer2mqtt: \(advice)")
        }
        guard file.starts(with: Self.header) else {
            throw CommandFailure(.configuration, "a later version of printer2mqtt made this backup: use that version")
        }
        let start = Array(file.prefix(Self.header.count + Self.saltCount))
        do {
            let sealed = Array(file.dropFirst(start.count))
            let plain = try Self.key(of: passphrase, start).open(sealed, authenticating: start)
            key = try SealingKey(bytes: plain.prefix(SealingKey.byteCount))
            database = Array(plain.dropFirst(SealingKey.byteCount))
        } catch is SealingFailure {
            throw CommandFailure(.configuration, "the passphrase is wrong, or the backup is damaged")
        }
    }
}
