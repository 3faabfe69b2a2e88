import StoredSettings

/// Looks like authenticated encryption, for tests only: a key stream, and a checksum over everything.
///
/// It protects nothing.
package struct ToySealer: SecretSealer {
    /// What it throws when key, context or bytes are not the same.
    package struct Refused: Error {}

    private let key: UInt64

    package init(key: UInt64 = 1) { self.key = key }

    /// The key itself, behind `toy-`.
    package var keyIdentifier: String { "toy-\(key)" }

    /// Hides `plain` from a search for it, and adds a checksum.
    package func seal(_ plain: [UInt8], authenticating context: [UInt8]) -> [UInt8] {
        crypt(plain) + checksum(plain, context)
    }

    /// Gives back what was sealed, or throws ``Refused``.
    package func open(_ sealed: [UInt8], authenticating context: [UInt8]) throws -> [UInt8] {
        guard sealed.count >= 8 else { throw Refused() }
        let plain = crypt(Array(sealed.dropLast(8)))
        guard Array(sealed.suffix(8)) == checksum(plain, context) else { throw Refused() }
        return plain
    }

    private func crypt(_ bytes: [UInt8]) -> [UInt8] {
        bytes.enumerated().map { $1 ^ UInt8(truncatingIfNeeded: mix(key &+ UInt64($0)) >> 56) }
    }

    private func checksum(_ plain: [UInt8], _ context: [UInt8]) -> [UInt8] {
        let sum = (plain + [0] + context).reduce(mix(key)) { mix($0 ^ UInt64($1)) }
        return (0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    }

    private func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ (value >> 32) &+ 1) &* 0x9E37_79B9_7F4A_7C15
        return product ^ (product >> 29)
    }
}
