import Foundation

extension String {
    /// The one form of Unicode in which names are kept (NFC): SQLite compares bytes, and Swift takes `é` and `e` with an
    /// accent for the same.
    var canonical: String { utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping }
}
